package log_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/log"
)

// TestHistory lists commits of all branches, the newest first, with their authors. A
// merge has the files in which it differs from both parents.
func TestHistory(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			g := gittest.New(t, "--object-format="+format)
			at := func(minute int) { t.Setenv("GIT_COMMITTER_DATE", fmt.Sprintf("2026-01-02T03:%02d:00Z", minute)) }
			at(1)
			g.Commit("one", "notes/a b.md", "1\n", "code.go", "package code\n")
			g.Git("checkout", "-q", "-b", "side")
			at(2)
			g.Commit("side", "notes/a b.md", "1\nside\n", "notes/only.md", "x\n")
			g.Git("checkout", "-q", "main")
			at(3)
			g.Commit("main\n\nCheckpoint: chk-a\nCheckpoint-Op: delta", "notes/a b.md", "main\n1\n")
			at(4)
			g.Git("merge", "-q", "-m", "merge", "side")
			g.Commit("code only", "code.go", "package code // more\n")

			r := g.Open()
			all, err := log.Of(r).Recent(context.Background(), "notes", -1)
			gittest.Must(t, err)
			blob := func(rev string) string { return g.Git("rev-parse", rev+":notes/a b.md") }
			want := []string{
				"merge [test@example.com] a b.md " + blob("main^{/main}") + "+" + blob("side") + ">" + blob("main"),
				"main [test@example.com] a b.md " + blob("side~") + ">" + blob("main^{/main}"),
				"side [test@example.com] a b.md " + blob("side~") + ">" + blob("side") + " only.md >" + g.Git("rev-parse", "side:notes/only.md"),
				"one [test@example.com] a b.md >" + blob("side~"),
			}
			var got []string
			for _, c := range all {
				text := c.Subject + " [" + c.Email + "]"
				for _, f := range c.Files {
					text += " " + f.Path + " " + strings.Join(append([]string{f.Before}, f.Also...), "+") + ">" + f.After
				}
				got = append(got, text)
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if op := all[1].Trailers["Checkpoint-Op"]; len(op) != 1 || op[0] != "delta" {
				t.Errorf("trailers: %v", all[1].Trailers)
			}
		})
	}
}

// TestBlobs reads few and many blobs in order, also empty and binary ones. A missing one is nil.
func TestBlobs(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			g := gittest.New(t, "--object-format="+format)
			contents := []string{"", "\n", "a\x00b", "no line break", strings.Repeat("long\n", 50_000), "six", "seven"}
			var names []string
			for i, content := range contents {
				g.Write(fmt.Sprint(i), content)
				names = append(names, g.Git("hash-object", "-w", fmt.Sprint(i)))
			}
			names = append(names, strings.Repeat("1", len(names[0])))
			r := g.Open()
			for _, some := range [][]string{names, names[:2], names[len(names)-1:], nil} {
				var got []string
				gittest.Must(t, r.Objects().Blobs(context.Background(), some, func(name string, src []byte) {
					got = append(got, name)
					if at := len(got) - 1; src == nil != (some[at] == names[len(contents)]) || at < len(contents) && len(some) > 1 && string(src) != contents[at] {
						t.Errorf("%d of %d: %d bytes", at, len(some), len(src))
					}
				}))
				if strings.Join(got, " ") != strings.Join(some, " ") {
					t.Errorf("%s came, not %s", got, some)
				}
			}
		})
	}
}

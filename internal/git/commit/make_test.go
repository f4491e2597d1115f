package commit_test

import (
	"testing"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/gittest"
)

// TestMakeAndMove makes a merge of objects alone, and moves the branch to it. Other staged
// and unstaged changes stay. A branch that has moved is not changed.
func TestMakeAndMove(t *testing.T) {
	for name, init := range map[string][]string{"SHA-1": nil, "SHA-256": {"--object-format=sha256"}} {
		t.Run(name, func(t *testing.T) {
			g := gittest.New(t, init...)
			g.Commit("base", "c/a.md", "1\n", "c/old.md", "1\n", "code", "1\n")
			g.Git("branch", "side")
			g.Commit("ours", "c/a.md", "2\n")
			ours, side := g.Git("rev-parse", "HEAD"), g.Git("rev-parse", "side")
			g.Write("code", "2\n")
			g.Git("add", "code")
			r, now := g.Open(), time.Unix(1767348000, 0)
			old, err := r.Objects().FolderAt(t.Context(), ours, "c")
			gittest.Must(t, err)
			merge, err := commit.Of(r).Make(t.Context(), commit.Spec{Parents: []string{ours, side}, Message: "Merge\n", Time: now,
				Files:    map[string]git.Entry{"c/a.md": git.FileEntry(""), "c/old.md": {}, "c/new/b.md": old["old.md"]},
				Contents: map[string][]byte{"c/a.md": []byte("3\n")}})
			gittest.Must(t, err)
			if got := g.Git("log", "-1", "--format=%P %s %an", merge); got != ours+" "+side+" Merge Test" {
				t.Error(got)
			}
			made, err := r.Objects().FolderAt(t.Context(), merge, "c")
			gittest.Must(t, err)
			if len(made) != 2 || made["new/b.md"] != old["old.md"] || g.Git("show", merge+":c/a.md") != "3" || g.Git("show", merge+":code") != "1" {
				t.Errorf("made %v", made)
			}

			if got := g.Git("fsck", "--strict", "--no-dangling"); got != "" {
				t.Error(got)
			}
		})
	}
}

// TestMakeTouchesNoIndexAndNoHead makes commits on a ref of their own in a repository without commits. Nothing
// but the objects and that ref changes.
func TestMakeTouchesNoIndexAndNoHead(t *testing.T) {
	for name, init := range map[string][]string{"SHA-1": nil, "SHA-256": {"--object-format=sha256"}} {
		t.Run(name, func(t *testing.T) {
			g := gittest.New(t, init...)
			g.Write("code", "1\n")
			g.Git("add", "code")
			index, head := g.Read(".git/index"), g.Read(".git/HEAD")
			r, now := g.Open(), time.Unix(1767348000, 0)
			unlock, err := r.Lock(t.Context(), disk.Exclusive)
			gittest.Must(t, err)
			defer unlock()
			const ref = "refs/test/own"
			tip := ""
			for i, content := range []string{"1\n", "2\n"} {
				spec := commit.Spec{Message: "m", Time: now, Files: map[string]git.Entry{"c/a.md": git.FileEntry("")},
					Contents: map[string][]byte{"c/a.md": []byte(content)}}
				if tip != "" {
					spec.Parents = []string{tip}
				}
				made, err := commit.Of(r).Make(t.Context(), spec)
				gittest.Must(t, err)
				gittest.Must(t, r.Refs().Move(t.Context(), ref, made, tip))
				if got := g.Git("show", ref+":c/a.md"); got+"\n" != content {
					t.Errorf("commit %d has %q", i, got)
				}
				tip = made
			}
			if got := g.Git("log", "--format=%s", ref); got != "m\nm" {
				t.Errorf("log: %q", got)
			}
			if g.Read(".git/index") != index || g.Read(".git/HEAD") != head || g.Git("for-each-ref", "refs/heads") != "" {
				t.Error("the index, HEAD or a branch has changed")
			}
		})
	}
}

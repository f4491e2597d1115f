package log_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/log"
)

// story makes commits m1, m2 on main, f1, f2 on feat, and a merge of both, as tags; each an hour
// after the one before, from 10:00 on. Only m1, f1 and the merge touch the folder notes.
func story(t *testing.T) *gittest.Repo {
	t.Helper()
	g := gittest.New(t)
	hour := 10
	commit := func(name string, files ...string) {
		t.Setenv("GIT_COMMITTER_DATE", fmt.Sprintf("2026-01-02T%02d:00:00Z", hour))
		g.Commit(name, files...)
		g.Git("tag", name)
		hour++
	}
	commit("m1", "notes/a.md", "one\ntwo\nthree\n", "code.go", "package code // needle\n")
	g.Git("switch", "-q", "-c", "feat")
	commit("f1", "notes/a.md", "one\ntwo\nTHREE\n", "notes/b.md", "b\n")
	commit("f2", "lib.go", "package lib // needles\n")
	g.Git("switch", "-q", "main")
	commit("m2", "code.go", "package code // a needle\n")
	g.Git("merge", "-q", "--no-ff", "--no-commit", "feat")
	commit("merge", "notes/a.md", "ONE\ntwo\nTHREE\n")
	return g
}

// subjects returns the subjects of commits.
func subjects(commits []log.Commit, err error) string {
	var all []string
	for _, c := range commits {
		all = append(all, c.Subject)
	}
	if err != nil {
		all = append(all, err.Error())
	}
	return strings.Join(all, " ")
}

func TestWhichCommits(t *testing.T) {
	g := story(t)
	hash := func(name string) string { return g.Git("rev-parse", name+"^{commit}") }
	l, ctx := log.Of(g.Open()), t.Context()
	for what, tt := range map[string]struct{ got, want string }{
		"whole history":    {subjects(l.Recent(ctx, "notes", -1)), "merge f1 m1"},
		"history of feat":  {subjects(l.Ancestors(ctx, hash("f2"), log.Files{Dir: "notes"})), "f1 m1"},
		"history since m2": {subjects(l.Ancestors(ctx, hash("merge"), log.Files{Dir: "notes"}, "--full-history", "^"+hash("m2"))), "merge f1"},
		"no such folder":   {subjects(l.Recent(ctx, "none", -1)), ""},
		"recent":           {subjects(l.Recent(ctx, "notes", 2)), "merge f1"},
		"versions of b.md": {subjects(l.Versions(ctx, "notes/b.md")), "f1\n merge"},
	} {
		if strings.TrimSpace(tt.got) != strings.TrimSpace(tt.want) {
			t.Errorf("%s: %q, want %q", what, tt.got, tt.want)
		}
	}
	unreached, err := l.Unreached(ctx, hash("m2"), []string{hash("f2"), hash("m1"), hash("f1"), strings.Repeat("1", 40)})
	if want := []string{hash("f2"), hash("f1")}; err != nil || !slices.Equal(unreached, want) {
		t.Errorf("unreached %q, %v, want %q", unreached, err, want)
	}
}

func TestWhen(t *testing.T) {
	g := story(t)
	hash := func(name string) string { return g.Git("rev-parse", name+"^{commit}") }
	l, ctx := log.Of(g.Open()), t.Context()
	at := func(hour int) time.Time { return time.Date(2026, 1, 2, hour, 0, 0, 0, time.UTC) }
	for _, tt := range []struct {
		since, head string
		ok          bool
		want        map[string]int // hours by path
	}{
		{"", "merge", true, map[string]int{"a.md": 14, "b.md": 11}},
		{"", "m2", true, map[string]int{"a.md": 10}},
		{"m2", "merge", true, map[string]int{"a.md": 14, "b.md": 11}},
		{"f1", "f2", true, map[string]int{}},
		{"f1", "m2", false, nil}, // not an ancestor
	} {
		since := tt.since
		if since != "" {
			since = hash(since)
		}
		got, ok, err := l.Touched(ctx, "notes", since, hash(tt.head))
		if err != nil || ok != tt.ok || len(got.At) != len(tt.want) {
			t.Errorf("from %q to %s: %v, %v, %v", tt.since, tt.head, got, ok, err)
		}
		for path, hour := range tt.want {
			if !got.At[path].Equal(at(hour)) {
				t.Errorf("from %q to %s: %s at %v, want %d:00", tt.since, tt.head, path, got.At[path], hour)
			}
		}
	}
	if got, err := l.LastTouched(ctx, hash("merge"), "notes"); err != nil || !got["b.md"].Equal(at(11)) {
		t.Errorf("b.md was last touched at %v, %v", got["b.md"], err)
	}
	g.Git("mv", "code.go", "main.go")
	g.Commit("rename")
	if got := l.FirstCommit(ctx, "main.go", false); !got.Equal(at(10)) {
		t.Errorf("main.go was first committed at %v", got)
	}
	if got := l.FirstCommit(ctx, "none", true); !got.IsZero() {
		t.Errorf("none was first committed at %v", got)
	}
}

// TestConflicts reads the sides of a conflict while git is in the middle of each operation.
func TestConflicts(t *testing.T) {
	for _, tt := range []struct {
		name, base, ours, theirs string // the commits
		begin                    []string
	}{
		{"merge", "m1", "ours", "theirs", []string{"merge", "theirs"}},
		{"cherry-pick", "m1", "ours", "theirs", []string{"cherry-pick", "theirs"}},
		{"rebase", "m1", "theirs", "ours", []string{"rebase", "theirs"}},
		{"revert", "theirs", "ours", "m1", []string{"revert", "--no-edit", "theirs"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := gittest.New(t)
			g.Commit("m1", "notes/a.md", "1\n", "notes/b.md", "1\n")
			g.Git("tag", "m1")
			g.Git("switch", "-q", "-c", "side")
			g.Commit("theirs", "notes/a.md", "2\n", "notes/c.md", "2\n")
			g.Git("tag", "theirs")
			g.Git("switch", "-q", "main")
			g.Commit("ours", "notes/a.md", "3\n")
			g.Git("tag", "ours")
			l, ctx := log.Of(g.Open()), t.Context()
			if _, ok, err := l.Merging(ctx); ok || err != nil {
				t.Errorf("before: %v, %v", ok, err)
			}
			_, _ = g.TryGit(tt.begin...) // it stops at the conflict
			hash := func(name string) string { return g.Git("rev-parse", name+"^{commit}") }
			m, ok, err := l.Merging(ctx)
			if want := (log.Merge{Base: hash(tt.base), Ours: hash(tt.ours), Theirs: hash(tt.theirs)}); err != nil || !ok || m != want {
				t.Errorf("merging %+v, %v, %v, want %+v", m, ok, err, want)
			}
			v, err := l.Unmerged(ctx, "notes")
			if found := v.Paths(); err != nil || len(found) != 1 || !found["a.md"] {
				t.Errorf("conflicts %v, %v", found, err)
			}
			for i, rev := range []string{tt.base, tt.ours, tt.theirs} {
				if got, want := string(v.All()[i]["a.md"]), g.Git("show", rev+":notes/a.md")+"\n"; err != nil || got != want {
					t.Errorf("side %d is %q, %v, want %q", i, got, err, want)
				}
			}
			if v, err := l.Unmerged(ctx, "other"); err != nil || len(v.Paths()) > 0 {
				t.Errorf("in another folder: %v, %v", v, err)
			}
		})
	}
}

// TestMerges finds merges in history, and what their sides have.
func TestMerges(t *testing.T) {
	g := story(t)
	g.Commit("later", "code.go", "package code\n")
	hash := func(name string) string { return g.Git("rev-parse", name+"^{commit}") }
	r, ctx := g.Open(), t.Context()
	want := log.Merge{Base: hash("m1"), Ours: hash("m2"), Theirs: hash("f2")}
	v, err := want.Differing(ctx, r, "notes")
	if err != nil || len(v.Paths()) != 2 || string(v.Theirs["b.md"]) != "b\n" || v.Ours["b.md"] != nil {
		t.Errorf("differing: %v, %v", v, err)
	}
}

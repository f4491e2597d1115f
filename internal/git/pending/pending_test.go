package pending_test

import (
	"testing"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/pending"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// Operations are added one on top of the other, and removed from the newest one on, wherever
// git keeps refs.
func TestOperations(t *testing.T) {
	for name, init := range map[string][]string{"SHA-1": nil, "SHA-256": {"--object-format=sha256"}} {
		t.Run(name, func(t *testing.T) {
			g := gittest.New(t, init...)
			g.Commit("base", "c/a.md", "one\n")
			repo := g.Open()
			unlock, err := repo.Lock(t.Context(), disk.Exclusive)
			gittest.Must(t, err)
			defer unlock()
			ref := pending.Of(repo)
			none, err := ref.Load(t.Context())
			gittest.Must(t, err)
			if none != nil {
				t.Fatalf("pending: %+v", none)
			}

			edited := pending.File{Path: "c/a.md", Base: []byte("one\n"), Seen: []byte("one\n"), Now: []byte("two\n")}
			gittest.Must(t, ref.Append(t.Context(), nil, "", []pending.File{edited}, "edit", noon))
			first, err := ref.Load(t.Context())
			gittest.Must(t, err)
			byHand := pending.File{Path: "c/new.md", Seen: []byte("by hand\n"), Now: []byte{}}
			removed := pending.File{Path: "c/b.md", Base: []byte("b\n"), Seen: []byte("b\n")}
			all := []pending.File{edited, removed, byHand}
			gittest.Must(t, ref.Append(t.Context(), first, "", all, "add and remove", noon))

			both, err := ref.Load(t.Context())
			gittest.Must(t, err)
			if len(both.Files) != len(all) {
				t.Fatalf("%d files are pending: %+v", len(both.Files), both.Files)
			}
			for i, want := range all {
				got := both.Files[i]
				same := got.Path == want.Path && equal(got.Base, want.Base) && equal(got.Seen, want.Seen) && equal(got.Now, want.Now)
				if !same {
					t.Errorf("%+v is pending, want %+v", got, want)
				}
			}
			commits, err := ref.Commits(t.Context(), both)
			gittest.Must(t, err)
			if len(commits) != 2 || commits[0].Subject != "add and remove" || commits[1].Subject != "edit" {
				t.Errorf("commits: %+v", commits)
			}

			before, err := ref.Before(t.Context(), commits[0])
			gittest.Must(t, err)
			gittest.Must(t, ref.Drop(t.Context(), both, before))
			if err := ref.Drop(t.Context(), both, before); err == nil {
				t.Error("the ref has moved, and was moved again")
			}
			left, err := ref.Load(t.Context())
			gittest.Must(t, err)
			if len(left.Files) != 1 || left.Files[0].Path != "c/a.md" {
				t.Errorf("left: %+v", left.Files)
			}
			gittest.Must(t, ref.Delete(t.Context(), left))
			if none, err := ref.Load(t.Context()); none != nil || err != nil {
				t.Errorf("pending: %+v, %v", none, err)
			}
			if refs := g.Git("for-each-ref", "refs/ckpt"); refs != "" {
				t.Errorf("refs: %s", refs)
			}
		})
	}
}

// A ref whose worktree has no mark is an orphan, and can be adopted.
func TestOrphans(t *testing.T) {
	g := gittest.New(t)
	g.Commit("base", "c/a.md", "one\n")
	commit := g.Git("commit-tree", "-m", "edit\n\n"+pending.BranchTrailer+": refs/heads/main", g.Git("mktree"))
	g.Git("update-ref", "refs/ckpt/pending/gone", commit)
	repo := g.Open()
	unlock, err := repo.Lock(t.Context(), disk.Exclusive)
	gittest.Must(t, err)
	defer unlock()
	ref := pending.Of(repo)

	orphans, err := ref.Orphans(t.Context())
	gittest.Must(t, err)
	if len(orphans) != 1 || orphans[0].Ref != "refs/ckpt/pending/gone" || orphans[0].Branch != "refs/heads/main" {
		t.Fatalf("orphans: %+v", orphans)
	}
	gittest.Must(t, ref.Adopt(t.Context(), orphans[0]))
	if refs := g.Git("for-each-ref", "--format=%(refname)", "refs/ckpt"); refs != "refs/ckpt/pending/main" {
		t.Errorf("refs: %s", refs)
	}
	if orphans, err := ref.Orphans(t.Context()); len(orphans) > 0 || err != nil {
		t.Errorf("orphans: %+v, %v", orphans, err)
	}
}

// equal compares contents; no file differs from an empty one.
func equal(a, b []byte) bool { return (a == nil) == (b == nil) && string(a) == string(b) }

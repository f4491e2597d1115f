package modified

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

const (
	alpha = "active/chk-alpha.md"
	old   = "archive/chk-old.md"
)

var (
	written   = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) // in the files
	committed = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) // see [envtest.Env]
	now       = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

func chk(id string) string {
	return "---\ncheckpoint: " + id + "\ncreated: 2026-01-01\n---\n\n## Problem\n\nP.\n"
}

func open(r *gittest.Repo) *folder.Folder {
	repo, at := r.Open(), &store.Store{Dir: filepath.Join(r.Dir, "checkpoints")}
	return &folder.Folder{Repo: repo, Store: at, Prefix: "checkpoints", FilesDir: "checkpoints", Commits: repo}
}

// commitAt commits everything at a time.
func commitAt(t *testing.T, r *gittest.Repo, at time.Time, files ...string) {
	t.Helper()
	t.Setenv("GIT_COMMITTER_DATE", at.Format(time.RFC3339))
	r.Commit("At a time", files...)
}

// TestOf finds when a checkpoint was last changed: the newest of what is known.
func TestOf(t *testing.T) {
	edit := func(r *gittest.Repo, text string, at time.Time) {
		r.Write("checkpoints/"+alpha, text)
		gittest.Must(r.T, os.Chtimes(filepath.Join(r.Dir, "checkpoints", alpha), at, at))
	}
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, r *gittest.Repo)
		files  store.Overlay
		want   time.Time
	}{
		{name: "committed", want: committed},
		{name: "touched, not edited", want: committed, change: func(_ *testing.T, r *gittest.Repo) {
			edit(r, chk("chk-alpha"), now.Add(-time.Hour))
		}},
		{name: "edited", want: now.Add(-time.Hour), change: func(_ *testing.T, r *gittest.Repo) {
			edit(r, chk("chk-alpha")+"More.\n", now.Add(-time.Hour))
		}},
		{name: "edited in the future", want: now, change: func(_ *testing.T, r *gittest.Repo) {
			edit(r, chk("chk-alpha")+"More.\n", now.Add(time.Hour))
		}},
		{name: "line endings by git's own rules", want: committed, change: func(_ *testing.T, r *gittest.Repo) {
			r.Git("config", "core.autocrlf", "input")
			edit(r, "---\r\ncheckpoint: chk-alpha\r\ncreated: 2026-01-01\r\n---\r\n\r\n## Problem\r\n\r\nP.\r\n", now)
		}},
		{name: "committed again", want: now.Add(-time.Hour), change: func(t *testing.T, r *gittest.Repo) {
			commitAt(t, r, now.Add(-time.Hour), "checkpoints/"+alpha, chk("chk-alpha")+"More.\n")
		}},
		{name: "another file committed", want: committed, change: func(t *testing.T, r *gittest.Repo) {
			commitAt(t, r, now.Add(-time.Hour), "main.go", "package main\n")
		}},
		{name: "read in place of the file on disk", want: committed,
			files: store.Overlay{alpha: []byte(chk("chk-alpha") + "Pending.\n")}, change: func(_ *testing.T, r *gittest.Repo) {
				edit(r, chk("chk-alpha")+"More.\n", now)
			}},
		{name: "in no commit", want: written, change: func(t *testing.T, r *gittest.Repo) {
			r.Git("checkout", "-q", "--orphan", "other")
			edit(r, chk("chk-alpha"), time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := gittest.New(t)
			r.Commit("Begin", "checkpoints/"+alpha, chk("chk-alpha"), "checkpoints/"+old, chk("chk-old"))
			if tt.change != nil {
				tt.change(t, r)
			}
			at := open(r).With(tt.files, nil)
			for _, scope := range []store.Scope{store.Live, store.All, store.Live} { // the second and third use the cache
				times, err := Load(t.Context(), at, func() time.Time { return now }, scope)
				gittest.Must(t, err)
				set, err := at.Store.Load(scope)
				gittest.Must(t, err)
				c, ok := set.Get("chk-alpha")
				if !ok {
					t.Fatal("no checkpoint")
				}
				if got := times.Of(c); !got.Equal(tt.want) {
					t.Errorf("scope %d: %v, want %v", scope, got, tt.want)
				}
			}
		})
	}
}

// TestCache walks only the new part of history, and all of it after history was rewritten.
func TestCache(t *testing.T) {
	r := gittest.New(t)
	r.Commit("Begin", "checkpoints/"+alpha, chk("chk-alpha"), "checkpoints/"+old, chk("chk-old"))
	at := open(r)
	of := func(id string) time.Time {
		t.Helper()
		times, err := LoadToShow(t.Context(), at, func() time.Time { return now }, store.All)
		gittest.Must(t, err)
		set, err := at.Store.Load(store.All)
		gittest.Must(t, err)
		c, _ := set.Get(id)
		return times.Of(c)
	}
	later := committed.Add(time.Hour)
	if got := of("chk-old"); !got.Equal(committed) {
		t.Errorf("at first: %v", got)
	}
	commitAt(t, r, later, "checkpoints/"+alpha, chk("chk-alpha")+"More.\n")
	if a, o := of("chk-alpha"), of("chk-old"); !a.Equal(later) || !o.Equal(committed) {
		t.Errorf("after a commit: %v, %v", a, o)
	}
	r.Git("reset", "-q", "--hard", "HEAD~1")
	if got := of("chk-alpha"); !got.Equal(committed) {
		t.Errorf("after a reset: %v", got)
	}
	gittest.Must(t, disk.WriteFile(filepath.Join(at.Repo.StateDir(), "touched"), []byte("nonsense\n\x00"), false))
	if a, o := of("chk-alpha"), of("chk-old"); !a.Equal(committed) || !o.Equal(committed) {
		t.Errorf("with a broken cache: %v, %v", a, o)
	}
	other := *at
	other.Prefix = "elsewhere"
	if _, err := Load(t.Context(), &other, func() time.Time { return now }, store.All); err != nil {
		t.Error(err)
	}
	if got := of("chk-alpha"); !got.Equal(committed) {
		t.Errorf("after another folder's: %v", got)
	}
}

// TestBranch finds the branches of checkpoints on a ref of their own, from history and from the
// cache.
func TestBranch(t *testing.T) {
	r := gittest.New(t)
	commit := func(id, branch string, files ...string) {
		r.Commit("ckpt: new "+id+"\n\nCheckpoint: "+id+"\nCheckpoint-Op: new\nCheckpoint-Branch: "+branch, files...)
	}
	commit("chk-alpha", "main", "checkpoints/"+alpha, chk("chk-alpha"))
	at := open(r)
	at.Commits = at.Repo.At("refs/heads/main", "") // stands for the checkpoint ref
	check := func(here string, want map[string]string) {
		t.Helper()
		for _, how := range []string{"from history", "from the cache"} {
			for _, scope := range []store.Scope{store.Live, store.All} {
				times, err := LoadToShow(t.Context(), at, func() time.Time { return now }, scope)
				gittest.Must(t, err)
				for id, branch := range want {
					if got := times.Branch(id, here); got != branch {
						t.Errorf("%s: %s belongs to %q on %q, want %q", how, id, got, here, branch)
					}
				}
			}
		}
	}
	check("main", map[string]string{"chk-alpha": "main", "chk-none": ""})

	// The oldest commit counts, also if later ones are read alone.
	commit("chk-alpha", "feat", "checkpoints/"+alpha, chk("chk-alpha")+"More.\n")
	commit("chk-old", "archive/feat", "checkpoints/"+old, chk("chk-old"))
	check("main", map[string]string{"chk-alpha": "main", "chk-old": "archive/feat"})

	// The branch on which a checkpoint is current counts more; if there are several, the given one.
	commit("chk-alpha", "feat", "checkpoints/.current/feat%2Fa", "chk-alpha\n", "checkpoints/.current/web", "chk-alpha\n")
	check("main", map[string]string{"chk-alpha": "feat/a", "chk-old": "archive/feat"})
	check("web", map[string]string{"chk-alpha": "web"})
	check("", map[string]string{"chk-alpha": "feat/a"})
	commit("chk-old", "web", "checkpoints/.current/web", "chk-old\n")
	check("web", map[string]string{"chk-alpha": "feat/a", "chk-old": "web"})
}

package current

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

func chk(id, day, status string) string {
	return "---\ncheckpoint: " + id + "\ncreated: 2026-02-" + day + "\nstatus: " + status + "\n---\n\n## Problem\n\nP.\n"
}

func open(r *gittest.Repo) *Memory {
	at := &store.Store{Dir: filepath.Join(r.Dir, "checkpoints")}
	return &Memory{Folder: folder.New(r.Open(), at, "checkpoints")}
}

func commit(r *gittest.Repo, files ...string) {
	r.T.Helper()
	for i := 0; i < len(files); i += 2 {
		files[i] = "checkpoints/active/" + files[i] + ".md"
	}
	r.Commit("Checkpoints", files...)
}

// TestChoose chooses among several checkpoints that are marked as current.
func TestChoose(t *testing.T) {
	for _, tt := range []struct {
		name  string
		begin func(*gittest.Repo)
		want  string
		why   string
	}{
		{
			name: "in no commit: the last changed", want: "chk-b", why: "worked on last",
			begin: func(r *gittest.Repo) {
				r.Write("checkpoints/active/chk-a.md", chk("chk-a", "01", "current"))
				r.Write("checkpoints/active/chk-b.md", chk("chk-b", "02", "current"))
			},
		},
		{
			name: "both in the first commit: the last changed", want: "chk-b", why: "worked on last",
			begin: func(r *gittest.Repo) {
				commit(r, "chk-a", chk("chk-a", "01", "current"), "chk-b", chk("chk-b", "02", "current"))
			},
		},
		{
			name: "the one of this branch before a merge", want: "chk-a", why: "of our side",
			begin: func(r *gittest.Repo) {
				r.Commit("Begin")
				r.Git("switch", "-q", "-c", "other")
				commit(r, "chk-b", chk("chk-b", "02", "current"))
				r.Git("switch", "-q", "main")
				commit(r, "chk-a", chk("chk-a", "01", "current"))
				r.Git("merge", "-q", "--no-edit", "other")
			},
		},
		{
			name: "the one before another was marked by hand", want: "chk-a", why: "of our side",
			begin: func(r *gittest.Repo) {
				commit(r, "chk-a", chk("chk-a", "01", "current"), "chk-b", chk("chk-b", "02", "active"))
				r.Write("checkpoints/active/chk-b.md", chk("chk-b", "02", "current"))
			},
		},
		{
			name: "the remembered one", want: "chk-b", why: "of our side",
			begin: func(r *gittest.Repo) {
				commit(r, "chk-a", chk("chk-a", "01", "current"))
				commit(r, "chk-b", chk("chk-b", "01", "current"))
				remember(r, "chk-b")
			},
		},
		{
			name: "a remembered one that is not marked any more", want: "chk-a", why: "of our side",
			begin: func(r *gittest.Repo) {
				commit(r, "chk-a", chk("chk-a", "01", "current"))
				commit(r, "chk-b", chk("chk-b", "01", "current"))
				remember(r, "chk-c")
			},
		},
		{
			name: "one that another branch remembers", want: "chk-a", why: "of our side",
			begin: func(r *gittest.Repo) {
				commit(r, "chk-a", chk("chk-a", "01", "current"))
				commit(r, "chk-b", chk("chk-b", "01", "current"))
				r.Git("switch", "-q", "-c", "other")
				remember(r, "chk-b")
				r.Git("switch", "-q", "main")
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := gittest.New(t)
			tt.begin(r)
			m := open(r)
			set, err := m.Store.Load(store.Live)
			gittest.Must(t, err)
			marked := set.MarkedCurrent()
			if len(marked) != 2 {
				t.Fatalf("%d are marked", len(marked))
			}
			c, why := m.Choose(t.Context(), marked)
			if c.ID != tt.want || why != tt.why {
				t.Errorf("it is %s, %s; want %s, %s", c.ID, why, tt.want, tt.why)
			}
		})
	}
}

// remember notes the current checkpoint of the branch that is checked out.
func remember(r *gittest.Repo, id string) {
	r.T.Helper()
	m := open(r)
	on, err := m.Repo.Checkout()
	gittest.Must(r.T, err)
	m.Remember(on, id)
}

// TestRemember remembers one checkpoint a branch, of the newest branches.
func TestRemember(t *testing.T) {
	r := gittest.New(t)
	r.Commit("Begin")
	m := open(r)
	if id := m.remembered(); id != "" {
		t.Errorf("at first: %q", id)
	}
	remember(r, "chk-a")
	remember(r, "chk-b")
	if id := m.remembered(); id != "chk-b" {
		t.Errorf("on main: %q", id)
	}
	r.Git("switch", "-q", "--detach")
	if id := m.remembered(); id != "" {
		t.Errorf("detached: %q", id)
	}
	remember(r, "chk-c")
	for i := range maxRemembered + 3 {
		r.Git("symbolic-ref", "HEAD", "refs/heads/b"+strings.Repeat("x", i))
		remember(r, "chk-d")
	}
	for branch, want := range map[string]string{"main": "", "b": "", "bxxxx": "chk-d"} {
		r.Git("symbolic-ref", "HEAD", "refs/heads/"+branch)
		if id := m.remembered(); id != want {
			t.Errorf("on %s: %q, want %q", branch, id, want)
		}
	}
}

// TestPrevious remembers which checkpoint was current before, and until when.
func TestPrevious(t *testing.T) {
	r := gittest.New(t)
	m := open(r)
	if m.Previous() != "" || !m.Moved().IsZero() {
		t.Errorf("at first: %q, %v", m.Previous(), m.Moved())
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	m.RememberPrevious("chk-a", at)
	if m.Previous() != "chk-a" || !m.Moved().Equal(at) {
		t.Errorf("%q, %v (%s)", m.Previous(), m.Moved(), checkpoint.FormatTime(at))
	}
}

package remote_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/remote"
)

// newClone makes a bare repository with one commit on main, and a clone of it.
func newClone(t *testing.T) (clone, bare *gittest.Repo) {
	t.Helper()
	bare = gittest.New(t, "--bare")
	clone = bare.At(filepath.Join(t.TempDir(), "clone"))
	bare.At(t.TempDir()).Git("clone", "-q", bare.Dir, clone.Dir)
	clone.Commit("base", "c/a.md", "1\n", "code", "1\n")
	clone.Git("push", "-q", "-u", "origin", "HEAD:main")
	return clone, bare
}

func TestUpstream(t *testing.T) {
	tests := []struct {
		name    string
		arrange func(g *gittest.Repo)
		want    remote.Upstream
		kind    fault.Kind // of the error
		says    string
		hint    string
	}{
		{
			name:    "as configured",
			arrange: func(g *gittest.Repo) {},
			want:    remote.Upstream{Branch: "main", Remote: "origin", Ref: "refs/heads/main", Tracking: "refs/remotes/origin/main"},
		},
		{
			name:    "the branch of the same name",
			arrange: func(g *gittest.Repo) { g.Git("switch", "-q", "-c", "feat") },
			want: remote.Upstream{Branch: "feat", Remote: "origin", Ref: "refs/heads/feat",
				Tracking: "refs/remotes/origin/feat", Assumed: true},
		},
		{
			name: "the only remote",
			arrange: func(g *gittest.Repo) {
				g.Git("switch", "-q", "-c", "feat")
				g.Git("remote", "rename", "origin", "hub")
			},
			want: remote.Upstream{Branch: "feat", Remote: "hub", Ref: "refs/heads/feat", Tracking: "refs/remotes/hub/feat",
				Assumed: true},
		},
		{
			name: "several remotes, none of them origin",
			arrange: func(g *gittest.Repo) {
				g.Git("switch", "-q", "-c", "feat")
				g.Git("remote", "rename", "origin", "hub")
				g.Git("remote", "add", "other", "nowhere")
			},
			kind: fault.NotFound, says: "follows no branch", hint: "git push -u hub feat",
		},
		{
			name: "no remote",
			arrange: func(g *gittest.Repo) {
				g.Git("switch", "-q", "-c", "feat")
				g.Git("remote", "remove", "origin")
			},
			kind: fault.NotFound, says: "no remote", hint: "git remote add origin URL",
		},
		{
			name:    "a detached HEAD",
			arrange: func(g *gittest.Repo) { g.Git("switch", "-q", "--detach") },
			kind:    fault.Unsupported, says: "detached", hint: "git switch BRANCH",
		},
		{
			name:    "a branch without a commit",
			arrange: func(g *gittest.Repo) { g.Git("switch", "-q", "--orphan", "new") },
			kind:    fault.Unsupported, says: `"new" has no commit`, hint: "ckpt init",
		},
		{
			name:    "a branch of this repository",
			arrange: func(g *gittest.Repo) { g.Git("switch", "-q", "-c", "feat", "--track", "main") },
			kind:    fault.Unsupported, says: "not a branch of a remote", hint: "git push -u origin feat",
		},
		{
			name:    "a branch of another name",
			arrange: func(g *gittest.Repo) { g.Git("switch", "-q", "-c", "feat", "--track", "origin/main") },
			kind:    fault.Unsupported, says: "a branch of another name", hint: "git push -u origin feat",
		},
		{
			name: "pushed to another remote",
			arrange: func(g *gittest.Repo) {
				g.Git("remote", "add", "fork", "nowhere")
				g.Git("config", "remote.pushDefault", "fork")
			},
			kind: fault.Unsupported, says: "is pushed to fork", hint: "git pull, git push",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, _ := newClone(t)
			tt.arrange(g)
			got, err := remote.Of(g.Open()).Upstream(t.Context())
			if tt.says == "" && (err != nil || got != tt.want) {
				t.Errorf("got %+v, %v, want %+v", got, err, tt.want)
			}
			if tt.says == "" {
				return
			}
			if fault.KindOf(err) != tt.kind || !strings.Contains(err.Error(), tt.says) || fault.HintOf(err) != tt.hint {
				t.Errorf("error %v (%v), hint %q", err, fault.KindOf(err), fault.HintOf(err))
			}
		})
	}
}

// TestPush tells who refused a push, and pushes nothing else.
func TestPush(t *testing.T) {
	tests := []struct {
		name    string
		arrange func(g, bare *gittest.Repo)
		want    error
	}{
		{name: "accepted", arrange: func(g, bare *gittest.Repo) {}},
		{
			name: "another clone was faster",
			arrange: func(g, bare *gittest.Repo) {
				other := g.At(g.Dir + "-other")
				g.Git("clone", "-q", bare.Dir, other.Dir)
				other.Commit("theirs", "code", "3\n")
				other.Git("push", "-q")
			},
			want: remote.ErrRejected,
		},
		{
			name: "a hook of the remote refuses",
			arrange: func(g, bare *gittest.Repo) {
				bare.Script("hooks/pre-receive", "#!/bin/sh\necho 'not on Fridays' >&2\nexit 1\n")
			},
			want: remote.ErrDeclined,
		},
		{
			name: "the branch is protected",
			arrange: func(g, bare *gittest.Repo) {
				bare.Script("hooks/update", "#!/bin/sh\necho 'GH006: Protected branch update failed' >&2\nexit 1\n")
			},
			want: remote.ErrProtected,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, bare := newClone(t)
			g.Git("tag", "private")
			g.Commit("ours", "c/a.md", "2\n")
			tt.arrange(g, bare)
			n, ours := remote.Of(g.Open()), g.Git("rev-parse", "HEAD")
			u, err := n.Upstream(t.Context())
			gittest.Must(t, err)
			before := bare.Git("for-each-ref")
			if err := n.Push(t.Context(), u, ours, nil); !errors.Is(err, tt.want) {
				t.Fatalf("error %v, want %v", err, tt.want)
			}
			if now := bare.Git("for-each-ref"); tt.want != nil && now != before {
				t.Errorf("the remote has\n%s\nand had\n%s", now, before)
			}
			if tt.want == nil && (bare.Git("rev-parse", "main") != ours || bare.Git("tag") != "") {
				t.Errorf("the remote has\n%s", bare.Git("for-each-ref"))
			}
		})
	}
}

// TestFetched compares with what was fetched last.
func TestFetched(t *testing.T) {
	g, bare := newClone(t)
	base := g.Git("rev-parse", "HEAD")
	other := g.At(g.Dir + "-other")
	g.Git("clone", "-q", bare.Dir, other.Dir)
	other.Commit("theirs", "c/a.md", "2\n")
	other.Commit("code", "code", "2\n")
	other.Git("push", "-q")
	theirs := other.Git("rev-parse", "HEAD")
	g.Commit("ours", "c/b.md", "1\n")
	ours := g.Git("rev-parse", "HEAD")

	n := remote.Of(g.Open())
	u, err := n.Upstream(t.Context())
	gittest.Must(t, err)
	tip, err := n.Tip(t.Context(), u)
	if err != nil || tip != base {
		t.Errorf("before: tip %s, %v, want %s", tip, err, base)
	}
	gittest.Must(t, n.Fetch(t.Context(), u, nil))
	tip, err = n.Tip(t.Context(), u)
	if err != nil || tip != theirs {
		t.Errorf("after: tip %s, %v, want %s", tip, err, theirs)
	}
	if count, err := n.CountTouching(t.Context(), "c", theirs, ours, ""); err != nil || count != 1 {
		t.Errorf("%d commits of theirs touch c, %v", count, err)
	}
	if own, err := n.Unpublished(t.Context(), u); err != nil || strings.Join(own, " ") != ours {
		t.Errorf("not pushed: %q, %v", own, err)
	}
	for commit, want := range map[string]bool{base: true, ours: true, theirs: false} {
		if has, err := n.Contains(t.Context(), ours, commit); err != nil || has != want {
			t.Errorf("HEAD contains %s: %v, %v, want %v", commit, has, err, want)
		}
	}
	for range 2 { // asked of the remote, and of this clone
		if ref, err := n.DefaultBranch(t.Context(), u); err != nil || ref != "refs/heads/main" {
			t.Errorf("default branch %q, %v", ref, err)
		}
		g.Git("remote", "set-head", "origin", "main")
	}
	other.Git("push", "-q", "origin", "HEAD:refs/heads/feat")
	g.Write(".git/refs/remotes/origin/feat.lock", "")
	if err := n.Fetch(t.Context(), u, nil); !errors.Is(err, remote.ErrRejected) || fault.KindOf(err) != fault.Busy {
		t.Errorf("while another git fetches: %v", err)
	}
}

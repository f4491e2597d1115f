package remote_test

import (
	"errors"
	"path/filepath"
	"testing"

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
			u := remote.Upstream{Branch: "main", Remote: "origin", Ref: "refs/heads/main", Tracking: "refs/remotes/origin/main"}
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

package remote_test

import (
	"testing"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/remote"
)

// TestOfRef finds the remote of the checkpoint ref.
func TestOfRef(t *testing.T) {
	for _, tt := range []struct {
		name    string
		remotes []string
		config  string // git config ckpt.remote
		ref     string
		want    string // the name of the upstream
		at      string // its remote
		kind    fault.Kind
	}{
		{name: "the only one", remotes: []string{"hub"}, want: "hub/checkpoints", at: "hub"},
		{name: "origin", remotes: []string{"hub", "origin"}, want: "origin/checkpoints", at: "origin"},
		{name: "a branch", remotes: []string{"hub"}, ref: "refs/heads/ckpt", want: "hub/ckpt", at: "hub"},
		{name: "configured", remotes: []string{"hub", "origin"}, config: "hub", want: "hub/checkpoints", at: "hub"},
		{name: "a path", remotes: []string{"origin"}, config: "../hub.git", want: "../hub.git/checkpoints", at: "../hub.git"},
		{
			name: "a URL with a password", config: "https://ada:secret@host/a@b.git",
			want: "https://host/a@b.git/checkpoints", at: "https://ada:secret@host/a@b.git",
		},
		{name: "ssh", config: "ssh://git@host/a.git", want: "ssh://host/a.git/checkpoints", at: "ssh://git@host/a.git"},
		{name: "none", kind: fault.NotFound},
		{name: "none of several", remotes: []string{"a", "b"}, kind: fault.NotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := gittest.New(t)
			for _, name := range tt.remotes {
				r.Git("remote", "add", name, "../"+name+".git")
			}
			if tt.config != "" {
				r.Git("config", "ckpt.remote", tt.config)
			}
			if tt.ref == "" {
				tt.ref = "refs/ckpt/checkpoints"
			}
			u, err := remote.Of(r.Open()).OfRef(t.Context(), tt.ref)
			if tt.want == "" {
				if fault.KindOf(err) != tt.kind || err == nil {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil || u.Name() != tt.want || u.Remote != tt.at || u.Ref != tt.ref {
				t.Errorf("%+v, %q, error %v", u, u.Name(), err)
			}
		})
	}
}

// TestFetchRef fetches a ref that the remote does not have, has, and has no longer.
func TestFetchRef(t *testing.T) {
	hub := gittest.New(t)
	hub.Commit("First")
	first := hub.Git("rev-parse", "HEAD")
	r := gittest.New(t)
	r.Git("remote", "add", "origin", hub.Dir)
	n := remote.Of(r.Open())
	u, err := n.OfRef(t.Context(), "refs/ckpt/checkpoints")
	gittest.Must(t, err)
	for _, step := range []struct {
		do   []string
		want string
	}{
		{[]string{"status"}, ""},
		{[]string{"update-ref", "refs/ckpt/checkpoints", first}, first},
		{[]string{"update-ref", "-d", "refs/ckpt/checkpoints"}, ""},
	} {
		hub.Git(step.do...)
		gittest.Must(t, n.FetchRef(t.Context(), u, nil))
		if tip, err := n.Tip(t.Context(), u); tip != step.want || err != nil {
			t.Errorf("after %v: %q, %v", step.do, tip, err)
		}
	}
	if got := r.Git("for-each-ref"); got != "" {
		t.Errorf("other refs: %s", got)
	}
}

// TestPushes pushes without hooks, and remembers what the remote has.
func TestPushes(t *testing.T) {
	hub := gittest.New(t)
	r := gittest.New(t)
	r.Commit("First")
	first := r.Git("rev-parse", "HEAD")
	r.Script(".git/hooks/pre-push", "#!/bin/sh\nexit 1\n")
	r.Git("remote", "add", "origin", hub.Dir)
	r.Git("tag", "-a", "-m", "One", "v1")
	r.Git("config", "push.followTags", "true")
	n := remote.Of(r.Open())
	u, err := n.OfRef(t.Context(), "refs/ckpt/checkpoints")
	gittest.Must(t, err)
	gittest.Must(t, n.Push(t.Context(), u, first, nil))
	if tip, err := n.Tip(t.Context(), u); tip != first || err != nil {
		t.Errorf("%q, %v", tip, err)
	}
	if got := hub.Git("for-each-ref", "--format=%(refname)"); got != "refs/ckpt/checkpoints" {
		t.Errorf("the remote has %s", got)
	}
	if count, err := n.CountNew(t.Context(), first); count != 0 || err != nil {
		t.Errorf("%d commits but the root, %v", count, err)
	}
}

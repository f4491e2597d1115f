// Package remote finds the checkpoint ref of a remote, compares it with that of the clone, fetches and pushes it. Git
// does all network traffic, with the user's credentials, ssh and proxies. The package never pushes by force.
package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
)

// Remote fetches from and pushes to the remotes of a repository.
type Remote struct{ repo *git.Repo }

// Of returns the remote of a repository.
func Of(repo *git.Repo) Remote { return Remote{repo: repo} }

// Upstream is the checkpoint ref of a remote.
type Upstream struct {
	Branch, Remote string
	Ref            string // the name of the ref at the remote: refs/ckpt/checkpoints
	Tracking       string // the local ref that records the last fetch or push: refs/ckpt/remotes/origin/checkpoints
}

// Name returns the name of the upstream in the form that git uses for branches: origin/checkpoints.
func (u Upstream) Name() string { return u.place() + "/" + u.Branch }

// Tip returns the upstream's commit as of the last fetch; "" if the remote has no such ref.
func (n Remote) Tip(ctx context.Context, u Upstream) (string, error) {
	return n.repo.Refs().Read(ctx, u.Tracking)
}

// AheadBehind returns the newest common ancestor of two commits, "" for none, and the numbers of commits that only
// ours has (ahead) and only theirs has (behind).
func (n Remote) AheadBehind(ctx context.Context, ours, theirs string) (base string, ahead, behind int, err error) {
	if ours == theirs {
		return ours, 0, 0, nil
	}
	base, err = log.Of(n.repo).MergeBase(ctx, ours, theirs)
	if err != nil {
		return "", 0, 0, err
	}
	out, err := n.repo.Git(ctx, nil, "rev-list", "--count", "--left-right", ours+"..."+theirs)
	if err == nil {
		_, err = fmt.Sscan(string(out), &ahead, &behind)
	}
	return base, ahead, behind, err
}

// ErrRejected means that another user has moved the ref of the remote, or that another git program
// has a lock: fetch and push again.
var ErrRejected = errors.New("another clone changed it at the same time")

// ErrDeclined means that a hook of the remote refused a push, for a reason unknown to git. Another
// push may be accepted.
var ErrDeclined = errors.New("a hook of the remote refused the push")

// ErrProtected means that the remote does not let the user push to the ref.
var ErrProtected = errors.New("the branch is protected")

// Push sends a commit to the upstream's ref, and nothing else; never by force. No hook of the user runs: hooks are for
// commits of code. The error wraps ErrRejected, ErrDeclined or ErrProtected if that is the reason.
func (n Remote) Push(ctx context.Context, u Upstream, commit string, watch io.Writer) error {
	out, said, err := n.repo.Network(ctx, watch, "push", "--no-verify", "--no-follow-tags", "--recurse-submodules=no",
		"--porcelain", "--", u.Remote, commit+":"+u.Ref)
	if err == nil {
		return n.setTracking(ctx, u, commit)
	}
	refusal := "" // "[remote rejected] (pre-receive hook declined)"
	for line := range strings.Lines(string(out)) {
		if part := strings.Split(strings.TrimSpace(line), "\t"); part[0] == "!" && len(part) == 3 {
			refusal = part[2]
		}
	}
	words, reason := remoteWords(said), errors.New("the remote refused the push")
	switch {
	case refusal == "":
		return err
	case containsAny(refusal, outrunMessages):
		return fault.New(fault.Busy, "%s: %w", u.Name(), ErrRejected).WithHint("try again")
	case containsAny(refusal+"\n"+words, protectedMessages) && !strings.Contains(strings.ToLower(words), "secrets"):
		reason = ErrProtected
	case strings.Contains(refusal, "hook declined"):
		reason = ErrDeclined
	}
	ref := strings.TrimPrefix(u.Ref, "refs/heads/")
	return fault.New(fault.Refused, "%s of %s: %w: %s", ref, u.place(), reason, cmp.Or(words, refusal))
}

// lockMessages are parts of the messages that git prints if another program has a lock in this repository.
var lockMessages = []string{"cannot lock ref", ".lock': file exists", "unable to create"}

// outrunMessages are parts of the reasons that git gives for a refused push if another user has moved the ref.
var outrunMessages = []string{"[rejected]", "cannot lock ref", "failed to update ref", "incorrect old value provided",
	"reference already exists", "failed to lock", "unable to migrate objects"}

// protectedMessages are parts of the messages of hosts about a branch to which the user must not
// push: GitHub, GitLab, Gitea and Forgejo; Bitbucket Cloud and Server; Azure DevOps; Gerrit.
var protectedMessages = []string{
	"gh006", "gh013", "protected branch",
	"permission denied to update branch", "can only be modified through pull requests",
	"tf402455", "prohibited by gerrit",
}

func containsAny(text string, parts []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// remoteWords returns what the remote printed for the user, without git's own lines.
func remoteWords(said string) string {
	var lines []string
	for line := range strings.Lines(said) {
		if line, is := strings.CutPrefix(line, "remote:"); is {
			line = strings.TrimSpace(line)
			if line != "" {
				lines = append(lines, line)
			}
		}
	}
	return strings.Join(lines, "\n")
}

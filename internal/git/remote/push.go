package remote

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
)

// What goes over a network is git's own work: credentials, ssh, proxies and hooks are
// as the user has them.

// ErrRejected means that somebody else moved the branch of the remote, or holds one of the
// locks that git needs: fetch, and push again.
var ErrRejected = errors.New("somebody else changed it at the same time")

// ErrDeclined means that a hook of the remote refused a push, for a reason that git does
// not know. Another push may be accepted.
var ErrDeclined = errors.New("a hook of the remote refused the push")

// ErrProtected means that the remote takes no push to this branch from the user.
var ErrProtected = errors.New("the branch is protected")

// Fetch brings the remote's branches to where git keeps them. What git shows of its
// progress goes to watch, if that is not nil. ErrRejected means that another git program
// is fetching.
func (n Remote) Fetch(ctx context.Context, u Upstream, watch io.Writer) error {
	_, said, err := n.repo.Network(ctx, watch, "fetch", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance", "--", u.Remote)
	if err != nil && containsAny(said, lockMessages) {
		return fault.New(fault.Busy, "fetch from %s: %w", u.Remote, ErrRejected).WithHint("try again")
	}
	return err
}

// Push sends a commit to the upstream's branch, and nothing else; never by force. The
// error wraps ErrRejected, ErrDeclined or ErrProtected where the remote, or another
// program, refused it so.
func (n Remote) Push(ctx context.Context, u Upstream, commit string, watch io.Writer) error {
	out, said, err := n.repo.Network(ctx, watch, "push", "--porcelain", "--", u.Remote, commit+":"+u.Ref)
	if err == nil {
		return nil
	}
	refusal := "" // "[remote rejected] (pre-receive hook declined)"
	for line := range strings.Lines(string(out)) {
		if part := strings.Split(strings.TrimSpace(line), "\t"); part[0] == "!" && len(part) == 3 {
			refusal = part[2]
		}
	}
	words := remoteWords(said)
	switch {
	case refusal == "":
		return err
	case containsAny(refusal, outrunMessages):
		return fault.New(fault.Busy, "%s: %w", u.Name(), ErrRejected).WithHint("try again")
	case containsAny(refusal+"\n"+words, protectedMessages) && !strings.Contains(strings.ToLower(words), "secrets"):
		return fault.New(fault.Refused, "%s of %s: %w: %s", u.Short(), u.Remote, ErrProtected, cmp.Or(words, refusal))
	case strings.Contains(refusal, "hook declined"):
		return fault.New(fault.Refused, "%s of %s: %w: %s", u.Short(), u.Remote, ErrDeclined, cmp.Or(words, refusal))
	}
	return fault.New(fault.Refused, "%s of %s: the remote refused the push: %s", u.Short(), u.Remote, cmp.Or(words, refusal))
}

// lockMessages are parts of what git prints if another program has a lock here.
var lockMessages = []string{"cannot lock ref", ".lock': file exists", "unable to create"}

// outrunMessages are parts of the reason why a push is refused if the branch was moved, before
// the push or meanwhile.
var outrunMessages = []string{"[rejected]", "cannot lock ref", "failed to update ref", "incorrect old value provided", "reference already exists", "failed to lock", "unable to migrate objects"}

// protectedMessages are parts of what hosts print about a branch that takes no push: GitHub,
// GitLab, Gitea and Forgejo; Bitbucket in the cloud and on a server; Azure DevOps; Gerrit.
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
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
			}
		}
	}
	return strings.Join(lines, "\n")
}

package remote

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/fault"
)

// OfRef returns the upstream of a ref: the ref of the same name at a remote. The remote is the one of git
// config ckpt.remote (its name or a URL), else the only one, else "origin".
func (n Remote) OfRef(ctx context.Context, ref string) (Upstream, error) {
	u := Upstream{Branch: strings.TrimPrefix(strings.TrimPrefix(ref, "refs/heads/"), "refs/ckpt/"), Ref: ref}
	out, err := n.repo.Git(ctx, nil, "remote")
	if err != nil {
		return u, err
	}
	names := strings.Fields(string(out))
	u.Remote, err = n.repo.Config().Setting(ctx, "ckpt.remote", "")
	if err != nil {
		return u, err
	}
	kept := u.Remote
	switch {
	case slices.Contains(names, u.Remote):
	case u.Remote != "":
		kept = "url-" + n.repo.Objects().BlobHash([]byte(u.Remote))[:10]
	case len(names) == 0:
		return u, fault.New(fault.NotFound, "this repository has no remote").
			WithHint("git remote add origin URL, or git config ckpt.remote URL")
	case len(names) == 1:
		kept = names[0]
	case slices.Contains(names, "origin"):
		kept = "origin"
	default:
		return u, fault.New(fault.NotFound, "this repository has several remotes, and none of them is origin").
			WithHint("git config ckpt.remote %s", names[0])
	}
	if u.Remote == "" {
		u.Remote = kept
	}
	u.Tracking = trackingRefs + kept + "/checkpoints"
	return u, nil
}

// trackingRefs is the prefix of the refs that record the checkpoint refs of remotes, as of the last fetch or push.
const trackingRefs = "refs/ckpt/remotes/"

// place returns the remote as it is shown: a URL without the user's name and password.
func (u Upstream) place() string {
	scheme, rest, isURL := strings.Cut(u.Remote, "://")
	host, path, _ := strings.Cut(rest, "/")
	_, host, hasUser := strings.Cut(host, "@")
	if isURL && hasUser {
		return scheme + "://" + host + "/" + path
	}
	return u.Remote
}

// FetchRef fetches the upstream's ref, and nothing else. If the remote does not have the ref, FetchRef deletes the
// tracking ref. ErrRejected means that another git program is fetching.
func (n Remote) FetchRef(ctx context.Context, u Upstream, watch io.Writer) error {
	args := []string{"--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance", "--no-tags",
		"--no-prune", "--no-filter", "--refmap=", "--", u.Remote, "+" + u.Ref + ":" + u.Tracking}
	_, said, err := n.repo.Network(ctx, watch, "fetch", args...)
	switch {
	case err == nil:
		return nil
	case strings.Contains(said, "couldn't find remote ref "+u.Ref):
		return n.setTracking(ctx, u, "")
	case containsAny(said, lockMessages):
		return fault.New(fault.Busy, "fetch from %s: %w", u.place(), ErrRejected).WithHint("try again")
	}
	return err
}

// setTracking records that the remote has the ref at a commit; "" means that the remote does not have the ref.
func (n Remote) setTracking(ctx context.Context, u Upstream, commit string) error {
	args := []string{"update-ref", u.Tracking, commit}
	if commit == "" {
		args = []string{"update-ref", "-d", u.Tracking}
	}
	return n.repo.Retry(func() error {
		_, err := n.repo.Git(ctx, nil, args...)
		return err
	})
}

// CountNew counts a commit ("" for none) and its ancestors, without the root commit, which every
// repository has.
func (n Remote) CountNew(ctx context.Context, commit string) (int, error) {
	if commit == "" {
		return 0, nil
	}
	out, err := n.repo.Git(ctx, nil, "rev-list", "--count", "--min-parents=1", commit)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

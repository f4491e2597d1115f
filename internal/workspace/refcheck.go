package workspace

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/fault"
)

// RefCheck examines the checkpoint ref of a repository in ref mode.
type RefCheck struct{ m *refMode }

// RefCheck returns nil if the repository is in another mode.
func (p *Workspace) RefCheck() *RefCheck {
	if p.ref == nil {
		return nil
	}
	return &RefCheck{p.ref}
}

// Name returns the full name of the ref.
func (c *RefCheck) Name() string { return c.m.ref.Name() }

// NotExcluded returns the lines that info/exclude lacks, so that git would show the files.
func (c *RefCheck) NotExcluded() ([]string, error) { return c.m.checkout.NotExcluded() }

// Exclude adds these lines.
func (c *RefCheck) Exclude() error { return c.m.checkout.Exclude() }

// Unpushed returns the time of the oldest operation that no remote is known to have, and the
// remote that lacks it. The time is zero if there is none, or if the repository has no remote.
func (c *RefCheck) Unpushed(ctx context.Context) (oldest time.Time, remote string, err error) {
	repo := c.m.checkout.Repo
	tip, err := c.m.ref.Tip(ctx)
	if err != nil || tip == "" {
		return time.Time{}, "", err
	}
	remote, err = c.remote(ctx)
	if err != nil || remote == "" {
		return time.Time{}, "", err
	}
	out, err := repo.Offline().Git(ctx, nil, "log", "--no-merges", "--min-parents=1", "--no-show-signature",
		"--format=%ct", tip, "--not", "--glob=refs/ckpt/remotes/*")
	if err != nil {
		return time.Time{}, "", err
	}
	for line := range strings.Lines(string(out)) {
		seconds, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
		if err != nil {
			return time.Time{}, "", fault.New(fault.Failed, "the times of the commits on %s: %w", c.Name(), err)
		}
		if at := time.Unix(seconds, 0).UTC(); oldest.IsZero() || at.Before(oldest) {
			oldest = at
		}
	}
	return oldest, remote, nil
}

// remote returns the remote that has the ref, or will have it; "" without a remote.
func (c *RefCheck) remote(ctx context.Context) (string, error) {
	repo := c.m.checkout.Repo
	if remote, err := repo.Config().Setting(ctx, "ckpt.remote", ""); remote != "" || err != nil {
		return remote, err
	}
	out, err := repo.Git(ctx, nil, "remote")
	all := strings.Fields(string(out))
	if err != nil || len(all) == 0 {
		return "", err
	}
	if slices.Contains(all, "origin") {
		return "origin", nil
	}
	return all[0], nil
}

// Unfetched returns a remark for a clone that does not have the ref yet, as git clone does not
// fetch it. It is empty if the clone has the ref, or no remote to fetch it from. An error is
// ignored: whoever reads the ref reports it.
func (c *RefCheck) Unfetched(ctx context.Context) string {
	tip, err := c.m.ref.Tip(ctx)
	if err != nil || tip != "" {
		return ""
	}
	remote, err := c.remote(ctx)
	if err != nil || remote == "" {
		return ""
	}
	return "the checkpoints are in " + c.Name() + " of " + remote + ": ckpt sync brings them"
}

package workspace

import (
	"context"
	"strings"

	"example.com/ckpt/internal/checkpoint"
)

// begunBy is begun by the times and files of commits.
func (p *Workspace) BegunBy(ctx context.Context, c *checkpoint.Checkpoint) (string, error) {
	if head, err := p.Repo.Head(); err != nil || head.Hash == "" {
		return "", err
	}
	if created := c.Created(); !created.IsZero() {
		out, err := p.Repo.Offline().Run(ctx, "rev-list", "-1", "--first-parent", "--before="+checkpoint.FormatTime(created), "HEAD")
		if hash := strings.TrimSpace(string(out)); err != nil || hash != "" {
			return hash, err
		}
	}
	out, err := p.Repo.Offline().Run(ctx, "log", "--first-parent", "--diff-filter=A", "--format=%H", "--", p.FromRoot(c.Path))
	first := strings.Fields(string(out))
	if err != nil || len(first) == 0 {
		return "", err
	}
	if parent := p.Resolved(ctx, first[len(first)-1]+"^"); parent != "" {
		return parent, nil
	}
	return first[len(first)-1], nil
}

// resolved is the commit that a revision names; "" for none.
func (p *Workspace) Resolved(ctx context.Context, rev string) string {
	if rev == "" {
		return ""
	}
	out, err := p.Repo.Offline().Run(ctx, "rev-parse", "--quiet", "--verify", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

package resume

import (
	"context"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/workspace"
)

// Rehearse tries the brief of a checkpoint within a limit; nil where there is nothing
// to resume. It does not count as read.
func (p *Resumer) Rehearse(ctx context.Context, name string, limit brief.Limit) (*brief.Rehearsal, error) {
	built, err := p.resume(ctx, name, workspace.Filter{}, false)
	if built == nil || err != nil {
		return nil, err
	}
	c, err := p.history.Show(ctx, built.Path) // by its path: an id may stand twice
	if err != nil {
		return nil, err
	}
	r := brief.Rehearse(c, built.Within(limit))
	for i := range r.Weak {
		r.Weak[i].Path = p.FromRoot(r.Weak[i].Path)
	}
	return r, nil
}

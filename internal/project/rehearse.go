package project

import (
	"context"

	"example.com/ckpt/internal/core/rehearse"
	"example.com/ckpt/internal/core/resume"
)

// Rehearse tries the brief of a checkpoint within a limit; nil where there is nothing
// to resume. It does not count as read.
func (p *Project) Rehearse(ctx context.Context, name string, limit resume.Limit) (*rehearse.Rehearsal, error) {
	brief, err := p.resume(ctx, name, Filter{}, false)
	if brief == nil || err != nil {
		return nil, err
	}
	c, err := p.Show(ctx, brief.Path) // by its path: an id may stand twice
	if err != nil {
		return nil, err
	}
	r := rehearse.Of(c, brief.Within(limit))
	for i := range r.Weak {
		r.Weak[i].Path = p.fromRoot(r.Weak[i].Path)
	}
	return r, nil
}

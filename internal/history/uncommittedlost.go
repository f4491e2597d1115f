package history

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/uncommitted"
)

// LostOperations reports operations that git has lost, for doctor. With fix it forgets them.
func (p *History) LostOperations(ctx context.Context, d *result.Diagnosis, fix bool) error {
	lost, err := p.Uncommitted.Lost(ctx)
	if err != nil || len(lost) == 0 {
		return err
	}
	for _, said := range p.Uncommitted.Remarks(lost) {
		d.Problems = append(d.Problems,
			result.Problem{Code: "dropped", What: said, Fix: "ckpt doctor --fix forgets it", Fixed: fix})
	}
	if fix {
		p.Uncommitted.Forget(lost...)
	}
	return nil
}

// noneLost refuses an undo that would have to skip a lost operation.
func (p *History) noneLost(ctx context.Context, undo []Past, n int) error {
	lost, err := p.Uncommitted.Lost(ctx)
	if err != nil || len(lost) == 0 {
		return err
	}
	newest := lost[0]
	older := func(o Past) bool { return o.uncommitted == nil || o.uncommitted.Name < newest.Name }
	if len(undo) == n && !slices.ContainsFunc(undo, older) {
		return nil
	}
	what := "the newest operation"
	if len(undo) > 0 && !older(undo[0]) {
		what = "one of them"
	}
	hint := strings.TrimPrefix(p.Uncommitted.PrintHint(newest)+"; ckpt doctor --fix forgets the operation", "; ")
	return fault.New(fault.Refused, "%s, %s, %s", what, newest.Title(), uncommitted.GitTookAway).WithHint("%s", hint)
}

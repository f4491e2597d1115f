package history

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/uncommitted"
)

// pastOf returns an operation without a commit as a Past.
func pastOf(u *uncommitted.Operation) Past {
	return Past{
		Operation: result.Operation{Time: result.At(u.Time), Op: u.Op, ID: u.ID, Subject: u.Subject}, uncommitted: u,
	}
}

// withUncommitted merges the operations without a commit into those of commits, the newest first.
// Each comes before the newest commit that is older. Operations older than all commits are left out
// unless the commits are the whole of history. It also marks the commits that such an operation has
// undone.
func (p *History) withUncommitted(commits []log.Commit, whole bool) ([]Past, error) {
	all := operations(commits, p.commits == p.repo)
	recorded, err := p.uncommitted.Operations()
	if err != nil || len(recorded) == 0 {
		return all, err
	}
	var merged []Past
	for _, u := range recorded {
		n := u.After(commits)
		if n == len(commits) && !whole {
			break
		}
		for ; n > 0; n, commits = n-1, commits[1:] {
			if len(all) > 0 && all[0].Commit == commits[0].Hash {
				merged, all = append(merged, all[0]), all[1:]
			}
		}
		merged = append(merged, pastOf(u))
	}
	merged = append(merged, all...)
	for i, o := range merged {
		merged[i].Undone = o.Undone || slices.ContainsFunc(recorded, func(u *uncommitted.Operation) bool {
			return o.Commit != "" && slices.Contains(u.Undoes, o.Commit)
		})
	}
	return merged, nil
}

// LostOperations reports operations that git has lost, for doctor. With fix it forgets them.
func (p *History) LostOperations(ctx context.Context, d *result.Diagnosis, fix bool) error {
	lost, err := p.uncommitted.Lost(ctx)
	if err != nil || len(lost) == 0 {
		return err
	}
	for _, said := range p.uncommitted.Remarks(lost) {
		d.Problems = append(d.Problems,
			result.Problem{Code: "dropped", What: said, Fix: "ckpt doctor --fix forgets it", Fixed: fix})
	}
	if fix {
		p.uncommitted.Forget(lost...)
	}
	return nil
}

// noneLost refuses an undo that would have to skip a lost operation.
func (p *History) noneLost(ctx context.Context, undo []Past, n int) error {
	lost, err := p.uncommitted.Lost(ctx)
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
	hint := strings.TrimPrefix(p.uncommitted.PrintHint(newest)+"; ckpt doctor --fix forgets the operation", "; ")
	return fault.New(fault.Refused, "%s, %s, %s", what, newest.Title(), uncommitted.GitTookAway).WithHint("%s", hint)
}

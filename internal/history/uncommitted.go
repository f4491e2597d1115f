package history

import (
	"slices"

	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/uncommitted"
)

// pastOf returns an operation without a commit as a Past.
func pastOf(u *uncommitted.Operation) Past {
	return Past{Operation: result.Operation{Time: result.At(u.Time), Op: u.Op, ID: u.ID, Subject: u.Subject,
		Uncommitted: string(u.Commit)}, uncommitted: u}
}

// withUncommitted merges the operations without a commit into those of commits, the newest first.
// Each comes before the newest commit that is older. Operations older than all commits are left out
// unless the commits are the whole of history. It also marks the commits that such an operation has
// undone.
func (p *History) withUncommitted(commits []log.Commit, whole bool) ([]Past, error) {
	all := operations(commits)
	recorded, err := p.Uncommitted.Operations()
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

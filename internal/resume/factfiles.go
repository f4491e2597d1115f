package resume

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/git/changes"
)

// datedMost is how many files of a kind are put in order by the time of their last
// change; more stay in git's order.
const datedMost = 1000

// sortEdits sorts the files with uncommitted changes by whether the deltas of c mention
// them: not at all, before their last change, or after it.
func (p *Resumer) sortEdits(f *drift.Facts, c *checkpoint.Checkpoint, files []changes.Edit) {
	trail, last := drift.TrailOf(c, p.Repo.Root()), c.LastDelta()
	var untold, later, told []changes.Edit
	for _, file := range files {
		switch mentioned := trail.Mentions(file.Path) || file.From != "" && trail.Mentions(file.From); {
		case !mentioned && f.Names(file.Path): // as one that is gone
		case !mentioned:
			untold = append(untold, file)
		case !last.IsZero() && p.Repo.Worktree().ModTime(file.Path).After(last.Add(time.Second)):
			later = append(later, file)
		default:
			told = append(told, file)
		}
	}
	f.Untold, f.Later, f.Told = p.newestFirst(untold), p.newestFirst(later), p.newestFirst(told)
}

// actionsBegun returns the numbers of the open next actions of c, as in "#2", that name a
// file which changed since c was written: in a commit, or uncommitted and in no delta.
func (p *Resumer) actionsBegun(ctx context.Context, c *checkpoint.Checkpoint, f drift.Facts) ([]int, error) {
	named := map[string][]int{} // open next actions, counted from 1, by what they name
	for _, r := range drift.References(c, p.Repo.Root()) {
		for _, place := range r.Places {
			if place.Source == drift.NextAction && r.Symbol == "" && !r.Glob && p.Repo.Worktree().Exists(r.Path) {
				named[r.Path] = append(named[r.Path], place.Number)
			}
		}
	}
	changed := map[string]bool{}
	if f.From != "" && f.Mine+f.Others > 0 && len(named) > 0 {
		var err error
		if changed, err = changes.Of(p.Repo.Offline()).Differing(ctx, f.From, slices.Sorted(maps.Keys(named))); err != nil {
			return nil, err
		}
	}
	for _, file := range slices.Concat(f.Untold, f.Later) {
		changed[file.Path] = true
	}
	numbers := c.OpenNumbers()
	var all []int
	for path, actions := range named {
		for _, n := range actions {
			if changed[path] && n <= len(numbers) {
				all = append(all, numbers[n-1])
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// newestFirst returns files with their states, the last written first, deleted ones last.
func (p *Resumer) newestFirst(edits []changes.Edit) []drift.File {
	if len(edits) <= datedMost {
		written := map[string]time.Time{}
		for _, e := range edits {
			written[e.Path] = p.Repo.Worktree().ModTime(e.Path)
		}
		slices.SortStableFunc(edits, func(a, b changes.Edit) int { return written[b.Path].Compare(written[a.Path]) })
	}
	var all []drift.File
	for _, e := range edits {
		all = append(all, drift.File{Path: e.Path, State: stateOf(e)})
	}
	return all
}

// stateOf returns the state of a file in the words of git status: "new", "edited",
// "deleted", "renamed from", and "staged" if the index has the change.
func stateOf(e changes.Edit) string {
	var words []string
	switch {
	case e.Conflict:
		return "in conflict"
	case e.From != "":
		words = append(words, "renamed from "+drift.Quote(e.From))
	case e.New:
		words = append(words, "new")
	case e.Deleted:
		words = append(words, "deleted")
	}
	if e.Staged {
		words = append(words, "staged")
	}
	if e.Edited && (e.Staged || len(words) == 0) && !e.Deleted {
		words = append(words, "edited")
	}
	return strings.Join(words, ", ")
}

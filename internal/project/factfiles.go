package project

import (
	"context"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/drift"
	"example.com/ckpt/internal/git"
)

// datedMost is how many files of a kind are put in order by the time of their last
// change; more stay in git's order.
const datedMost = 1000

// sortEdits tells the files with changes that no commit has apart by what the deltas of
// c mention.
func (p *Project) sortEdits(f *drift.Facts, c *checkpoint.Checkpoint, files []git.Edit) {
	trail, last := drift.TrailOf(c, p.Repo.Root()), c.LastDelta()
	var untold, later, told []git.Edit
	for _, file := range files {
		switch mentioned := trail.Mentions(file.Path) || file.From != "" && trail.Mentions(file.From); {
		case !mentioned && f.Names(file.Path): // as one that is gone
		case !mentioned:
			untold = append(untold, file)
		case !last.IsZero() && p.Repo.ModTime(file.Path).After(last.Add(time.Second)):
			later = append(later, file)
		default:
			told = append(told, file)
		}
	}
	f.Untold, f.Later, f.Told = p.newestFirst(untold), p.newestFirst(later), p.newestFirst(told)
	f.Clean = len(files) == 0
}

// changed returns the files that open next actions of c name and that changed since it was
// written: in a commit, or without one and without a delta that says so.
func (p *Project) changed(ctx context.Context, c *checkpoint.Checkpoint, f drift.Facts) ([]drift.Changes, error) {
	var named []drift.Changes
	var paths []string
	numbers := c.OpenNumbers()
	for _, r := range drift.References(c, p.Repo.Root()) {
		if r.Symbol != "" || r.Glob || !r.In(drift.NextAction) {
			continue
		}
		change := drift.Changes{Path: r.Path}
		for _, place := range r.Places {
			if n := place.Number - 1; place.Source == drift.NextAction && n < len(numbers) && !slices.Contains(change.Actions, numbers[n]) {
				change.Actions = append(change.Actions, numbers[n])
			}
		}
		if len(change.Actions) > 0 {
			named, paths = append(named, change), append(paths, r.Path)
		}
	}
	differ := map[string]bool{}
	if f.From != "" && f.Mine+f.Others > 0 && len(paths) > 0 {
		var err error
		if differ, err = p.Repo.Offline().Differing(ctx, f.From, paths); err != nil {
			return nil, err
		}
	}
	for _, file := range slices.Concat(f.Untold, f.Later) {
		differ[file.Path] = true
	}
	return slices.DeleteFunc(named, func(change drift.Changes) bool { return !differ[change.Path] || !p.Repo.There(change.Path) }), nil
}

// newestFirst returns files with their states, the last written first, deleted ones last.
func (p *Project) newestFirst(edits []git.Edit) []drift.File {
	if len(edits) <= datedMost {
		written := map[string]time.Time{}
		for _, e := range edits {
			written[e.Path] = p.Repo.ModTime(e.Path)
		}
		slices.SortStableFunc(edits, func(a, b git.Edit) int { return written[b.Path].Compare(written[a.Path]) })
	}
	var all []drift.File
	for _, e := range edits {
		all = append(all, drift.File{Path: e.Path, State: stateOf(e)})
	}
	return all
}

// stateOf says what git status says of a file: "new", "edited", "deleted", "renamed from",
// and "staged" where the index has the change.
func stateOf(e git.Edit) string {
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

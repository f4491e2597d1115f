package resume

import (
	"context"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/secrets"
)

// Repository answers questions about git and the working tree.
type Repository interface {
	Root() string
	Head() (git.Head, error)
	HasCommit(name string) bool
	Since(ctx context.Context, base changes.Base, exclude string) (changes.Count, error)
	ModTime(path string) time.Time
	drift.Repository
}

// facts finds what git knows and a checkpoint does not mention.
type facts struct {
	repo   Repository
	folder string       // the checkpoints folder, whose files do not count
	base   changes.Base // the commit that the checkpoint describes
	doing  string       // the operation that git has in progress, such as "rebase"; may be empty

	// anchor returns the commit at which the work began, if the checkpoint names one.
	anchor func(ctx context.Context) string
}

// history returns the facts that the commits show. During a rebase or a bisect it returns no such facts, because HEAD
// is not where the work is.
func (f facts) history(ctx context.Context, c *checkpoint.Checkpoint) (drift.Facts, error) {
	if f.doing == "rebase" || f.doing == "bisect" {
		return drift.Facts{Folder: f.folder, Doing: f.doing}, nil
	}
	since, err := f.repo.Since(ctx, f.base, f.folder)
	if err != nil {
		return drift.Facts{}, err
	}
	head, err := f.repo.Head()
	if err != nil {
		return drift.Facts{}, err
	}
	all := drift.Facts{
		Mine: since.Mine, Others: since.Others, Many: since.Many, Strangers: since.Strangers,
		Folder: f.folder, Doing: f.doing, Branch: head.Branch(), Head: head.Hash,
	}
	scanner := &secrets.Scanner{}
	for _, commit := range since.Commits {
		commit.Subject = scanner.Replace(commit.Subject)
		all.Commits = append(all.Commits, commit)
	}
	base := f.base.Commit
	if since.Arrived != "" && !f.repo.HasCommit(base) {
		base = since.Arrived
	}
	switch {
	case since.Missing:
		all.Missing, base = base, ""
	case since.Lost:
		all.Lost, all.Holder = base, since.Holder
	case since.Arrived == "":
		branch, at, ok := strings.Cut(c.Field("anchor"), "@")
		here := branch == all.Branch || branch == "detached"
		isBase := ok && len(at) >= 7 && strings.HasPrefix(base, at)
		if isBase && !here {
			all.Written = branch
		}
	}
	all.From = base
	if base != "" && head.Hash != "" && !since.Lost {
		all.Quiet = since.Mine+since.Others == 0
	}
	all.Findings, err = f.broken(ctx, c, base)
	return all, err
}

// broken returns the references of c that are broken. A next action may be older than base, so what
// it names may have been removed any time since the work began. If a checkpoint has no base, only
// the next actions are checked, against all of history.
func (f facts) broken(ctx context.Context, c *checkpoint.Checkpoint, base string) ([]drift.Finding, error) {
	var missing []drift.Finding
	for _, r := range drift.References(c, f.repo.Root()) {
		counts := base != "" || r.In(drift.NextAction)
		if r.Glob || r.Excused() {
			continue
		}
		if counts && !f.repo.There(r.Path) {
			missing = append(missing, drift.Finding{Reference: r})
		}
	}
	check := drift.Check{Repo: f.repo, Base: base}
	if err := check.Files(ctx, missing); err != nil {
		return nil, err
	}
	wentAway := func(x drift.Finding) bool { return x.Verdict == drift.Moved || x.Verdict == drift.Deleted }
	var broken, open []drift.Finding
	for _, x := range missing {
		switch {
		case wentAway(x):
			broken = append(broken, x)
		case x.In(drift.NextAction):
			open = append(open, drift.Finding{Reference: x.Reference})
		}
	}
	if base == "" || len(open) == 0 {
		return broken, nil
	}
	check.Base = f.anchor(ctx)
	if check.Base == "" || strings.HasPrefix(check.Base, base) {
		return broken, nil
	}
	err := check.Files(ctx, open)
	return append(broken, slices.DeleteFunc(open, func(x drift.Finding) bool { return !wentAway(x) })...), err
}

// edits adds the files with uncommitted changes in three groups: files that no delta of c mentions,
// files that were changed after the delta that mentions them, and the others.
func (f facts) edits(all *drift.Facts, c *checkpoint.Checkpoint, edits []changes.Edit) {
	trail, last := drift.TrailOf(c, f.repo.Root()), c.LastDelta()
	var untold, later, told []changes.Edit
	for _, e := range edits {
		mentioned := trail.Mentions(e.Path) || e.From != "" && trail.Mentions(e.From)
		switch {
		case !mentioned && all.Names(e.Path): // the facts already name it as gone
		case !mentioned:
			untold = append(untold, e)
		case !last.IsZero() && f.repo.ModTime(e.Path).After(last.Add(time.Second)):
			later = append(later, e)
		default:
			told = append(told, e)
		}
	}
	all.Untold, all.Later, all.Told = f.newestFirst(untold), f.newestFirst(later), f.newestFirst(told)
}

// mostDated is how many files of a group are sorted by the time of their last change. If there are
// more, they keep git's order.
const mostDated = 1000

// newestFirst returns files with their states. The last written file comes first, and deleted files
// last.
func (f facts) newestFirst(edits []changes.Edit) []drift.File {
	if len(edits) <= mostDated {
		written := map[string]time.Time{}
		for _, e := range edits {
			written[e.Path] = f.repo.ModTime(e.Path)
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
	further := e.Staged || len(words) == 0 // otherwise "new" or "renamed from" implies "edited"
	if further && e.Edited && !e.Deleted {
		words = append(words, "edited")
	}
	return strings.Join(words, ", ")
}

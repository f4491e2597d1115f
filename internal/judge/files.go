// Package judge finds out what has become of the files and symbols that a checkpoint
// names, and gives each finding its verdict. It asks the index and the working tree
// first, which know of nearly all; then history. Nothing is fetched.
package judge

import (
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/drift"
	"example.com/ckpt/internal/git"
)

// Case is the findings of one checkpoint. What git said once is not asked again.
type Case struct {
	Repo *git.Repo // required
	Base string    // the commit that the checkpoint describes; "" for none
	All  bool      // say of all what they are; else only which are gone since Base

	// Counted is the commit to count changes from where HEAD has not grown from Base; a file
	// that is as Base has it has not changed.
	Counted string

	tracked *git.Tracked
}

// Files gives each finding a verdict; none to what only looks like a path and that
// git has never heard of.
func (c *Case) Files(ctx context.Context, all []drift.Finding) error {
	if len(all) == 0 {
		return nil
	}
	if c.tracked == nil {
		var err error
		if c.tracked, err = c.Repo.Tracked(ctx); err != nil {
			return err
		}
	}
	var here, gone, fresh []*drift.Finding
	for i := range all {
		f := &all[i]
		switch c.look(f); {
		case f.Verdict == drift.OK && f.Note == untracked:
			fresh = append(fresh, f)
		case f.Verdict == drift.OK && f.Note == "" && !f.Glob:
			here = append(here, f)
		case f.Verdict == "" && !f.Glob:
			gone = append(gone, f)
		}
	}
	if err := c.history(ctx, here, gone); err != nil {
		return err
	}
	if !c.All {
		return nil
	}
	for _, f := range gone {
		if f.Verdict == "" && f.Sure {
			fresh = append(fresh, f)
		}
	}
	return c.ignored(ctx, fresh)
}

const (
	untracked   = "not in a commit yet"
	uncommitted = "in no commit yet"
)

// look asks the index and the working tree.
func (c *Case) look(f *drift.Finding) {
	t, there := c.tracked, c.Repo.There(f.Path)
	switch module := t.Module(f.Path); {
	case t.Has(f.Path) && (there || t.Hidden(f.Path)):
		f.Verdict = drift.OK
	case module != "" && module != f.Path && !there:
		f.Verdict, f.Note = drift.Unknown, "inside the submodule "+module
	case module != "" || there && t.HasFolder(f.Path):
		f.Verdict = drift.OK
	case f.Excused() && !there:
		f.Verdict, f.Note = drift.OK, "deleted, as the artifacts say"
	case t.HasFolder(f.Path):
		f.Verdict = c.emptied(f.Path)
		if f.Verdict == drift.Deleted {
			f.Note = uncommitted
		}
	case t.Has(f.Path):
		f.Verdict, f.Note = drift.Deleted, uncommitted
	case there && !c.otherCase(f.Path):
		f.Verdict, f.Note = drift.OK, untracked
	case f.Glob:
		if len(t.Where(func(name string) bool { return drift.Match(f.Path, name) || drift.Match("**/"+f.Path, name) })) > 0 {
			f.Verdict = drift.OK
		}
	}
}

// emptied is the verdict on a folder that is not there and has tracked files: a
// sparse checkout leaves it out, or it was deleted.
func (c *Case) emptied(folder string) drift.Verdict {
	if len(c.tracked.Where(func(name string) bool { return strings.HasPrefix(name, folder+"/") && !c.tracked.Hidden(name) })) == 0 {
		return drift.OK
	}
	return drift.Deleted
}

// otherCase says whether a path is there only because the file system does not tell
// capital letters from small ones.
func (c *Case) otherCase(path string) bool {
	return len(c.tracked.Where(func(name string) bool { return len(name) == len(path) && strings.EqualFold(name, path) && name != path })) > 0
}

// history asks what changed here since base, and where what is gone went.
func (c *Case) history(ctx context.Context, here, gone []*drift.Finding) error {
	head, err := c.Repo.Head()
	if err != nil || head.Hash == "" {
		return err
	}
	if !c.All || c.Base == "" {
		here = nil
	}
	span := "HEAD"
	if c.Base != "" {
		span = c.Base + "..HEAD"
	}
	if c.Counted != "" {
		if err := c.changedSinceSquash(ctx, here); err != nil {
			return err
		}
		here = nil
	}
	fates, err := c.fates(ctx, span, paths(here), paths(gone))
	if err != nil {
		return err
	}
	for _, f := range here {
		if f.Commits = fates[f.Path].Commits; f.Commits > 0 {
			f.Verdict = drift.Changed
		}
	}
	var older []*drift.Finding
	for _, f := range gone {
		fate, known := fates[f.Path]
		inFolder := c.below(f)
		if known && (fate.Path == f.Path || !inFolder) {
			settle(f, fate)
			continue
		}
		if inFolder {
			f.Verdict = drift.OK
		}
		if !f.Bare {
			older = append(older, f)
		}
	}
	if !c.All || span == "HEAD" || len(older) == 0 {
		return nil
	}
	fates, err = c.fates(ctx, "HEAD", nil, paths(older))
	for _, f := range older {
		if fate, known := fates[f.Path]; known {
			settle(f, fate)
		}
	}
	return err
}

// changedSinceSquash finds which files HEAD has otherwise than Base, and counts the commits
// since Counted that changed them; where those did not, all that HEAD has and Base has not.
func (c *Case) changedSinceSquash(ctx context.Context, here []*drift.Finding) error {
	differ := map[string]bool{}
	for part := range slices.Chunk(paths(here), portion) {
		some, err := c.Repo.Differing(ctx, c.Base, part)
		if err != nil {
			return err
		}
		maps.Copy(differ, some)
	}
	here = slices.DeleteFunc(slices.Clone(here), func(f *drift.Finding) bool { return !differ[f.Path] })
	for _, from := range [...]string{c.Counted, c.Base} {
		fates, err := c.fates(ctx, from+"..HEAD", paths(here), nil)
		if err != nil {
			return err
		}
		here = slices.DeleteFunc(here, func(f *drift.Finding) bool {
			f.Verdict, f.Commits = drift.Changed, fates[f.Path].Commits
			return f.Commits > 0
		})
	}
	return nil
}

// portion is how many paths git is asked about at once: a command line has an end.
const portion = 500

func (c *Case) fates(ctx context.Context, span string, here, gone []string) (map[string]git.Fate, error) {
	all := map[string]git.Fate{}
	for part := range slices.Chunk(here, portion) {
		some, err := c.Repo.Fates(ctx, span, part, nil, c.tracked)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, some)
	}
	for part := range slices.Chunk(gone, portion) {
		some, err := c.Repo.Fates(ctx, span, nil, part, c.tracked)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, some)
	}
	return all, nil
}

// below says whether a path may be one from a folder below the root, and notes which.
func (c *Case) below(f *drift.Finding) bool {
	ends := c.endingIn(f)
	if len(ends) == 1 {
		f.Note = "at " + ends[0]
	}
	return len(ends) > 0
}

// endingIn are the tracked files, or folders, whose paths end in that of f.
func (c *Case) endingIn(f *drift.Finding) []string {
	end := "/" + f.Path
	var all []string
	for _, name := range c.tracked.Where(func(name string) bool { return strings.Contains(name, end) }) {
		if i := strings.Index(name+"/", end+"/"); i >= 0 {
			all = append(all, name[:i]+end)
		}
	}
	return slices.Compact(all)
}

// settle writes a fate down.
func settle(f *drift.Finding, fate git.Fate) {
	f.Verdict, f.To, f.Commit, f.Date, f.Note = drift.Deleted, fate.To, fate.Commit, fate.Date, ""
	if fate.To != "" {
		f.Verdict = drift.Moved
	}
	if fate.Commit == "" {
		f.Note = uncommitted
	}
	if fate.Path != f.Path {
		f.Path = fate.Path
	}
}

// ignored tells files that git is told to ignore from those that are new, and
// from those that never were.
func (c *Case) ignored(ctx context.Context, fresh []*drift.Finding) error {
	ignored, err := c.Repo.Ignored(ctx, paths(fresh))
	if err != nil {
		return err
	}
	cut, err := c.Repo.Shallow()
	if err != nil {
		return err
	}
	for _, f := range fresh {
		switch {
		case ignored[f.Path]:
			f.Verdict, f.Note = drift.Ignored, ""
		case f.Verdict != "":
		case len(cut) > 0:
			f.Verdict, f.Note = drift.Unknown, "the history here is cut off"
		default:
			f.Verdict = drift.Never
		}
	}
	return nil
}

func paths(findings []*drift.Finding) []string {
	all := make([]string, len(findings))
	for i, f := range findings {
		all[i] = f.Path
	}
	return all
}

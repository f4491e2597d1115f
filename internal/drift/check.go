package drift

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
)

// Repository is what a [Check] asks of git and of the working tree. Paths are slash paths
// from the root. Nothing is fetched.
type Repository interface {
	Index(ctx context.Context) (Index, error)
	There(path string) bool         // There reports whether path exists in the working tree
	HasCommits() (bool, error)      // HasCommits reports whether HEAD has a commit
	CompleteHistory() (bool, error) // CompleteHistory reports whether the clone is not shallow
	Ignored(ctx context.Context, paths []string) (map[string]bool, error)
	// History returns what a range of commits ("BASE..HEAD" or "HEAD") did to paths. The paths in
	// gone are no longer in the index; each may be the end of a longer path.
	History(ctx context.Context, span string, here, gone []string) (map[string]PathHistory, error)
}

// Index is the list of the files that git tracks.
type Index interface {
	Has(path string) bool
	HasFolder(path string) bool
	// Hidden reports whether path is tracked, but left out of the working tree by a sparse
	// checkout.
	Hidden(path string) bool
	Module(path string) string
	Where(fits func(path string) bool) []string
}

// PathHistory is what the history of a repository shows about a path.
type PathHistory struct {
	Path    string // the path in history: the path asked for, or a longer one that ends with it
	Commits int    // the number of commits that changed it, without merges
	To      string // the new path, if it moved
	Commit  string // the hash of the last commit that moved or deleted it; empty if none did
	Date    string // the date of Commit
}

// batch is the number of paths in one question to git: a command line has a maximum length.
const batch = 500

// Check gives the findings of one checkpoint their verdicts. It first asks the index and the
// working tree, which answer nearly all questions, and then history.
type Check struct {
	Repo Repository
	Base string // the commit to count changes from; empty if unknown
	All  bool   // also find files that changed since Base, were gone before it, are ignored, or never existed

	index Index
}

const (
	untracked   = "not in a commit yet"
	uncommitted = "in no commit yet"
)

// Files gives each finding a verdict. A finding that only looks like a path gets none if git never had such a file.
func (c *Check) Files(ctx context.Context, all []Finding) error {
	if len(all) == 0 {
		return nil
	}
	if c.index == nil {
		index, err := c.Repo.Index(ctx)
		if err != nil {
			return err
		}
		c.index = index
	}
	var here, gone, unknown []*Finding
	for i := range all {
		f := &all[i]
		if f.Literal != "" && !c.index.Has(f.Path) && c.Repo.There(f.Literal) {
			f.Path = f.Literal
		}
		c.byIndex(f)
		switch {
		case f.Verdict == OK && f.Note == untracked:
			unknown = append(unknown, f)
		case f.Verdict == OK && f.Note == "" && !f.Glob:
			here = append(here, f)
		case f.Verdict == "" && !f.Glob:
			gone = append(gone, f)
		}
	}
	if err := c.byHistory(ctx, here, gone); err != nil {
		return err
	}
	for _, f := range gone {
		switch {
		case f.Verdict != "":
		case f.In(Artifact) && f.In(NextAction):
			f.Verdict, f.Note = Deleted, uncommitted
		case f.Sure:
			unknown = append(unknown, f)
		}
	}
	if !c.All {
		return nil
	}
	return c.ignored(ctx, unknown)
}

// byIndex gives the verdicts that follow from the index and the working tree.
func (c *Check) byIndex(f *Finding) {
	there := c.Repo.There(f.Path)
	module := c.index.Module(f.Path)
	// if the file system ignores case, There also finds a file whose path differs in case
	otherCase := func(name string) bool { return name != f.Path && strings.EqualFold(name, f.Path) }
	switch {
	case c.index.Has(f.Path) && (there || c.index.Hidden(f.Path)):
		f.Verdict = OK
	case module != "" && module != f.Path && !there:
		f.Verdict, f.Note = Unknown, "inside the submodule "+module
	case module != "" || there && c.index.HasFolder(f.Path):
		f.Verdict = OK
	case f.Excused() && !there:
		f.Verdict, f.Note = OK, "deleted, as the artifacts say"
	case c.index.HasFolder(f.Path):
		visible := func(path string) bool { return strings.HasPrefix(path, f.Path+"/") && !c.index.Hidden(path) }
		f.Verdict = OK // the folder is tracked, but left out by a sparse checkout
		if len(c.index.Where(visible)) > 0 {
			f.Verdict, f.Note = Deleted, uncommitted
		}
	case c.index.Has(f.Path):
		f.Verdict, f.Note = Deleted, uncommitted
	case there && len(c.index.Where(otherCase)) == 0:
		f.Verdict, f.Note = OK, untracked
	case f.Glob:
		if len(c.index.Where(matcher("**/"+f.Path))) > 0 {
			f.Verdict = OK
		}
	}
}

// byHistory finds out which files changed since Base, and what happened to missing files.
func (c *Check) byHistory(ctx context.Context, here, gone []*Finding) error {
	if has, err := c.Repo.HasCommits(); err != nil || !has {
		return err
	}
	if !c.All || c.Base == "" {
		here = nil
	}
	span := "HEAD"
	if c.Base != "" {
		span = c.Base + "..HEAD"
	}
	known, err := c.history(ctx, span, paths(here), paths(gone))
	if err != nil {
		return err
	}
	for _, f := range here {
		f.Commits = known[f.Path].Commits
		if f.Commits > 0 {
			f.Verdict = Changed
		}
	}
	var older []*Finding
	for _, f := range gone {
		h, ok := known[f.Path]
		elsewhere := c.endingIn(f.Path)
		if ok && (h.Path == f.Path || len(elsewhere) == 0) {
			f.settle(h)
			continue
		}
		if len(elsewhere) > 0 {
			f.Verdict = OK
		}
		if len(elsewhere) == 1 {
			f.Note = "at " + elsewhere[0]
		}
		if !f.Bare {
			older = append(older, f)
		}
	}
	if !c.All || span == "HEAD" || len(older) == 0 {
		return nil
	}
	known, err = c.history(ctx, "HEAD", nil, paths(older))
	for _, f := range older {
		if h, ok := known[f.Path]; ok {
			f.settle(h)
		}
	}
	return err
}

// history asks for the history of paths in batches.
func (c *Check) history(ctx context.Context, span string, here, gone []string) (map[string]PathHistory, error) {
	all := map[string]PathHistory{}
	for len(here)+len(gone) > 0 {
		h, g := min(len(here), batch), min(len(gone), batch)
		some, err := c.Repo.History(ctx, span, here[:h], gone[:g])
		if err != nil {
			return nil, err
		}
		maps.Copy(all, some)
		here, gone = here[h:], gone[g:]
	}
	return all, nil
}

// endingIn returns the tracked files and folders whose path ends in a slash and the given path.
func (c *Check) endingIn(path string) []string {
	end := "/" + path
	var all []string
	for _, name := range c.index.Where(func(name string) bool { return strings.Contains(name, end) }) {
		if i := strings.Index(name+"/", end+"/"); i >= 0 {
			all = append(all, name[:i]+end)
		}
	}
	return slices.Compact(all)
}

// settle sets the verdict from what history shows.
func (f *Finding) settle(h PathHistory) {
	f.Path, f.To, f.Commit, f.Date = h.Path, h.To, h.Commit, h.Date
	f.Verdict, f.Note = Deleted, ""
	if h.To != "" {
		f.Verdict = Moved
	}
	if h.Commit == "" {
		f.Note = uncommitted
	}
}

// ignored distinguishes ignored files, new files, and files that never existed.
func (c *Check) ignored(ctx context.Context, unknown []*Finding) error {
	ignored, failed := c.Repo.Ignored(ctx, paths(unknown))
	complete, err := c.Repo.CompleteHistory()
	if err := cmp.Or(failed, err); err != nil {
		return err
	}
	for _, f := range unknown {
		switch {
		case ignored[f.Path]:
			f.Verdict, f.Note = Ignored, ""
		case f.Verdict != "":
		case complete:
			f.Verdict = Never
		default:
			f.Verdict, f.Note = Unknown, "the history here is cut off"
		}
	}
	return nil
}

func paths(findings []*Finding) []string {
	all := make([]string, len(findings))
	for i, f := range findings {
		all[i] = f.Path
	}
	return all
}

package project

import (
	"context"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/drift"
	"example.com/ckpt/internal/git"
)

// judge finds out what has become of the files that a checkpoint names. It asks
// the index and the working tree first, which know of nearly all; then history.
type judge struct {
	repo    *git.Repo
	base    string // the commit to count from; "" for none
	all     bool   // say of all what they are; else only which are gone since base
	tracked *git.Tracked
}

// files gives each finding a verdict; none to what only looks like a path and that
// git has never heard of.
func (j *judge) files(ctx context.Context, all []drift.Finding) error {
	if len(all) == 0 {
		return nil
	}
	if j.tracked == nil {
		var err error
		if j.tracked, err = j.repo.Tracked(ctx); err != nil {
			return err
		}
	}
	var here, gone, fresh []*drift.Finding
	for i := range all {
		f := &all[i]
		switch j.look(f); {
		case f.Verdict == drift.OK && f.Note == untracked:
			fresh = append(fresh, f)
		case f.Verdict == drift.OK && f.Note == "" && !f.Glob:
			here = append(here, f)
		case f.Verdict == "" && !f.Glob:
			gone = append(gone, f)
		}
	}
	if err := j.history(ctx, here, gone); err != nil {
		return err
	}
	if !j.all {
		return nil
	}
	for _, f := range gone {
		if f.Verdict == "" && f.Sure {
			fresh = append(fresh, f)
		}
	}
	return j.ignored(ctx, fresh)
}

const (
	untracked   = "not in a commit yet"
	uncommitted = "in no commit yet"
)

// look asks the index and the working tree.
func (j *judge) look(f *drift.Finding) {
	t, there := j.tracked, j.repo.There(f.Path)
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
		f.Verdict = j.emptied(f.Path)
		if f.Verdict == drift.Deleted {
			f.Note = uncommitted
		}
	case t.Has(f.Path):
		f.Verdict, f.Note = drift.Deleted, uncommitted
	case there && !j.otherCase(f.Path):
		f.Verdict, f.Note = drift.OK, untracked
	case f.Glob:
		if len(t.Where(func(name string) bool { return drift.Match(f.Path, name) || drift.Match("**/"+f.Path, name) })) > 0 {
			f.Verdict = drift.OK
		}
	}
}

// emptied is the verdict on a folder that is not there and has tracked files: a
// sparse checkout leaves it out, or it was deleted.
func (j *judge) emptied(folder string) drift.Verdict {
	if len(j.tracked.Where(func(name string) bool { return strings.HasPrefix(name, folder+"/") && !j.tracked.Hidden(name) })) == 0 {
		return drift.OK
	}
	return drift.Deleted
}

// otherCase says whether a path is there only because the file system does not tell
// capital letters from small ones.
func (j *judge) otherCase(path string) bool {
	return len(j.tracked.Where(func(name string) bool { return len(name) == len(path) && strings.EqualFold(name, path) && name != path })) > 0
}

// history asks what changed here since base, and where what is gone went.
func (j *judge) history(ctx context.Context, here, gone []*drift.Finding) error {
	head, err := j.repo.Head()
	if err != nil || head.Hash == "" {
		return err
	}
	if !j.all || j.base == "" {
		here = nil
	}
	span := "HEAD"
	if j.base != "" {
		span = j.base + "..HEAD"
	}
	fates, err := j.fates(ctx, span, paths(here), paths(gone))
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
		inFolder := j.below(f)
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
	if !j.all || span == "HEAD" || len(older) == 0 {
		return nil
	}
	fates, err = j.fates(ctx, "HEAD", nil, paths(older))
	for _, f := range older {
		if fate, known := fates[f.Path]; known {
			settle(f, fate)
		}
	}
	return err
}

// portion is how many paths git is asked about at once: a command line has an end.
const portion = 500

func (j *judge) fates(ctx context.Context, span string, here, gone []string) (map[string]git.Fate, error) {
	all := map[string]git.Fate{}
	for part := range slices.Chunk(here, portion) {
		some, err := j.repo.Fates(ctx, span, part, nil, j.tracked)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, some)
	}
	for part := range slices.Chunk(gone, portion) {
		some, err := j.repo.Fates(ctx, span, nil, part, j.tracked)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, some)
	}
	return all, nil
}

// below says whether a path may be one from a folder below the root, and notes which.
func (j *judge) below(f *drift.Finding) bool {
	ends := j.endingIn(f)
	if len(ends) == 1 {
		f.Note = "at " + ends[0]
	}
	return len(ends) > 0
}

// endingIn are the tracked files, or folders, whose paths end in that of f.
func (j *judge) endingIn(f *drift.Finding) []string {
	end := "/" + f.Path
	var all []string
	for _, name := range j.tracked.Where(func(name string) bool { return strings.Contains(name, end) }) {
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
func (j *judge) ignored(ctx context.Context, fresh []*drift.Finding) error {
	ignored, err := j.repo.Ignored(ctx, paths(fresh))
	if err != nil {
		return err
	}
	cut, err := j.repo.Shallow()
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

package judge

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"example.com/ckpt/internal/core/drift"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/text"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
)

// Symbols gives each finding that is a symbol a verdict: still in its file, or
// wherever it is if no file is given; moved to another file, or gone, if it was there
// at base. One that was never there is none of our business, unless it is said to be
// a symbol. Of files it knows what [Case.Files] found.
func (c *Case) Symbols(ctx context.Context, files, symbols []drift.Finding, exclude string) error {
	moved := map[string]string{}
	for _, f := range files {
		moved[f.Path] = f.To
	}
	var lost []*drift.Finding
	for i := range symbols {
		f := &symbols[i]
		if c.holds(f.Path, f.Symbol) {
			f.Verdict = drift.OK
		} else if to := moved[f.Path]; c.holds(to, f.Symbol) {
			f.Verdict, f.To = drift.Moved, to
		} else if f.Path != "" || !c.named(files, f) {
			lost = append(lost, f)
		}
	}
	now, err := c.whereNow(ctx, lost, exclude)
	if err != nil {
		return c.cannotTell(ctx, lost, err)
	}
	var words []string
	for _, f := range lost {
		if len(now[f.Symbol]) == 0 && f.Path == "" && c.Base != "" {
			words = append(words, f.Symbol)
		}
	}
	was, err := c.Repo.Grep(ctx, c.Base, words, exclude)
	if err != nil {
		return c.cannotTell(ctx, lost, err)
	}
	for _, f := range lost {
		found := now[f.Symbol]
		switch had := len(was[f.Symbol]) > 0 || c.held(ctx, f); {
		case len(found) > 0 && f.Path != "" && had:
			f.Verdict, f.To = drift.Moved, found[0]
		case len(found) == 1:
			f.Verdict, f.Note = drift.OK, "in "+found[0]
		case len(found) > 1:
			f.Verdict, f.Note = drift.OK, "in "+found[0]+" and "+text.Count(len(found)-1, "other file")
		case had:
			f.Verdict = drift.Gone
		case f.Sure:
			f.Verdict, f.Note = drift.Unknown, "git finds it nowhere, now or then"
		}
	}
	return nil
}

// named looks for a symbol in the files that the checkpoint names, where it mostly is.
func (c *Case) named(files []drift.Finding, f *drift.Finding) bool {
	for _, file := range files {
		if (file.Verdict == drift.OK || file.Verdict == drift.Changed) && c.holds(file.Path, f.Symbol) {
			f.Verdict, f.Note = drift.OK, "in "+file.Path
			return true
		}
	}
	return false
}

// whereNow are the files of the working tree that hold symbols. The index is asked
// first, and what it says is looked up; then all files are read for the rest.
func (c *Case) whereNow(ctx context.Context, symbols []*drift.Finding, exclude string) (map[string][]string, error) {
	found := map[string][]string{}
	words := wordsOf(symbols)
	staged, err := c.Repo.Grep(ctx, git.InIndex, words, exclude)
	if err == nil {
		words = slices.DeleteFunc(words, func(w string) bool {
			found[w] = slices.DeleteFunc(staged[w], func(file string) bool { return !c.holds(file, w) })
			return len(found[w]) > 0
		})
	}
	rest, err := c.Repo.Grep(ctx, "", words, exclude)
	maps.Copy(found, rest)
	return found, err
}

func wordsOf(symbols []*drift.Finding) []string {
	var all []string
	for _, f := range symbols {
		if !slices.Contains(all, f.Symbol) {
			all = append(all, f.Symbol)
		}
	}
	return all
}

// cannotTell is for a git that cannot read all files, as in a partial clone.
func (c *Case) cannotTell(ctx context.Context, lost []*drift.Finding, err error) error {
	if ctx.Err() != nil || fault.KindOf(err) != fault.Failed {
		return err
	}
	for _, f := range lost {
		if f.Sure {
			f.Verdict, f.Note = drift.Unknown, "git cannot look through all files here"
		}
	}
	return nil
}

// holds says whether a file of the working tree holds a symbol.
func (c *Case) holds(path, symbol string) bool {
	if path == "" {
		return false
	}
	src, err := disk.ReadFile(filepath.Join(c.Repo.Root(), filepath.FromSlash(path)))
	return err == nil && drift.Holds(src, symbol)
}

// held says whether the file of f held it at base.
func (c *Case) held(ctx context.Context, f *drift.Finding) bool {
	if c.Base == "" || f.Path == "" {
		return false
	}
	src, err := c.Repo.FileAt(ctx, c.Base, f.Path)
	return err == nil && drift.Holds(src, f.Symbol)
}

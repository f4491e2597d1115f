package project

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/core/validate"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// Save commits what was edited by hand in the checkpoints folder, once it is
// checked: an edit that brings an error which was not there before is refused
// and stays as it is. It is also what commits the changes of --no-commit.
func (p *Project) Save(ctx context.Context, message string) (*report.Receipt, error) {
	return p.change(ctx, store.All, func(set *checkpoint.Set, now time.Time) (*operation, error) {
		edits, err := p.edits(ctx, store.All)
		if err != nil {
			return nil, err
		}
		o := &operation{op: "save", summary: message, saved: true}
		o.files.Files = edits
		if len(edits) == 0 {
			return o, nil
		}
		o.id, o.about = subject(edits)
		if o.summary == "" {
			o.summary = handiwork(edits)
		}
		before := committed(edits, set)
		fresh, old := newErrors(validate.Set(before, now), validate.Set(set, now))
		if len(fresh) > 0 {
			return nil, p.refusal(fresh, edits)
		}
		if old > 0 {
			o.remarks = append(o.remarks, fmt.Sprintf("%s older than these edits: ckpt validate", count(old, "error")))
		}
		return o, nil
	})
}

// refusal names the first error that edits bring: one in an edited file, if any,
// rather than one that they cause elsewhere.
func (p *Project) refusal(fresh []report.Finding, edits []change.File) error {
	f := fresh[0]
	for _, found := range fresh {
		if slices.ContainsFunc(edits, func(e change.File) bool { return e.Path == found.Path }) {
			f = found
			break
		}
	}
	more := ""
	if n := len(fresh) - 1; n > 0 {
		more = fmt.Sprintf(", and %s (ckpt validate)", count(n, "more error"))
	}
	place := p.fromRoot(f.Path)
	if f.Line > 0 {
		place = fmt.Sprintf("%s, line %d", place, f.Line)
	}
	return fault.New(fault.Invalid, "%s: %s [%s]%s", place, f.Message, f.Code, more).
		WithHint("%s, then ckpt save", strings.TrimSuffix(f.Fix, "."))
}

// edits are the files of the folder, or of active/ alone, that differ from the last
// commit.
func (p *Project) edits(ctx context.Context, scope store.Scope) ([]change.File, error) {
	tree, err := p.committedFiles(scope)
	if err != nil {
		return nil, err
	}
	paths, err := p.Store.Files(scope)
	if err != nil {
		return nil, err
	}
	var edits []change.File
	for _, rel := range paths {
		if byHand, err := p.byHand(ctx, rel, tree[rel]); err != nil {
			return nil, err
		} else if !byHand {
			delete(tree, rel)
			continue
		}
		src, err := p.Store.Read(rel)
		if err != nil {
			delete(tree, rel)
			continue // every listing says that it cannot be read
		}
		f := change.File{Path: rel, After: src}
		if name, known := tree[rel]; known {
			delete(tree, rel)
			if name == git.BlobHash(src) {
				continue
			}
			if same, err := p.Repo.Holds(ctx, []change.File{{Path: p.fromRoot(rel), After: src}}); err != nil || same {
				if err != nil {
					return nil, err
				}
				continue // only its line endings differ, by git's own rules
			}
			if f.Before, err = p.Repo.Blob(name); err != nil {
				return nil, err
			}
		}
		edits = append(edits, f)
	}
	hidden, err := p.hidden(ctx, tree)
	if err != nil {
		return nil, err
	}
	for rel, name := range tree { // gone from the disk
		if hidden[p.fromRoot(rel)] {
			continue
		}
		if !store.Keeps(rel) {
			continue
		}
		if _, laid := p.Store.Overlay[rel]; laid || p.Store.Has(rel) {
			continue // not gone: a link, which is its owner's business
		}
		src, err := p.Repo.Blob(name)
		if err != nil {
			return nil, err
		}
		edits = append(edits, change.File{Path: rel, Before: src})
	}
	slices.SortFunc(edits, func(a, b change.File) int { return strings.Compare(a.Path, b.Path) })
	return edits, nil
}

// committedFiles are the files of the folder, or of active/ alone, in the last
// commit: their paths in the folder, and the hashes.
func (p *Project) committedFiles(scope store.Scope) (map[string]string, error) {
	if scope == store.All {
		return p.Repo.Tree(p.prefix)
	}
	active, err := p.Repo.Tree(p.fromRoot(store.Active))
	files := make(map[string]string, len(active))
	for rel, name := range active {
		files[store.Active+"/"+rel] = name
	}
	return files, err
}

// hidden are the files of a folder's tree that are not in the working tree because
// a sparse checkout leaves them out.
func (p *Project) hidden(ctx context.Context, tree map[string]string) (map[string]bool, error) {
	var gone []string
	for rel := range tree {
		if store.Keeps(rel) && !p.Store.Has(rel) {
			gone = append(gone, p.fromRoot(rel))
		}
	}
	if len(gone) == 0 {
		return nil, nil
	}
	slices.Sort(gone)
	return p.Repo.Sparse(ctx, gone)
}

// subject is the checkpoint that edits are about, where it is only one.
func subject(edits []change.File) (id, path string) {
	for _, f := range edits {
		if !isCheckpointPath(f.Path) {
			continue
		}
		src := f.After
		if src == nil {
			src = f.Before
		}
		c, err := checkpoint.Parse(f.Path, src)
		if err != nil {
			continue
		}
		if id != "" && id != c.ID {
			return "", ""
		}
		id, path = c.ID, f.Path
	}
	return id, path
}

// handiwork says what was done by hand, and to what.
func handiwork(edits []change.File) string {
	gone := slices.DeleteFunc(slices.Clone(edits), func(f change.File) bool { return f.After != nil })
	left := slices.DeleteFunc(slices.Clone(edits), func(f change.File) bool { return f.After == nil })
	switch {
	case len(gone) == 0:
		return "edited by hand: " + names(left)
	case len(left) == 0:
		return "deleted by hand: " + names(gone)
	}
	return "edited by hand: " + names(left) + "; deleted: " + names(gone)
}

func names(edits []change.File) string {
	var all []string
	for _, f := range edits {
		all = append(all, strings.TrimSuffix(f.Path[strings.LastIndexByte(f.Path, '/')+1:], ".md"))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:2], ", "), len(all)-2)
	}
	return strings.Join(all, ", ")
}

// committed is the set as the last commit has it.
func committed(edits []change.File, set *checkpoint.Set) *checkpoint.Set {
	before := &checkpoint.Set{}
	edited := func(path string) bool {
		return slices.ContainsFunc(edits, func(f change.File) bool { return f.Path == path })
	}
	for _, c := range set.All {
		if !edited(c.Path) {
			before.All = append(before.All, c)
		}
	}
	for _, b := range set.Broken {
		if !edited(b.Path) {
			before.Broken = append(before.Broken, b)
		}
	}
	for _, f := range edits {
		if f.Before == nil || !isCheckpointPath(f.Path) {
			continue
		}
		if c, err := checkpoint.Parse(f.Path, f.Before); err == nil {
			before.All = append(before.All, c)
		} else {
			before.Broken = append(before.Broken, checkpoint.Broken{Path: f.Path, Err: err})
		}
	}
	return before
}

// newErrors are the errors of after that before did not have, and the number of
// those that it had.
func newErrors(before, after report.Report) (fresh []report.Finding, old int) {
	known := map[string]int{}
	key := func(f report.Finding) string { return f.Code + " " + f.ID }
	for _, f := range before.Findings {
		if f.Severity == report.Error {
			known[key(f)]++
		}
	}
	for _, f := range after.Findings {
		if f.Severity != report.Error {
			continue
		}
		if known[key(f)] > 0 {
			known[key(f)]--
			old++
			continue
		}
		fresh = append(fresh, f)
	}
	return fresh, old
}

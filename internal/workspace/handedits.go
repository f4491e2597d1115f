package workspace

import (
	"context"
	"slices"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/validate"
	"example.com/ckpt/internal/workspace/store"
)

// handEdits checks the checkpoint files that an operation changes for uncommitted edits by hand:
// the commit will contain them, too, since a file is committed as a whole. It adds a remark on
// them. As save does, it refuses edits that add an error, unless the operation itself removes the
// error.
func (a *applying) handEdits(ctx context.Context) error {
	p, o := a.view, a.tx
	var held []change.File // find the files whose content on disk differs from the last commit
	for _, f := range o.Files.Files {
		held = append(held, change.File{Path: f.Path, After: f.Before})
	}
	edited, err := p.Lacks(ctx, held)
	o.clean = err == nil && len(edited) == 0
	if o.clean || err != nil {
		return err // in nearly all cases none differs, and one check is enough
	}
	lacks := map[string]bool{}
	for _, f := range edited {
		lacks[f.Path] = true
	}
	for _, f := range o.Files.Files {
		path := p.FromRoot(f.Path)
		if f.Before == nil || !store.IsCheckpoint(f.Path) || !lacks[f.Path] {
			continue
		}
		if p.IsKept(ctx, f, a.cfg.Commit) {
			continue
		}
		lost, err := a.soundEdit(ctx, f, o.after(f))
		if err != nil {
			return err
		}
		o.Remarks = append(o.Remarks, "the commit also holds your own edits of "+path)
		o.Remarks = append(o.Remarks, lost...)
	}
	return nil
}

// soundEdit refuses an edit by hand that adds an error which the last commit of the file did not
// have, if the checkpoint still has it after the operation (nil: it is deleted). It returns a
// description of what the edit has removed.
func (a *applying) soundEdit(ctx context.Context, f change.File,
	left *checkpoint.Checkpoint) (lost []string, err error) {
	if left == nil {
		return nil, nil
	}
	src, err := a.view.LastCommitted(ctx, f.Path)
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil // no commit has the file yet, so there is nothing to compare with
	}
	if err != nil {
		return nil, err
	}
	before, err := checkpoint.Parse(f.Path, src)
	if err != nil {
		return nil, nil // the committed version was unreadable: any edit improves it
	}
	after, err := checkpoint.Parse(f.Path, f.Before)
	if err != nil {
		return nil, err
	}
	check := func(c *checkpoint.Checkpoint) result.Report {
		return result.Report{Findings: validate.Checkpoint(c, a.now)}
	}
	fresh, _ := NewErrors(check(before), check(after))
	stay, _ := NewErrors(check(before), check(left))
	fresh = slices.DeleteFunc(fresh, func(f result.Finding) bool {
		return !slices.ContainsFunc(stay, func(s result.Finding) bool { return s.Code == f.Code })
	})
	if len(fresh) > 0 {
		return nil, Refusal(a.view.FilesDir, fresh, []change.File{f})
	}
	return removed(before, after), nil
}

// after returns the checkpoint of a file after the transaction, even if it moves. It returns nil if
// the checkpoint is removed or cannot be read.
func (o *Tx) after(f change.File) *checkpoint.Checkpoint {
	if !f.Gone() {
		return heldBy(f)
	}
	was, err := checkpoint.Parse(f.Path, f.Before)
	if err != nil {
		return nil
	}
	for _, moved := range o.Files.Files {
		if moved.Before != nil || !store.IsCheckpoint(moved.Path) {
			continue
		}
		if c := heldBy(moved); c != nil && c.ID == was.ID {
			return c
		}
	}
	return nil
}

// heldBy returns the checkpoint in the new content of a file, or nil if it cannot be read.
func heldBy(f change.File) *checkpoint.Checkpoint {
	c, err := checkpoint.Parse(f.Path, f.After)
	if err != nil {
		return nil
	}
	return c
}

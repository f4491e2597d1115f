package workspace

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/validate"
	"example.com/ckpt/internal/workspace/byhand"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// SaveEdits returns the transaction that commits edits by hand. Without a summary it makes one that describes them.
func SaveEdits(edits []change.File, summary string) *Tx {
	o := &Tx{Op: OpSave, Mode: Save, Files: change.Set{Files: edits}}
	o.Summary = cmp.Or(summary, byhand.Summary(edits))
	ids, file := byhand.Subject(edits)
	if len(ids) == 1 {
		o.ID, o.Path, ids = ids[0], file, nil
	}
	for _, id := range ids {
		o.Trailers = append(o.Trailers, TrailerID+": "+id)
	}
	return o
}

// saveEdits commits edits by hand of the transaction's files as an operation of their own, so that an undo of the
// transaction keeps them. Afterwards the view is out of date.
func (a *applying) saveEdits(ctx context.Context, edits []change.File, remarks []string) (*result.Receipt, error) {
	o := SaveEdits(edits, "")
	save := &applying{w: a.w, view: a.view, tx: o, cfg: a.cfg, now: a.now, receipt: Receipt(a.folder(), o)}
	if err := save.perform(ctx); err != nil {
		return nil, err
	}
	r := save.receipt
	remark := "saved your edits of " + strings.Join(r.Files, ", ") + " first"
	if slices.ContainsFunc(edits, change.File.Gone) {
		remark = "saved your edits first: " + o.Summary
	}
	if r.Commit != "" {
		remark += " [" + r.Commit[:7] + "]"
	}
	for _, c := range a.view.Set.MarkedCurrent() { // publishing an edited file clears its mark
		if c.Status() == checkpoint.Active && slices.Contains(change.Paths(edits), c.Path) {
			remarks = append(remarks, lostMark(c))
		}
	}
	r.Remarks = append(append([]string{remark}, remarks...), r.Remarks...)
	return r, nil
}

// handEdits returns the edits by hand of the transaction's files since the last commit, and remarks on what they
// have removed. As save does, it refuses edits that add an error, unless the transaction itself removes the error.
func (a *applying) handEdits(ctx context.Context) (edits []change.File, remarks []string, err error) {
	o := a.tx
	var found []change.File
	for _, f := range o.Files.Files {
		if !change.Same(f.Before, f.After) {
			found = append(found, change.File{Path: f.Path, After: f.Before})
		}
	}
	edited, err := a.view.Lacks(ctx, found)
	if len(edited) == 0 || err != nil {
		return nil, nil, err // usually no file differs, and nothing else need be checked
	}
	for _, e := range edited {
		i := slices.IndexFunc(o.Files.Files, func(f change.File) bool { return f.Path == e.Path })
		f := o.Files.Files[i]
		if f.Before == nil && checkpoint.IsFile(f.Path) {
			continue
		}
		e.Before, err = a.view.LastCommitted(ctx, f.Path)
		if err != nil {
			return nil, nil, err
		}
		if checkpoint.IsFile(f.Path) {
			lost, err := a.soundEdit(f, e.Before)
			if err != nil {
				return nil, nil, err
			}
			remarks = append(remarks, lost...)
		}
		edits = append(edits, e)
		if id := checkpoint.IDIn(f.Before); id != "" && id != checkpoint.IDIn(e.Before) {
			gone, err := a.goneWith(ctx, id)
			if err != nil {
				return nil, nil, err
			}
			edits = append(edits, gone...)
		}
	}
	return edits, remarks, nil
}

// goneWith returns the files of a checkpoint that were removed by hand, for example because its file was renamed. If
// the committed file still exists, another one with the same id is a copy, and goneWith returns an error.
func (a *applying) goneWith(ctx context.Context, id string) ([]change.File, error) {
	v, err := a.view.Load(store.All)
	if err != nil {
		return nil, err
	}
	stays := func(c *checkpoint.Checkpoint) bool {
		was := v.Store.Committed(c.Path)
		return c.ID == id && was != nil && was.ID == id
	}
	if slices.ContainsFunc(v.Set.All, stays) {
		_, err := v.Set.Whole(id)
		return nil, err
	}
	all, err := v.Edits(ctx, store.All)
	return slices.DeleteFunc(all, func(f change.File) bool {
		return !f.Gone() || checkpoint.IDIn(f.Before) != id
	}), err
}

// Gone returns remarks on the checkpoints that edits by hand have deleted from active/ or moved.
func (v *View) Gone(ctx context.Context) (remarks []string, err error) {
	gone, err := v.Edits(ctx, store.Live)
	gone = slices.DeleteFunc(gone, func(f change.File) bool { return !f.Gone() || !checkpoint.IsFile(f.Path) })
	if len(gone) == 0 {
		return nil, err
	}
	all, err := v.Edits(ctx, store.All)
	moved := folder.Moved(all)
	for _, f := range gone {
		path := v.FromRoot(f.Path)
		if !v.Repo.Worktree().Exists(v.FilesDir) {
			path = v.FilesDir + "/"
		}
		remark := path + " is deleted, and no commit says so (git restore " + path + ", or ckpt save)"
		if to := moved[f.Path]; to != "" {
			remark = path + " was " + folder.MovedTo(f.Path, to) + ", and no commit says so (ckpt save)"
		}
		remarks = append(remarks, remark)
	}
	return slices.Compact(remarks), err
}

// soundEdit refuses an edit by hand that adds an error, unless the operation removes the error or the checkpoint. It
// also refuses a text without a `checkpoint:` key: if it were committed, no listing would show the checkpoint any more.
// It returns descriptions of what the edit has removed.
func (a *applying) soundEdit(f change.File, committed []byte) (lost []string, err error) {
	before, beforeErr := checkpoint.Parse(f.Path, committed)
	after, afterErr := checkpoint.Parse(f.Path, f.Before)
	if beforeErr == nil && errors.Is(afterErr, checkpoint.ErrOther) {
		return nil, fault.New(fault.Invalid, "%s is not a checkpoint any more", a.view.FromRoot(f.Path)).
			WithHint("ckpt doctor --fix restores its last good version, and keeps this text beside it")
	}
	if beforeErr != nil || afterErr != nil || after.ID != before.ID { // nothing to compare
		return nil, nil
	}
	left, stays := (&checkpoint.Set{}).After(a.tx.Files.Files).Get(after.ID)
	if !stays {
		return nil, nil
	}
	check := func(c *checkpoint.Checkpoint) result.Report {
		return result.Report{Findings: validate.Checkpoint(c, a.now)}
	}
	fresh, _ := byhand.NewErrors(check(before), check(after))
	stay, _ := byhand.NewErrors(check(before), check(left))
	fresh = slices.DeleteFunc(fresh, func(f result.Finding) bool {
		return !slices.ContainsFunc(stay, func(s result.Finding) bool { return s.Code == f.Code })
	})
	if len(fresh) > 0 {
		return nil, byhand.Refusal(a.view.FilesDir, fresh, []change.File{f})
	}
	return byhand.Lost(before, after, "ckpt undo 2"), nil
}

package workspace

import (
	"cmp"
	"slices"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/workspace/checkout"
)

// ClearCurrents makes the transaction unmark all checkpoints that are marked as current, except the one with the id
// except. They become active. It returns them as they were before.
func (o *Tx) ClearCurrents(set *checkpoint.Set, except string) (cleared []*checkpoint.Checkpoint) {
	for _, c := range set.MarkedCurrent() {
		if c.ID != except {
			o.Put(c.Path, c.Doc.Bytes(), checkout.Shared(c.Path, c.Doc.Bytes()))
			cleared = append(cleared, c)
		}
	}
	return cleared
}

// MarkCurrent makes the transaction mark the checkpoint with an id as current, and unmark all others. If that
// checkpoint is not active after the transaction, none is current.
func (o *Tx) MarkCurrent(v *View, id string) {
	for _, f := range slices.Clone(o.Files.Files) {
		if !f.Gone() {
			o.Put(f.Path, f.Before, checkout.Shown(f.Path, checkout.Shared(f.Path, f.After), id))
		}
	}
	for _, c := range v.Set.All {
		_, planned := o.Files.After(c.Path)
		if !planned && c.MarkedCurrent() != (c.ID == id) && !checkpoint.InArchive(c.Path) {
			o.Put(c.Path, c.Doc.Bytes(), checkout.Shown(c.Path, checkout.Shared(c.Path, c.Doc.Bytes()), id))
		}
	}
}

// leaveOneMark unmarks all but the current checkpoint if several are marked, as after a merge. It does nothing for
// undo, redo and resolve, or for an operation without files other than save. It never unmarks the only marked
// checkpoint: otherwise two clones could take the mark from each other.
func (o *Tx) leaveOneMark(v *View) {
	restores := o.takesBack() || o.Op == OpResolve
	changes := o.Mode == Save || !o.Files.Empty()
	if len(v.Set.MarkedCurrent()) < 2 || restores || !changes {
		return
	}
	after := v.Set.After(o.Files.Files)
	current, was := after.Current(), v.Set.Current()
	if c, ok := after.Get(was.ID); ok && c.MarkedCurrent() {
		current = c
	}
	if o.Mode == Save { // without edits it has no summary
		o.Summary = cmp.Or(o.Summary, "one checkpoint is current: "+current.ID)
	}
	planned := slices.Clone(o.Files.Files)
	for _, c := range o.ClearCurrents(after, current.ID) {
		if !slices.ContainsFunc(planned, func(f change.File) bool { return f.Path == c.Path }) {
			o.cleared = append(o.cleared, c)
		}
		o.Remarks = append(o.Remarks, lostMark(c))
	}
}

func lostMark(c *checkpoint.Checkpoint) string {
	return c.ID + " was marked current, too, and is active now (ckpt use " + c.ID + ")"
}

// keepMarks drops the changes that only unmark checkpoints, because they may have caused err. Remarks are those of the
// transaction before the check that returned err.
func (o *Tx) keepMarks(remarks []string, err error) {
	o.Remarks = remarks
	for _, c := range o.cleared {
		o.Put(c.Path, c.Doc.Bytes(), c.Doc.Bytes())
		o.Remarks[slices.Index(o.Remarks, lostMark(c))] = c.ID + " stays marked current, too: " + err.Error()
	}
	o.cleared = nil
}

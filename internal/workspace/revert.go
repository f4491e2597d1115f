package workspace

import (
	"slices"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/workspace/store"
)

// KeepCurrent prevents an undo from making a checkpoint current again if another one has become
// current since.
func (o *Tx) KeepCurrent(set *checkpoint.Set) error {
	current := set.Current()
	if current == nil {
		return nil
	}
	if _, planned := o.Files.After(current.Path); planned {
		return nil
	}
	for _, f := range slices.Clone(o.Files.Files) {
		if f.After == nil || !store.IsCheckpoint(f.Path) {
			continue
		}
		c, err := checkpoint.Parse(f.Path, f.After)
		if err != nil || !c.MarkedCurrent() {
			continue
		}
		if old, err := checkpoint.Parse(f.Path, f.Before); f.Before != nil && err == nil && old.MarkedCurrent() {
			continue // the checkpoint is current now
		}
		cleared, err := revise.Begin(c).SetStatus(checkpoint.Active).Apply()
		if err != nil {
			return err
		}
		o.Files.Add(change.File{Path: f.Path, Before: f.Before, After: cleared.Doc.Bytes()})
	}
	return nil
}

package workspace

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/store"
)

// Harvest copies the learnings of an archived checkpoint into LEARNINGS.md, as entries with the given time.
func (o *Tx) Harvest(view *View, done *checkpoint.Checkpoint, at time.Time) error {
	bullets := done.Learnings()
	if len(bullets) == 0 {
		return nil
	}
	src, err := view.Store.ReadLearnings()
	if err != nil {
		return err
	}
	out := learnings.Add(src, done.ID, at, bullets)
	o.Put(store.Learnings, src, out)
	if !change.Same(src, out) {
		o.Remarks = append(o.Remarks,
			fmt.Sprintf("%s in %s", text.Count(len(bullets), "learning"), view.FromRoot(store.Learnings)))
	}
	return nil
}

// Unharvest removes the learnings of a checkpoint from LEARNINGS.md, except those that were edited.
func (o *Tx) Unharvest(view *View, c *checkpoint.Checkpoint) error {
	src, err := view.Store.ReadLearnings()
	if err != nil || src == nil {
		return err
	}
	out, taken, others := learnings.Remove(src, c.ID, c.Learnings())
	o.Put(store.Learnings, src, out)
	if taken > 0 {
		o.Remarks = append(o.Remarks, fmt.Sprintf("%s taken out of %s (ckpt undo puts them back)",
			text.Count(taken, "learning"), view.FromRoot(store.Learnings)))
	}
	if len(others) > 0 {
		o.Remarks = append(o.Remarks, fmt.Sprintf("%s not in its Completion: left in %s",
			text.Count(len(others), "learning"), view.FromRoot(store.Learnings)))
	}
	return nil
}

// ReturnToParent adds the outcome of an archived checkpoint as a step to its parent, and makes the parent current.
func (o *Tx) ReturnToParent(set *checkpoint.Set, c, done *checkpoint.Checkpoint) error {
	parent, ok := Live(set).Get(c.Parent())
	switch {
	case c.Parent() == "":
		return fault.New(fault.Usage, "%s has no parent to go back to", c.ID).WithHint("ckpt archive %s without --back", c.ID)
	case !ok:
		return fault.New(fault.Usage, "the parent of %s, %s, is not active", c.ID, c.Parent()).
			WithHint("ckpt archive %s without --back", c.ID)
	}
	o.ClearCurrents(set, parent.ID)
	// Remove the file in active/, which ClearCurrents may have put back.
	o.Put(c.Path, c.Doc.Bytes(), nil)
	r := revise.Begin(parent).Bullet(checkpoint.PlayByPlay, revise.ArchivedStep(done))
	revised, err := r.SetStatus(checkpoint.Current).Apply()
	if err != nil {
		return err
	}
	o.Revise(parent, revised)
	o.Remarks = append(o.Remarks, parent.ID+" is current again")
	if own := ownDecisions(done, parent); len(own) > 0 {
		o.Remarks = append(o.Remarks,
			fmt.Sprintf("%s lacks %s of %s: %s (ckpt note decision TEXT --why TEXT takes one over)",
				parent.ID, text.Count(len(own), "decision"), done.ID, strings.Join(own, "; ")))
	}
	return nil
}

// ownDecisions returns the decisions of a child that are in force and that its parent does not have.
func ownDecisions(child, parent *checkpoint.Checkpoint) []string {
	known := parent.Decisions()
	var own []string
	for _, d := range child.Decisions() {
		isKnown := func(k checkpoint.Decision) bool { return k.What == d.What }
		if d.Live() && !slices.ContainsFunc(known, isKnown) {
			own = append(own, d.What)
		}
	}
	return own
}

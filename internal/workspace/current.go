package workspace

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
)

// Current returns the current checkpoint of a set. If there is none, the error lists active ones.
func Current(set *checkpoint.Set) (*checkpoint.Checkpoint, error) {
	if c := set.Current(); c != nil {
		return c, nil
	}
	active, all := Candidates(set)
	if len(active) == 0 {
		return nil, fault.New(fault.NotFound, "%w is active", checkpoint.ErrNone).
			WithHint("ckpt new NAME --problem TEXT; ckpt list --all")
	}
	hint := "ckpt use " + active[0]
	if !all {
		hint += "   (ckpt list shows all)"
	}
	return nil, fault.New(fault.NotFound, "no checkpoint is current; active: %s", strings.Join(active, ", ")).
		WithHint("%s", hint)
}

// AlsoMarked returns a remark on the checkpoints that are marked as current besides the current
// one; nil if there are none.
func AlsoMarked(current string, marked []string) []string {
	others := slices.DeleteFunc(slices.Clone(marked), func(id string) bool { return id == current })
	if len(others) == 0 {
		return nil
	}
	return []string{"marked current, too, as after a merge: " + strings.Join(others, ", ") + "; " + current +
		" counts here (ckpt use ID leaves one)"}
}

// AlsoMarkedIn returns the remark of AlsoMarked for a set.
func AlsoMarkedIn(set *checkpoint.Set) []string {
	if c := set.Current(); c != nil {
		return AlsoMarked(c.ID, IDs(set.MarkedCurrent()))
	}
	return nil
}

// WithoutCurrent returns a remark for an operation that removes the current checkpoint. It names the one that is
// current now, or the command that chooses one.
func WithoutCurrent(set *checkpoint.Set, gone *checkpoint.Checkpoint) string {
	all := slices.DeleteFunc(slices.Clone(set.All), func(c *checkpoint.Checkpoint) bool { return c.Path == gone.Path })
	if c := set.With(all).Current(); c != nil {
		return c.ID + " is current now: it was marked so, too"
	}
	next := "use ID"
	if c := set.With(all).Successor(gone); c != nil {
		next = "use " + c.ID
	} else if active, _ := Candidates(set.With(all)); len(active) == 0 {
		next = "new NAME begins one"
	}
	return "no checkpoint is current now (ckpt " + next + ")"
}

// takesBack reports whether the transaction undoes or redoes operations.
func (o *Tx) takesBack() bool { return o.Op == OpUndo || o.Op == OpRedo }

// rememberCurrent records the current checkpoint as the previous one of the worktree, for `use -`, if the operation
// makes another checkpoint current.
func (a *applying) rememberCurrent() {
	set, o, state := a.view.Set, a.tx, &a.view.state
	before := set.Current()
	touched := func(f change.File) bool { return f.Path == before.Path }
	if before != nil && !o.takesBack() && !slices.ContainsFunc(o.Files.Files, touched) {
		return // the current checkpoint stays: replacing it would also change its file
	}
	if o.Op == OpImport && o.ID == "" {
		return // an import of several checkpoints makes none of them current
	}
	after := set.After(o.Files.Files)
	now := after.Current()
	if o.takesBack() && now != nil { // prefer the previous checkpoint: undo and redo can mark it again
		previous, _ := state.Previous()
		if c, ok := after.Get(previous); ok && c.MarkedCurrent() {
			now = c
		}
	}
	if before != nil && (now == nil || now.ID != before.ID) {
		state.Leave(before.ID, a.now)
	}
}

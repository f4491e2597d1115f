package revisions

import (
	"slices"

	"example.com/ckpt/internal/checkpoint"
)

// Comparison is a comparison of a checkpoint at two times.
type Comparison struct {
	ID   string
	From Version
	To   *Version // nil for the present file
	Diff *Diff
}

// Fork compares a forked checkpoint with its parent, in the decisions, context and rules that
// it began with.
type Fork struct {
	ID, Parent string
	Since      *Version // the parent at the time of the fork; nil if that version is not known
	Own        *Diff    // what the fork changed and added
	Gained     *Diff    // what the parent has gained since the fork; the fork lacks it
	Remarks    []string
}

// inherited lists the sections that a fork begins with.
var inherited = []checkpoint.Kind{checkpoint.Decisions, checkpoint.Context, checkpoint.Rules}

// Forked compares a fork with its parent as it was then and as it is now.
func Forked(then, now, fork *checkpoint.Checkpoint) (own, gained *Diff) {
	child := Read(fork.Doc)
	own = Compare(Read(then.Doc), child).Only(inherited...)
	gained = Compare(Read(then.Doc), Read(now.Doc)).Only(inherited...)
	struck := map[string]bool{} // a fork begins with live decisions only
	for _, d := range then.Decisions() {
		struck[d.Text] = !d.Live()
	}
	own.drop(func(text string) bool { return struck[text] }, nil)
	has := map[string]bool{}
	for _, p := range child.parts {
		if p.Known && slices.Contains(inherited, p.Kind) {
			for _, e := range p.Entries() {
				has[e.Text] = true
			}
		}
	}
	gained.drop(func(text string) bool { return !has[text] }, func(text string) bool { return has[text] })
	return own, gained
}

// drop removes three things from a diff: removed entries for which removed returns true, added or
// reworded entries for which added returns true, and sections that are empty then.
func (d *Diff) drop(removed, added func(text string) bool) {
	for i := range d.Sections {
		s := &d.Sections[i]
		s.Removed = slices.DeleteFunc(s.Removed, removed)
		if added != nil {
			s.Added = slices.DeleteFunc(s.Added, added)
			s.Reworded = slices.DeleteFunc(s.Reworded, func(r Reworded) bool { return added(r.After) || removed(r.Before) })
			s.Reordered = false
			if s.Prose != nil && added(s.Prose.After) {
				s.Prose = nil
			}
		}
	}
	d.Sections = slices.DeleteFunc(d.Sections, Section.empty)
}

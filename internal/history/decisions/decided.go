// Package decisions follows decisions through the versions of a checkpoint: who made each, in which commit, who
// reworded or superseded it, and whether it ever disappeared. The format lets decisions accumulate: a decision is
// struck through, never removed. One that is missing and was not struck through is lost.
package decisions

import (
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/history/revisions"
)

// Version is a checkpoint in one commit. Without a commit it is the present file with uncommitted changes.
type Version struct {
	revisions.Version
	Parents    []int // the earlier versions from which it was made, as indices in the list for Follow
	Checkpoint *checkpoint.Checkpoint
}

// Decision is a present or former decision of a checkpoint, with its history.
type Decision struct {
	checkpoint.Decision                     // its present or last form
	Line                int                 // the line in the present version, from 1
	Made                revisions.Version   // the first version that has it
	Reworded            []revisions.Version // the versions that changed its words, oldest first
	Struck              *revisions.Version  // the version that superseded it; nil if it is live
}

// Loss is the removal of a decision by one commit.
type Loss struct {
	Decision checkpoint.Decision // the decision before the removal
	Made     revisions.Version
	In       revisions.Version  // the version that removed it
	Back     *revisions.Version // the version that restored it, if any
	Undone   bool               // an undo or a restore removed the decision
	WasGone  bool               // the decision was superseded before its removal

	of *thread
}

// Fails reports whether the loss breaks the rule that no decision disappears.
func (l Loss) Fails() bool { return !l.Undone && !l.WasGone }

// Record is the result of [Follow].
type Record struct {
	ID        string
	Path      string     // slash path relative to the checkpoints folder
	Decisions []Decision // the decisions of the present version, in the order of the file
	Losses    []Loss     // oldest first
	Checked   int        // the number of versions that were read
	Warnings  []string   // which versions could not be read, and where history is cut off
}

// Live counts the decisions that are not superseded.
func (r *Record) Live() int {
	n := 0
	for _, d := range r.Decisions {
		if d.Decision.Live() {
			n++
		}
	}
	return n
}

// Lost counts the losses for which Fails is true.
func (r *Record) Lost() int {
	n := 0
	for _, l := range r.Losses {
		if l.Fails() {
			n++
		}
	}
	return n
}

// thread is one decision, followed through all versions.
type thread struct {
	last     checkpoint.Decision
	made     revisions.Version
	reworded []revisions.Version
	struck   *revisions.Version
}

// Follow follows decisions through versions, in which each version comes after its parents. Present is the index of the
// present checkpoint. It need not be the last one, since other lines of history may go on beside it.
func Follow(versions []Version, present int) *Record {
	n := len(versions)
	f := follower{held: make([][]held, n), gone: make([][]removed, n), record: &Record{Checked: n}}
	for i, v := range versions {
		f.step(i, v)
	}
	if n > 0 {
		last := versions[present].Checkpoint
		f.record.ID, f.record.Path = last.ID, last.Path
		for _, h := range f.held[present] {
			f.record.Decisions = append(f.record.Decisions, Decision{
				Decision: h.Decision, Line: last.Doc.Line(h.Span.Start), Made: h.made, Reworded: h.reworded, Struck: h.struck,
			})
		}
	}
	return f.record
}

// held is a decision in one version, with its thread.
type held struct {
	checkpoint.Decision
	*thread
}

type follower struct {
	held   [][]held    // the decisions by version
	gone   [][]removed // by version, the decisions that were removed before and are not restored
	record *Record
}

// removed is a decision that was removed. Loss is the index of the removal in record.Losses.
type removed struct {
	*thread
	loss int
}

// step gives every decision of version i its thread. That is the thread of a decision with the same words in a parent,
// or else of the decision that it reworded, or else of a removed decision that is back, or else a new one.
func (f *follower) step(i int, v Version) {
	var now []held
	for _, d := range v.Checkpoint.Decisions() {
		now = append(now, held{Decision: d})
	}
	for _, p := range v.Parents {
		f.same(f.held[p], now)
	}
	for _, p := range v.Parents {
		f.reworded(f.held[p], now)
	}
	f.back(i, v, now)
	for j := range now {
		if now[j].thread == nil {
			now[j].thread = &thread{made: v.Version}
			if now[j].Struck {
				now[j].struck = &v.Version
			}
		} else {
			f.compare(v.Parents, now[j], v.Version)
		}
		now[j].last = now[j].Decision
	}
	f.held[i] = now
	for _, p := range v.Parents {
		f.lost(i, f.held[p], v.Version)
	}
}

// same gives decisions the threads of earlier ones with the same words. It prefers those with the
// same reason, because two lines of history may have made the same decision.
func (f *follower) same(before, now []held) {
	matched := map[*thread]bool{}
	taken := make([]bool, len(now))
	for _, reason := range []bool{true, false} {
		for _, b := range before {
			for j := range now {
				free := !taken[j] && !matched[b.thread] && (now[j].thread == nil || now[j].thread == b.thread)
				like := !reason || b.Why == now[j].Why
				if free && like && sameWhat(b.Decision, now[j].Decision) {
					now[j].thread, taken[j], matched[b.thread] = b.thread, true, true
					break
				}
			}
		}
	}
}

// reworded gives the thread of each decision that is gone to the new decision with the most similar words.
func (f *follower) reworded(before, now []held) {
	for _, b := range before {
		if has(now, b.thread, b.Decision) {
			continue
		}
		best, at := 0.0, -1
		for j := range now {
			if near := likeness(b.Decision, now[j].Decision); now[j].thread == nil && near > best {
				best, at = near, j
			}
		}
		if at >= 0 {
			now[at].thread = b.thread
		}
	}
}

// has reports whether a version has a decision: in the same thread, or with the same words, since
// another branch may have added it, too.
func has(now []held, t *thread, d checkpoint.Decision) bool {
	return slices.ContainsFunc(now, func(h held) bool { return h.thread == t }) ||
		slices.ContainsFunc(now, func(h held) bool { return sameWhat(h.Decision, d) })
}

// back finds decisions of version i that an earlier commit on some line of history removed, and records their return.
func (f *follower) back(i int, v Version, now []held) {
	for _, p := range v.Parents {
		for _, r := range f.gone[p] {
			j := slices.IndexFunc(now, func(h held) bool { return h.thread == r.thread })
			if j < 0 {
				j = slices.IndexFunc(now, func(h held) bool { return h.thread == nil && sameWhat(r.last, h.Decision) })
			}
			if j < 0 {
				f.gone[i] = append(f.gone[i], r)
				continue
			}
			now[j].thread = r.thread
			if loss := &f.record.Losses[r.loss]; loss.Back == nil {
				loss.Back = &v.Version
			}
		}
	}
}

// lost records each decision that a parent has and version i lacks. It leaves out a decision if another parent has
// already lost it, or one with the same words. A loss in several copies of a rebased commit counts once.
func (f *follower) lost(i int, before []held, in revisions.Version) {
	for _, b := range before {
		isGone := slices.ContainsFunc(f.gone[i], func(r removed) bool {
			return r.thread == b.thread || sameWhat(r.last, b.Decision)
		})
		if isGone || has(f.held[i], b.thread, b.Decision) {
			continue
		}
		n := slices.IndexFunc(f.record.Losses, func(l Loss) bool {
			lost := l.Back == nil && l.of == b.thread
			return lost && l.In.Subject == in.Subject && l.In.Email == in.Email
		})
		if n < 0 {
			n = len(f.record.Losses)
			f.record.Losses = append(f.record.Losses, Loss{
				Decision: b.Decision, Made: b.made, In: in, Undone: in.TakesBack, WasGone: b.Struck, of: b.thread,
			})
		}
		f.gone[i] = append(f.gone[i], removed{b.thread, n})
	}
}

// compare records whether a commit reworded or superseded an earlier decision. It did if no parent has the new words or
// the strike-through.
func (f *follower) compare(parents []int, h held, in revisions.Version) {
	said, struck, live := false, false, false
	for _, p := range parents {
		for _, b := range f.held[p] {
			if b.thread == h.thread {
				said = said || b.What == h.What && b.Why == h.Why
				struck, live = struck || b.Struck, live || !b.Struck
			}
		}
	}
	if !said && (struck || live) {
		h.thread.reworded = append(h.thread.reworded, in)
	}
	switch {
	case h.Struck && !struck:
		h.thread.struck = &in
	case !h.Struck && struck:
		h.thread.struck = nil
	}
}

// Package decisions follows decisions through the versions of a checkpoint: who made each, in
// which commit, who reworded or superseded it, and whether it ever disappeared. The format
// lets decisions accumulate: a decision is struck through, never removed. One that is missing
// and was not struck through is lost.
package decisions

import (
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/history/revisions"
)

// Version is a checkpoint in one commit. If it has no commit, it is the present file with
// changes that are in no commit yet.
type Version struct {
	revisions.Version
	Parents    []int // the earlier versions that it came from, as indices in the list
	Checkpoint *checkpoint.Checkpoint
}

// Decision is a present or former decision of a checkpoint, with its past.
type Decision struct {
	checkpoint.Decision                     // the present or the last form
	Line                int                 // in the last version, from 1; 0 if it is not there
	Made                revisions.Version   // the version that first has it
	Reworded            []revisions.Version // those that changed its words, oldest first
	Struck              *revisions.Version  // the version that superseded it; nil for a live one
}

// Loss is the removal of a decision by one commit.
type Loss struct {
	Decision checkpoint.Decision // before the removal
	Made     revisions.Version
	In       revisions.Version  // the version that lacks it
	Back     *revisions.Version // the version that has it again, if any
	Undone   bool               // an undo or a restore removed it on purpose
	WasGone  bool               // it was superseded before
}

// Fails reports whether the loss breaks the promise that no decision disappears.
func (l Loss) Fails() bool { return !l.Undone && !l.WasGone }

// Record is what the versions show.
type Record struct {
	ID        string
	Path      string     // slash path relative to the checkpoints folder
	Decisions []Decision // of the last version, in the order of the file
	Losses    []Loss     // oldest first
	Checked   int        // how many versions were read
	Warnings  []string   // what was not read
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

// Lost counts the losses that break the promise.
func (r *Record) Lost() int {
	n := 0
	for _, l := range r.Losses {
		if l.Fails() {
			n++
		}
	}
	return n
}

// thread is one decision through all its versions.
type thread struct {
	last     checkpoint.Decision
	made     revisions.Version
	reworded []revisions.Version
	struck   *revisions.Version
	loss     int // the index of its loss in the record, if it is lost now; or -1
}

// Follow reads the versions, each after its parents. The last one is the present checkpoint.
func Follow(versions []Version) *Record {
	f := follower{held: make([][]held, len(versions)), record: &Record{Checked: len(versions)}}
	for i, v := range versions {
		f.step(i, v)
	}
	if len(versions) > 0 {
		last := versions[len(versions)-1].Checkpoint
		f.record.ID, f.record.Path = last.ID, last.Path
		for _, h := range f.held[len(versions)-1] {
			f.record.Decisions = append(f.record.Decisions, Decision{
				Decision: h.Decision, Line: last.Doc.Line(h.Span.Start), Made: h.made, Reworded: h.reworded, Struck: h.struck,
			})
		}
	}
	return f.record
}

// held is a decision of one version and the thread it belongs to.
type held struct {
	checkpoint.Decision
	*thread
}

type follower struct {
	held   [][]held // by version
	gone   []*thread
	record *Record
}

// step gives every decision of version i its thread: that of the same words in a
// version before, else that of the words it took the place of, else a new one.
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
	f.back(now, v.Version)
	for j := range now {
		if now[j].thread == nil {
			now[j].thread = &thread{made: v.Version, loss: -1}
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
		f.lost(f.held[p], now, v.Version)
	}
}

// same passes threads on to decisions with the same words.
func (f *follower) same(before, now []held) {
	taken := make([]bool, len(now))
	for _, b := range before {
		for j := range now {
			free := !taken[j] && (now[j].thread == nil || now[j].thread == b.thread)
			if free && sameWhat(b.Decision, now[j].Decision) {
				now[j].thread, taken[j] = b.thread, true
				break
			}
		}
	}
}

// reworded passes a thread on to the new decision with the most similar words.
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

// has reports whether a version has a decision: as the same thread, or in the same words,
// which another branch may have written too.
func has(now []held, t *thread, d checkpoint.Decision) bool {
	return slices.ContainsFunc(now, func(h held) bool { return h.thread == t || sameWhat(h.Decision, d) })
}

// back finds decisions that an earlier commit removed and this one has again.
func (f *follower) back(now []held, in revisions.Version) {
	for j := range now {
		if now[j].thread != nil {
			continue
		}
		k := slices.IndexFunc(f.gone, func(t *thread) bool { return sameWhat(t.last, now[j].Decision) })
		if k < 0 {
			continue
		}
		t := f.gone[k]
		f.gone = slices.Delete(f.gone, k, k+1)
		f.record.Losses[t.loss].Back, t.loss = &in, -1
		now[j].thread = t
	}
}

// lost records, once, each decision that a parent has and this version does not.
func (f *follower) lost(before, now []held, in revisions.Version) {
	for _, b := range before {
		if b.loss >= 0 || has(now, b.thread, b.Decision) {
			continue
		}
		b.thread.loss = len(f.record.Losses)
		f.gone = append(f.gone, b.thread)
		f.record.Losses = append(f.record.Losses, Loss{
			Decision: b.Decision, Made: b.made, In: in, WasGone: b.Struck, Undone: in.Op == "undo" || in.Op == "restore",
		})
	}
}

// compare records how a commit changed an earlier decision: a text, or a strike-through, that
// none of the parents has.
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

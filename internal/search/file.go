package search

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
)

// Closeness is how close to each other the terms are.
type Closeness int

// The degrees of closeness, the closest first.
const (
	Together  Closeness = iota // the terms are in one bullet, row or paragraph
	InSection                  // the terms are below one heading
	InFile
)

// String returns the name of the degree in JSON.
func (c Closeness) String() string { return [...]string{"passage", "section", "file"}[c] }

// Group is the group of a file, by which an answer is sorted.
type Group int

// The groups, in their order.
const (
	Active Group = iota
	Learnings
	Archived
)

// File is a file with its hits.
type File struct {
	Path       string // slash path relative to the checkpoints folder
	ID         string // empty if it is unknown
	Status     string // current, active, archived, unreadable; empty for LEARNINGS.md
	Group      Group
	Changed    time.Time
	Closeness  Closeness
	Branch     string // the branch it belongs to
	Elsewhere  bool   // Branch is known and is not the one that is checked out
	Unreadable error  // why it was searched as plain text
	Hits       []Hit  // hits of the best section first, then by line
}

// Hit is a line with a term, or a part of such a line. There may be hundreds of thousands, so they
// share common parts.
type Hit struct {
	Line  int    // from 1
	Text  string // the text of the line; a long one is cut around the first mark
	Marks []doc.Span
	*Place
	*Around
}

// Place is the section that contains hits.
type Place struct {
	Kind    Kind
	Section string // its heading
	ID      string // for a learning, the checkpoint that it came from

	order int // the position of its section in the file
}

// Around has the lines around a hit. No line occurs twice, and hits do not occur.
type Around struct{ Before, After []string }

// nothingAround is shared by all hits if no context is wanted.
var nothingAround = &Around{}

// workspace is reusable memory for the search of one file. The result does not refer to it.
type workspace struct {
	parts []stretch
	found []match
	lines []doc.Span // the lines of the hits
}

// look returns the hits in a text whose parts are in w. Farthest is the lowest closeness that is
// accepted.
func (r *Request) look(src []byte, w *workspace, farthest Closeness) ([]Hit, Closeness) {
	r.matches(src, w)
	terms := len(r.Query.terms)
	closeness := Together
	whole := keepWhole(w.found, terms, func(m *match) int { return m.passage })
	if len(whole) == 0 && farthest >= InSection {
		closeness = InSection
		whole = keepWhole(w.found, terms, func(m *match) int { return m.stretch })
	}
	if len(whole) == 0 && farthest >= InFile {
		closeness = InFile
		whole = keepWhole(w.found, terms, func(*match) int { return 0 })
	}
	return r.hits(src, w, whole), closeness
}

// matches finds all terms in the searched parts, in order.
func (r *Request) matches(src []byte, w *workspace) {
	all := w.found[:0]
	for i := range r.Query.terms {
		first, end := 0, 0 // first is the first match on the line, end the end of the line
		for s := range r.Query.terms[i].all(src) {
			if s.Start >= end {
				first, end = s.Start, lineEnd(src, s.Start)
			} else if s.Start > first+longest {
				continue // the match is in the part of a long line that is not shown
			}
			all = append(all, match{Span: s, term: i})
		}
	}
	if len(r.Query.terms) > 1 {
		slices.SortFunc(all, func(a, b match) int { return cmp.Or(a.Start-b.Start, a.End-b.End, a.term-b.term) })
	}
	at, part := newCursor(src), 0
	w.found = all[:0]
	for _, m := range all {
		for part+1 < len(w.parts) && w.parts[part+1].start <= m.Start {
			part++
		}
		if !w.parts[part].is(r.Kinds, r.Sections) {
			continue
		}
		if at.to(m.Start); checkpoint.IsGuide(src[at.start:at.end]) {
			continue // the match is in a guiding comment
		}
		m.line, m.start, m.passage, m.stretch = at.line, at.start, at.passage, part
		w.found = append(w.found, m)
	}
}

// keepWhole returns the matches in those parts that contain every term. Matches must be ordered by
// part.
func keepWhole(all []match, terms int, part func(*match) int) []match {
	every := uint64(1)<<terms - 1
	var kept []match
	for from := 0; from < len(all); {
		to, seen := from, uint64(0)
		for to < len(all) && part(&all[to]) == part(&all[from]) {
			seen |= 1 << all[to].term
			to++
		}
		if seen == every {
			if from == 0 && to == len(all) {
				return all
			}
			kept = append(kept, all[from:to]...)
		}
		from = to
	}
	return kept
}

// hits returns the lines with matches, in the order of an answer.
func (r *Request) hits(src []byte, w *workspace, all []match) []Hit {
	if len(all) == 0 {
		return nil
	}
	hits, marks := make([]Hit, 0, lines(all)), make([]doc.Span, 0, len(all))
	var place *Place
	on := w.lines[:0] // the line of each hit, with its line break
	for i := range all {
		m := &all[i]
		start, line := m.start, m.line
		if n := len(on); n > 0 && start < on[n-1].Start { // inside a phrase that ends on a later line
			continue
		}
		for { // a phrase may continue on the next line
			if n := len(on); n == 0 || on[n-1].Start != start {
				if place == nil || place.order != m.stretch {
					p := &w.parts[m.stretch]
					place = &Place{Kind: p.kind, Section: p.title, ID: p.id, order: m.stretch}
				}
				hits = append(hits, Hit{Line: line + 1, Place: place, Around: nothingAround})
				on = append(on, doc.Span{Start: start, End: lineEnd(src, start)})
			}
			end := on[len(on)-1].End
			marks = hits[len(hits)-1].mark(marks, markOn(bare(src[start:end]), m.Start-start, m.End-start))
			if m.End <= end || end == len(src) {
				break
			}
			start, line = end, line+1
		}
	}
	w.lines = on
	cut(src, hits, on)
	r.surround(src, hits, on)
	slices.SortStableFunc(hits, func(a, b Hit) int {
		if a.Kind == Delta && b.Kind == Delta && a.order != b.order {
			return b.order - a.order // newest section first
		}
		return cmp.Or(int(a.Kind-b.Kind), a.order-b.order)
	})
	return hits
}

// lines returns the number of lines on which matches begin.
func lines(all []match) int {
	n := 1
	for i := 1; i < len(all); i++ {
		if all[i].start != all[i-1].start {
			n++
		}
	}
	return n
}

// markOn returns the part of a match that is on a line, without white space around it. The match
// may begin before and end after the line.
func markOn(line []byte, from, to int) doc.Span {
	s := doc.Span{Start: max(from, 0), End: min(to, len(line))}
	s.End = s.Start + len(bytes.TrimRight(line[s.Start:s.End], " \t"))
	s.Start += s.Len() - len(bytes.TrimLeft(line[s.Start:s.End], " \t"))
	return s
}

// mark adds a mark to the hit. The marks of all hits share one slice; this hit must be the last.
func (h *Hit) mark(all []doc.Span, s doc.Span) []doc.Span {
	n := len(h.Marks)
	if n > 0 && s.Start <= h.Marks[n-1].End { // matches may overlap
		h.Marks[n-1].End = max(h.Marks[n-1].End, s.End)
		return all
	}
	all = append(all, s)
	h.Marks = all[len(all)-n-1 : len(all) : len(all)]
	return all
}

// surround adds the lines around each hit.
func (r *Request) surround(src []byte, hits []Hit, on []doc.Span) {
	if r.Context == 0 {
		return
	}
	from := 0 // lines from here on are not used yet
	for i := range hits {
		var before []string
		for at := on[i].Start; at > from && len(before) < r.Context; {
			start := max(lineBefore(src, at), from)
			before = append(before, clip(bare(src[start:at])))
			at = start
		}
		slices.Reverse(before)
		hits[i].Around = &Around{Before: before}
		from = on[i].End
		for len(hits[i].After) < r.Context && from < len(src) && (i+1 == len(on) || from < on[i+1].Start) {
			end := lineEnd(src, from)
			hits[i].After = append(hits[i].After, clip(bare(src[from:end])))
			from = end
		}
	}
}

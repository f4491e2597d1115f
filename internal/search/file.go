package search

import (
	"bytes"
	"cmp"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
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

// Group is the kind of a file. An answer is sorted by group first.
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
	Branch     string // the branch that the checkpoint belongs to
	Elsewhere  bool   // Branch is known and is not the one that is checked out
	Unreadable error  // why it was searched as plain text
	Hits       []Hit  // by kind, the most useful first, then by section and line
}

// Hit is a line with a term, or a part of such a line.
type Hit struct {
	Line    int        // from 1
	Text    string     // the text of the line; a long one is cut around the first mark
	Marks   []doc.Span // where the terms are in the text
	Kind    Kind
	Section string // the heading of its section
	ID      string // for a learning, the checkpoint that it came from

	order int // the position of its section in the file
}

// match is an occurrence of one of the terms on a line.
type match struct {
	doc.Span
	term, line, passage, stretch int // indexes; that of a passage is its first line
}

// content is the text of a file, with its lines.
type content struct {
	src      []byte
	lines    []doc.Span // without their line breaks
	passages []int      // for each line, the line at which its bullet, row or paragraph begins
}

func newContent(src []byte) *content {
	t := &content{src: valid(src)}
	passage, blank := 0, false
	for start := 0; start < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		line := bytes.TrimSuffix(bytes.TrimSuffix(src[start:end], []byte("\n")), []byte("\r"))
		if blank || beginning.Get().Match(line) {
			passage = len(t.lines)
		}
		blank = len(bytes.TrimSpace(line)) == 0
		t.lines = append(t.lines, doc.Span{Start: start, End: start + len(line)})
		t.passages = append(t.passages, passage)
		start = end
	}
	return t
}

// beginning matches a line that begins a bullet, a row, a heading or a code fence, and so does not continue
// the line above.
var beginning = text.Regexp(`^[ \t]*(?:[#|*+>` + "`" + `~-]|\d+[.)]|$)`)

// find returns the hits in a text that consists of parts, and the closeness of the terms: farthest, or a closer one.
func (r *Request) find(src []byte, parts []stretch, farthest Closeness) ([]Hit, Closeness) {
	t := newContent(src)
	all := r.matches(t, parts)
	for closeness := Together; closeness <= farthest; closeness++ {
		whole := keepWhole(all, len(r.Query.terms), func(m *match) int {
			return [...]int{Together: m.passage, InSection: m.stretch, InFile: 0}[closeness]
		})
		if len(whole) > 0 {
			return r.hits(t, parts, whole), closeness
		}
	}
	return nil, Together
}

// matches finds all terms in the searched parts, in order.
func (r *Request) matches(t *content, parts []stretch) []match {
	compared := lowered(t.src)
	var all []match
	for i, term := range r.Query.terms {
		for _, found := range term.expr.FindAllIndex(compared, -1) {
			for rest := compared[found[0]:found[1]]; len(rest) > 0; { // a match for each line of a phrase
				piece, more, _ := bytes.Cut(rest, []byte("\n"))
				start := found[1] - len(rest)
				all = append(all, match{Span: doc.Span{Start: start, End: start + len(piece)}, term: i})
				rest = bytes.TrimLeftFunc(more, unicode.IsSpace)
			}
		}
	}
	slices.SortFunc(all, func(a, b match) int { return cmp.Or(a.Start-b.Start, a.End-b.End, a.term-b.term) })
	line, part := 0, 0
	kept := all[:0]
	for _, m := range all {
		for line+1 < len(t.lines) && t.lines[line+1].Start <= m.Start {
			line++
		}
		for part+1 < len(parts) && parts[part+1].start <= m.Start {
			part++
		}
		if !parts[part].isSearched(r.Kinds) || checkpoint.IsGuide(t.src[t.lines[line].Start:t.lines[line].End]) {
			continue
		}
		m.line, m.passage, m.stretch = line, t.passages[line], part
		kept = append(kept, m)
	}
	return kept
}

// keepWhole returns the matches in those parts that contain every term. The function part returns the part of a
// match, by which the matches must be sorted.
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
			kept = append(kept, all[from:to]...)
		}
		from = to
	}
	return kept
}

// hits returns the lines with matches, in the order of an answer.
func (r *Request) hits(t *content, parts []stretch, all []match) []Hit {
	var hits []Hit
	for i, m := range all {
		if i == 0 || m.line != all[i-1].line {
			p := parts[m.stretch]
			hits = append(hits, Hit{Line: m.line + 1, Kind: p.kind, Section: p.title, ID: p.id, order: m.stretch})
		}
		line := t.lines[m.line]
		hits[len(hits)-1].mark(doc.Span{Start: m.Start - line.Start, End: min(m.End, line.End) - line.Start})
	}
	for i := range hits {
		hits[i].cut(t.line(hits[i].Line - 1))
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		if a.Kind == Delta && b.Kind == Delta {
			return b.order - a.order // newest section first
		}
		return cmp.Or(int(a.Kind-b.Kind), a.order-b.order)
	})
	return hits
}

func (t *content) line(n int) string { return string(t.src[t.lines[n].Start:t.lines[n].End]) }

// mark adds a mark to the hit. Matches may overlap.
func (h *Hit) mark(s doc.Span) {
	if n := len(h.Marks); n > 0 && s.Start <= h.Marks[n-1].End {
		h.Marks[n-1].End = max(h.Marks[n-1].End, s.End)
		return
	}
	h.Marks = append(h.Marks, s)
}

// A line of more than longest bytes is cut to that length, with lead bytes before the first mark.
const (
	longest = 400
	lead    = 80
	cutOff  = "…"
)

// cut sets the text of the hit: the line, or the part around its first mark.
func (h *Hit) cut(line string) {
	start, before := 0, ""
	if len(line) > longest {
		start = runeStart(line, max(0, h.Marks[0].Start-lead))
	}
	if start > 0 {
		before = cutOff
	}
	h.Text = before + shorten(line[start:])
	shift, end := len(before)-start, len(before)+min(len(line)-start, longest)
	marks := h.Marks[:0]
	for _, m := range h.Marks {
		if m.Start+shift < end {
			marks = append(marks, doc.Span{Start: m.Start + shift, End: min(m.End+shift, runeStart(h.Text, end))})
		}
	}
	h.Marks = marks
}

// shorten returns a line, or the beginning of a long one.
func shorten(line string) string {
	if len(line) <= longest {
		return line
	}
	return line[:runeStart(line, longest)] + cutOff
}

// runeStart returns the offset of the rune that contains the byte at the given offset.
func runeStart(line string, at int) int {
	for at < len(line) && !utf8.RuneStart(line[at]) {
		at--
	}
	return at
}

// Package merge merges two versions of a checkpoint, of another Markdown file, or of a
// whole checkpoints folder.
//
// It knows what each section is for, so it leaves no conflict markers: frontmatter is merged key by
// key, sections are paired by title, lists and tables are merged entry by entry, and deltas are
// sorted by time. If only one side changed something, the change is taken. Some texts, such as
// Current State, are replaced as a whole; if both sides replaced one, the text of the later side is
// taken and the earlier one is kept word for word below the delta that it came with. No line that a
// side added is lost, and a decision or a user rule disappears only if one side alone worked on
// that section.
//
// A merge is canonical: its result depends on what the two sides contain, not on which of them is
// ours or on when they are merged. Merging twice changes nothing, and it does not matter in which
// order three versions are merged. There is one known exception: a side is as late as its newest
// delta, even for a text that this delta did not touch. So the order can decide which of two texts
// is taken, and below which delta the other one is kept.
//
// Sets merges folders, Markdown merges one file, and Revert takes one change out of a file. All are
// pure. A file that cannot be read is a fault.Invalid.
//
// Git's own merge cannot do this: it pairs files by path, conflicts where two sides append
// to one list, and takes a checkpoint that moved to archive/ for a deleted one.
package merge

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

// Merged is a merged file.
type Merged struct {
	Bytes []byte
	Notes []Note
}

// Markdown merges two versions of a Markdown file with the common ancestor base; a nil base means that
// they have none. If one side did not change base, the result is the other side, byte for byte.
func Markdown(base, ours, theirs []byte) (Merged, error) {
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(theirs, base):
		return Merged{Bytes: ours}, nil
	case bytes.Equal(ours, base):
		return Merged{Bytes: theirs}, nil
	}
	m := &merger{}
	eols, err := m.read(base, ours, theirs)
	if err != nil {
		return Merged{}, err
	}
	order := lastDelta(m.x).Compare(lastDelta(m.y))
	m.later = order != 0
	if cmp.Or(order, bytes.Compare(m.x.Bytes(), m.y.Bytes())) < 0 {
		m.x, m.y = m.y, m.x
	}
	m.chooses = isCheckpointDoc(m.x) && isCheckpointDoc(m.y)
	front := m.front()
	units := m.units()
	text := front + m.write(units)
	if err := check(text, m.keys, units); err != nil {
		return Merged{}, err
	}
	text = withEOL(text, threeWay(eols[0], eols[1], eols[2], base != nil))
	return Merged{Bytes: []byte(text), Notes: m.notes}, nil
}

// merger merges two versions of a file. The later one is x, whether it is ours or theirs.
type merger struct {
	base, x, y *doc.Doc
	later      bool // the last delta of x is later than the last delta of y
	chooses    bool // the file is a checkpoint: if both sides replaced a text, one of the two is taken

	keys          []string // the keys of the result's frontmatter
	was, inX, inY map[string]*unit
	losers        []loser
	notes         []Note
}

// read parses the versions, with CRLF replaced by LF, and returns the line break of each.
func (m *merger) read(base, ours, theirs []byte) (eols [3]string, err error) {
	for i, side := range []struct {
		name string
		src  []byte
		to   **doc.Doc
	}{
		{name: "the version before", src: base, to: &m.base},
		{name: "this version", src: ours, to: &m.x},
		{name: "the other version", src: theirs, to: &m.y},
	} {
		src := bytes.TrimSuffix(side.src, []byte("\r")) // a line break added after the CR would make a CRLF
		d, err := doc.Parse(src)
		if err == nil && bytes.Contains(src, []byte("\r\n")) {
			eols[i] = d.EOL()
			d, err = doc.Parse(bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")))
		}
		if err != nil {
			return eols, fault.New(fault.Invalid, "%s cannot be read: %w", side.name, err)
		}
		*side.to = d
		eols[i] = cmp.Or(eols[i], "\n")
	}
	return eols, nil
}

func isCheckpointDoc(d *doc.Doc) bool {
	_, ok := d.Front.Get("checkpoint")
	return ok
}

// lastDelta returns the time of the last delta; zero without deltas.
func lastDelta(d *doc.Doc) time.Time {
	value, _ := d.Front.Get("last_delta")
	t, _ := checkpoint.ParseTime(value)
	return t
}

// takesX reports whether x, the text of side x, is taken and not y. The text of the later side is
// taken, or the greater text if neither side is later.
func (m *merger) takesX(x, y string) bool { return m.later || x > y }

func (m *merger) note(kind NoteKind, format string, args ...any) {
	n := Note{Kind: kind, Text: fmt.Sprintf(format, args...)}
	if !slices.Contains(m.notes, n) {
		m.notes = append(m.notes, n)
	}
}

// units merges the units of the two sides.
func (m *merger) units() []*unit {
	base, x, y := split(m.base), split(m.x), split(m.y)
	m.was, m.inX, m.inY = byKey(base), byKey(x), byKey(y)
	all := map[string]*unit{}
	for _, u := range slices.Concat(x, y) {
		if all[u.key] == nil && m.survives(u) {
			all[u.key] = m.unit(m.was[u.key], m.inX[u.key], m.inY[u.key])
		}
	}
	out := orderUnits(all, m.was, base, x, y)
	if isSorted(x) && isSorted(y) {
		sortDeltas(out)
	}
	return m.keepLosers(out)
}

// survives reports whether the result has a unit of one side. A unit that one side removed survives if the other side
// changed it. A list is then without the entries that the first side removed.
func (m *merger) survives(u *unit) bool {
	b := m.was[u.key]
	isRemoved := b != nil && (m.inX[u.key] == nil || m.inY[u.key] == nil)
	if isRemoved && !b.same(u) && !u.isList() {
		m.note(Kept, "%s was removed on one side and changed on the other: it stays", u.name())
	}
	return !isRemoved || !b.same(u)
}

// unit merges the versions of a unit that at least one side has. A version that lacks the unit is nil.
func (m *merger) unit(b, x, y *unit) *unit {
	if u := cmp.Or(x, y); b != nil && u.isList() && !b.same(u) {
		gone := *u
		gone.doc, gone.span, gone.body = emptyDoc(), doc.Span{}, ""
		x, y = cmp.Or(x, &gone), cmp.Or(y, &gone)
	}
	switch {
	case x == nil:
		return y
	case y == nil || x.same(y) || b != nil && b.same(y):
		return x
	case b != nil && b.same(x):
		return y
	}
	u := *x
	takesHead := y.title() != x.title() && y.head > x.head
	if b != nil {
		takesHead = y.title() != x.title() && b.title() == x.title()
	}
	if takesHead {
		u.head, u.level = y.head, y.level
	}
	if b == nil {
		b = &unit{doc: emptyDoc()}
	}
	m.body(&u, b, x, y)
	return &u
}

func emptyDoc() *doc.Doc {
	empty, _ := doc.Parse(nil) // an empty file can be parsed
	return empty
}

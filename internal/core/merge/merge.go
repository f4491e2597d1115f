// Package merge unites two versions of a checkpoint, of another Markdown file, or of a
// whole folder of checkpoints that began as one.
//
// It knows what a section is for, so it needs no conflict markers and leaves none:
// frontmatter is merged key by key, sections by their titles, lists and tables entry by
// entry, and deltas are in the order of time. What one side changed is taken. Of a text
// that is replaced as a whole, such as Current State, and that both sides changed, that
// of the later side stands; the earlier one is kept word for word below the delta that it
// came with. No line that a side added is lost, and a decision or a user rule goes only
// where one side alone has worked on that section.
//
// A merge is canonical: it depends on what the two sides are, not on which of them is
// ours, when they are merged, or where. Merging twice changes nothing, and of three
// versions it does not matter which two are merged first. One exception is known: a side
// whose newest delta did not touch a text counts as late as that delta, so which of two
// other texts stands, and below which delta the other is kept, can depend on the order.
//
// What it cannot read it refuses, with fault.Invalid: the versions are then as good
// as they were.
package merge

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/fault"
)

// Result is the merged file.
type Result struct {
	Bytes    []byte
	Findings []Finding // without ID and Path
	Choices  []Choice  // texts that both sides changed, one of which was chosen
}

// Choice is a text that both sides replaced.
type Choice struct {
	ID, Path     string // of the checkpoint; empty in a result of Files
	Section      string // its title, or the key of the frontmatter
	Ours, Theirs string
	Stands       Pick // Ours, Theirs or Both
}

// Pick says which of two texts is to stand.
type Pick int

// The picks. Later is that of the side with the newer delta, or of two as old the greater
// one. Both is the earlier text with the later one behind it.
const (
	Later Pick = iota
	Ours
	Theirs
	Both
)

// Files merges ours and theirs, which both began as base (nil: as nothing). Where one
// side is as it was the result is the other side, byte for byte.
func Files(base, ours, theirs []byte) (Result, error) { return Choose(Later, base, ours, theirs) }

// Choose is [Files] with another choice between texts that both sides replaced. A text
// that does not stand is kept below its delta.
func Choose(pick Pick, base, ours, theirs []byte) (Result, error) {
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(theirs, base):
		return Result{Bytes: ours}, nil
	case bytes.Equal(ours, base):
		return Result{Bytes: theirs}, nil
	}
	m := &merger{pick: pick}
	eols, err := m.read(base, ours, theirs)
	if err != nil {
		return Result{}, err
	}
	if m.order = compareTimes(m.x, m.y); cmp.Or(m.order, bytes.Compare(m.x.Bytes(), m.y.Bytes())) < 0 {
		m.x, m.y, m.order, m.swapped = m.y, m.x, -m.order, true
	}
	m.chooses = isChosen(m.x) && isChosen(m.y)
	front := m.front()
	units := m.units()
	text := front + m.write(units)
	if err := check(text, m.keys, units); err != nil {
		return Result{}, err
	}
	return Result{Bytes: []byte(withEOL(text, threeWay(eols[0], eols[1], eols[2], base != nil))), Findings: m.findings, Choices: m.choices}, nil
}

// merger is one merge. The side x is the later one: it does not matter which is ours.
type merger struct {
	base, x, y *doc.Doc
	order      int  // of the times of x and y: 0 where they are as old
	swapped    bool // x is theirs
	pick       Pick
	chooses    bool // between texts; of a file that is not a checkpoint both stay

	keys          []string // of the result's frontmatter
	was, inX, inY map[string]*unit
	dropped       []dropped
	findings      []Finding
	choices       []Choice
}

// read parses the versions, with line feeds only, and returns the line break of each.
func (m *merger) read(base, ours, theirs []byte) (eols [3]string, err error) {
	for i, side := range []struct {
		name string
		src  []byte
		to   **doc.Doc
	}{{"the version before", base, &m.base}, {"this version", ours, &m.x}, {"the other version", theirs, &m.y}} {
		d, err := doc.Parse(side.src)
		if err == nil && bytes.Contains(side.src, []byte("\r\n")) {
			eols[i] = d.EOL()
			d, err = doc.Parse(bytes.ReplaceAll(side.src, []byte("\r\n"), []byte("\n")))
		}
		if err != nil {
			return eols, fault.New(fault.Invalid, "%s cannot be read: %w", side.name, err)
		}
		*side.to, eols[i] = d, cmp.Or(eols[i], "\n")
	}
	return eols, nil
}

// isChosen reports whether of two texts in a file one is chosen: in a checkpoint.
func isChosen(d *doc.Doc) bool {
	_, ok := d.Front.Get("checkpoint")
	return ok
}

// compareTimes compares the times of the last delta of two versions.
func compareTimes(a, b *doc.Doc) int {
	of := func(d *doc.Doc) string { v, _ := d.Front.Get("last_delta"); return v }
	at, _ := checkpoint.ParseTime(of(a))
	bt, _ := checkpoint.ParseTime(of(b))
	return at.Compare(bt)
}

// stands reports whether of two texts that of x stands. Where later is true the pick does
// not count.
func (m *merger) stands(x, y string, later bool) bool {
	switch ours := m.pick == Ours; {
	case !later && (ours || m.pick == Theirs):
		return ours != m.swapped
	case m.order != 0:
		return m.order > 0
	}
	return x > y
}

func (m *merger) find(kind FindingKind, format string, args ...any) {
	f := Finding{Kind: kind, Text: fmt.Sprintf(format, args...)}
	if !slices.Contains(m.findings, f) {
		m.findings = append(m.findings, f)
	}
}

func (m *merger) addChoice(section, x, y string, xStands bool) {
	c := Choice{Section: section, Ours: x, Theirs: y, Stands: Ours}
	if m.swapped {
		c.Ours, c.Theirs = y, x
	}
	if xStands == m.swapped {
		c.Stands = Theirs
	}
	if m.pick == Both {
		c.Stands = Both
	}
	m.choices = append(m.choices, c)
}

// units merges the units of the two sides.
func (m *merger) units() []*unit {
	base, x, y := split(m.base), split(m.x), split(m.y)
	var wasKeys, xKeys, yKeys []string
	m.was, wasKeys = byKey(base)
	m.inX, xKeys = byKey(x)
	m.inY, yKeys = byKey(y)
	all := map[string]*unit{}
	for _, key := range slices.Concat(xKeys, yKeys) {
		if all[key] == nil && m.goesOn(key) {
			all[key] = m.unit(m.was[key], m.inX[key], m.inY[key])
		}
	}
	stays := func(key string) bool { return all[key] != nil }
	less := m.lesser(all, base, x, y)
	var out []*unit
	for _, key := range weave(wasKeys, xKeys, yKeys, stays, less) {
		out = append(out, all[key])
	}
	if inTime(x) && inTime(y) {
		sortDeltas(out)
	}
	return m.keepDropped(out)
}

// goesOn reports whether a unit that a side has is in the result.
func (m *merger) goesOn(key string) bool {
	b, have := m.was[key], m.inX[key]
	if have == nil {
		have = m.inY[key]
	} else if m.inY[key] != nil {
		return true
	}
	switch {
	case b == nil:
		return true
	case b.same(have) && !have.keeps():
		return false
	case !b.same(have):
		m.find(Kept, "%s was removed on one side and changed on the other: it stays", have.named())
	}
	return true
}

// unit merges one unit, which at least one side has.
func (m *merger) unit(b, x, y *unit) *unit {
	switch {
	case x == nil:
		return y
	case y == nil || x.same(y) || b != nil && b.same(y):
		return x
	case b != nil && b.same(x):
		return y
	}
	u := *x
	if y.title() != x.title() && (b == nil && y.head > x.head || b != nil && b.title() == x.title()) {
		u.head, u.level = y.head, y.level
	}
	if b == nil {
		b = &unit{doc: emptyDoc}
	}
	m.body(&u, b, x, y)
	return &u
}

var emptyDoc, _ = doc.Parse(nil)

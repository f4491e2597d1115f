package merge

import (
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
)

// Part is a piece of a version that [Files] merges as one: a heading with its own
// text, a delta with all its parts, what stands before the first heading.
type Part struct {
	Key   string // equal for the same section of two versions, or for the same delta
	Title string // of the heading; "" for what stands before the first
	Kind  checkpoint.Kind
	Known bool // Kind is the section's
	Delta bool
	Text  string // the body, without white space around it

	unit *unit
}

// Entry is the smallest thing that is merged.
type Entry struct {
	Key    string // equal for the same text
	Text   string // without a list's marker, as a table's cells parted by " | "
	What   string // of a decision: what was decided, in lower case
	Struck bool   // of a decision: it is superseded
	Block  bool   // it is no list item and no row
	Cells  []string
}

// Parts are the pieces of a version, in order.
func Parts(d *doc.Doc) []Part {
	var all []Part
	for _, u := range split(d) {
		p := Part{Key: u.key, Title: u.title(), Kind: u.kind, Known: u.known, Delta: u.class == delta, Text: plain(u.body), unit: u}
		if p.Delta {
			p.Key = stamp(u)
		}
		all = append(all, p)
	}
	return all
}

// Entries are what the part is made of: what says something. A delta has none.
func (p Part) Entries() []Entry {
	u := p.unit
	if u == nil || u.class == delta {
		return nil
	}
	_, entries := u.entries()
	var all []Entry
	for _, e := range entries {
		text := e.key[strings.IndexByte(e.key, ' ')+1:]
		if e.family == guide || e.header || text == "---" || e.family != row && checkpoint.IsNone(text) {
			continue
		}
		out := Entry{Key: e.key, Text: text, What: e.what, Struck: e.struck, Block: e.family == block}
		if e.family == row {
			out.Cells = strings.Split(text, "|")
			out.Text = strings.Join(out.Cells, " | ")
		}
		all = append(all, out)
	}
	return all
}

package merge

import (
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
)

// Part is a piece of a file that [Markdown] merges as one: a heading with its own text, a delta
// with all its parts, or the text before the first heading.
type Part struct {
	Key   string // the same in two versions of a section or delta
	Title string // the title of the heading; empty for the text before the first heading
	Kind  checkpoint.Kind
	Known bool // the format defines the section, and Kind is set
	Delta bool
	Text  string // the body, without white space around it

	unit *unit
}

// Entry is the smallest part that is merged.
type Entry struct {
	Key    string // entries with the same text have the same key
	Text   string // without the marker of a list; the cells of a row are separated by " | "
	What   string // for a decision, what was decided, in lower case
	Struck bool   // for a decision, whether it is superseded
	Block  bool   // the entry is neither a list item nor a row
	Cells  []string
}

// Parts returns the parts of a file, in order.
func Parts(d *doc.Doc) []Part {
	var all []Part
	for _, u := range split(d) {
		p := Part{Key: u.key, Title: u.title(), Kind: u.kind, Known: u.known, Text: plain(u.body), unit: u}
		p.Delta = u.class == delta
		if p.Delta {
			p.Key = stamp(u)
		}
		all = append(all, p)
	}
	return all
}

// Entries returns the entries of the part that have content. A delta has none.
func (p Part) Entries() []Entry {
	u := p.unit
	if u == nil || u.class == delta {
		return nil
	}
	_, entries := u.entries()
	var all []Entry
	for _, e := range entries {
		text := e.key[strings.IndexByte(e.key, ' ')+1:]
		if !e.hasContent() {
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

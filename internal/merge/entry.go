package merge

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
)

// family is what an entry is part of: entries of a list, or rows of a table, stand
// without a blank line between them.
type family int

const (
	block family = iota // a paragraph, a fence, a quote
	guide               // a comment that stands alone
	item                // of a list
	row                 // of a table, its header included
)

// entry is the smallest thing that is merged: a list item, a table row, any other
// block.
type entry struct {
	key    string // equal for the same text
	id     string // equal for what is one entry in two versions: a decision is one in any words about why
	what   string // of a decision: what was decided
	struck bool   // of a decision: it is superseded
	text   string // without the white space behind it
	gap    string // the white space behind it
	family family
	header bool // the first row of a table
}

// says reports whether an entry is more than a guide, the frame of a table or a word for
// nothing.
func (e entry) says() bool {
	return e.family != guide && !e.header && e.key != "text ---" && (e.family == row || !checkpoint.IsNone(e.key[strings.IndexByte(e.key, ' ')+1:]))
}

// entries are the entries of a unit's body, and the white space before the first.
func (u *unit) entries() (lead string, all []entry) {
	d, end := u.doc, u.span.Start+len(u.body)
	var starts []int
	add := func(at int, f family, key string) {
		if at >= end {
			return // the rule behind the body
		}
		starts = append(starts, at)
		all = append(all, entry{key: key, family: f})
	}
	for _, b := range d.Blocks(u.span) {
		switch {
		case b.Kind == doc.List:
			for _, it := range d.Items(b.Span) {
				add(it.Span.Start, item, "item "+plain(it.Text))
			}
		case b.Kind == doc.Comment:
			add(b.Span.Start, guide, "")
		default:
			u.addTable(b, add)
		}
	}
	decisions := u.decisions()
	seen := map[string]int{}
	for i := range all {
		e, stop := &all[i], end
		if i+1 < len(all) {
			stop = starts[i+1]
		}
		raw := d.Slice(doc.Span{Start: starts[i], End: stop})
		e.text = trimEnd(raw)
		e.gap = raw[len(e.text):]
		if e.key == "" {
			e.key = "text " + plain(e.text)
		}
		e.header = strings.HasPrefix(e.key, "header ")
		if d, ok := decisions[starts[i]]; ok {
			e.what, e.struck = plain(strings.ToLower(d.What)), d.Struck
		}
		e.identify(seen)
	}
	if len(all) == 0 {
		return u.body, nil
	}
	return d.Slice(doc.Span{Start: u.span.Start, End: starts[0]}), all
}

// identify gives the entry an id that no entry before it has.
func (e *entry) identify(seen map[string]int) {
	if e.id = e.key; e.what != "" {
		e.id = "decision " + e.what
	}
	if seen[e.id]++; seen[e.id] > 1 {
		e.id = fmt.Sprintf("%s\n#%d", e.id, seen[e.id])
	}
}

// addTable adds the rows of a block that is a table, else the block as it is.
func (u *unit) addTable(b doc.Block, add func(int, family, string)) {
	tables := u.doc.Tables(b.Span)
	if len(tables) == 0 {
		add(b.Span.Start, block, "")
		return
	}
	t := tables[0]
	if t.Span.Start > b.Span.Start {
		add(b.Span.Start, block, "")
	}
	add(t.Span.Start, row, "header "+strings.ToLower(strings.Join(t.Header, "|")))
	for _, r := range t.Rows {
		add(r.Span.Start, row, "row "+strings.Join(r.Cells, "|"))
	}
}

// decisions are those that the unit holds, by where they stand.
func (u *unit) decisions() map[int]checkpoint.Decision {
	all := map[int]checkpoint.Decision{}
	if !u.keeps() {
		return all
	}
	for _, d := range (&checkpoint.Checkpoint{Doc: u.doc}).Decisions() {
		if u.span.Contains(d.Span) {
			all[d.Span.Start] = d
		}
	}
	return all
}

package merge

import (
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
)

// family is the kind of block that an entry belongs to.
type family int

const (
	block family = iota // a paragraph, code fence or quote
	guide               // a comment
	item                // an item of a list
	row                 // a row of a table, or its header
)

// entry is the smallest part that is merged: a list item, a table row or another block.
type entry struct {
	key    string // entries with the same text have the same key
	id     string // the same in two versions of an entry, even if the checkbox or the reason of a decision differs
	what   string // for a decision, what was decided
	struck bool   // for a decision, whether it is superseded
	text   string // without the white space after it
	gap    string // the white space after it
	family family
	header bool // the first row of a table
}

// hasContent reports whether an entry is more than a comment, the header of a table, a rule or a
// word such as "None".
func (e entry) hasContent() bool {
	if e.family == guide || e.header || e.key == "text ---" {
		return false
	}
	return !isNone(e)
}

// entries returns the entries of a unit's body and the white space before the first.
func (u *unit) entries() (lead string, all []entry) {
	d, end := u.doc, u.span.Start+len(u.body)
	var starts []int
	add := func(at int, f family, key string) {
		if at >= end {
			return // the rule after the body is not an entry
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

// identify sets an id that no earlier entry has. A checkbox is not part of the id.
func (e *entry) identify(seen map[string]int) {
	kind, text, _ := strings.Cut(e.key, " ")
	text, _ = checkpoint.CutCheckbox(text)
	e.id = kind + " " + text
	if e.what != "" {
		e.id = "decision " + e.what
	}
	seen[e.id]++
	if seen[e.id] > 1 {
		e.id = fmt.Sprintf("%s\n#%d", e.id, seen[e.id])
	}
}

// addTable adds the rows of a table. It adds a block that is not a table as one entry.
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

// decisions returns the decisions in the unit by their offsets.
func (u *unit) decisions() map[int]checkpoint.Decision {
	all := map[int]checkpoint.Decision{}
	if !u.isPermanent() {
		return all
	}
	for _, d := range (&checkpoint.Checkpoint{Doc: u.doc}).Decisions() {
		if u.span.Contains(d.Span) {
			all[d.Span.Start] = d
		}
	}
	return all
}

// A superseded decision is struck through and followed by its successor:
// "~~**A**: why~~ → **B**". If both sides superseded it, both successors are named:
// "~~**A**: why~~ → **B**, → **C**".
const (
	strike    = "~~"
	arrow     = "~~ → "
	nextArrow = ", → "
)

// mergeSuperseded merges two versions of a decision into one entry, which has the successors of both and the words of
// the side that changed them. It reports false if neither version is superseded, if a superseded one names no
// successor, if both sides changed the words, or if a version is not a list item of one line.
func mergeSuperseded(base *entry, a, b entry) (entry, bool) {
	if b.struck && !a.struck {
		a, b = b, a
	}
	if !a.struck || strings.Contains(a.text+b.text, "\n") {
		return a, false
	}
	if a.family != item || b.family != item {
		return a, false
	}
	mark, words, by, ok := a.successors()
	_, other, more, known := b.successors()
	was := ""
	if base != nil {
		_, was, _, _ = base.successors()
	}
	if !ok || b.struck && !known {
		return a, false
	}
	if words != other && words != was && other != was {
		return a, false
	}
	by = unique(slices.Concat(by, more))
	slices.Sort(by)
	text := strike + threeWay(was, words, other, true) + arrow + strings.Join(by, nextArrow)
	a.text, a.key = mark+text, "item "+plain(text)
	return a, true
}

// successors splits a list item into its marker, the decision and, if it is superseded, the
// names of its successors.
func (e entry) successors() (mark, words string, by []string, ok bool) {
	mark, text := marker(e.text)
	if !e.struck {
		return mark, text, nil, false
	}
	words, names, ok := strings.Cut(strings.TrimPrefix(text, strike), arrow)
	return mark, words, strings.Split(names, nextArrow), ok && strings.HasPrefix(text, strike)
}

// marker splits a list item into its marker and its text.
func marker(item string) (mark, text string) {
	text = strings.TrimLeft(item, " ")
	if digits := strings.TrimLeft(text, "0123456789"); text != "" {
		text = strings.TrimLeft(digits[min(1, len(digits)):], " \t")
	}
	return item[:len(item)-len(text)], text
}

package merge

import (
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/core/doc"
)

// body unites the text of a section that both sides changed, or both made: the
// entries of ours, without those that theirs took out, and those that are new in
// theirs, each behind the one that it follows there. The result is in o.
func (m *merger) body(b, o, t *unit) {
	if o.title() == t.title() && plain(o.body) == plain(t.body) {
		return
	}
	if b == nil {
		b = &unit{doc: emptyDoc}
	}
	_, was := b.entries()
	lead, have := o.entries()
	_, other := t.entries()
	h := &union{was: was, have: have, other: other, out: slices.Clone(have), keeps: o.keeps}
	h.add() // before drop: what takes an entry's place goes where that stands
	h.drop()
	if !h.changed {
		return
	}
	if replaced, prose := h.clash(); replaced || prose {
		said := o.named() + " was changed on both sides: both texts stay"
		m.remark(said)
		if o.asks(replaced) {
			o.sides = &sides{b.body, o.body, t.body, said}
		}
	}
	renumber(h.out)
	var text strings.Builder
	if text.WriteString(lead); lead == "" && len(have) == 0 {
		text.WriteString("\n")
	}
	for _, e := range h.out {
		text.WriteString(e.text + e.gap)
	}
	o.body, o.touched, o.united = text.String(), true, h.out
}

var emptyDoc, _ = doc.Parse(nil)

// union is the merge of one section's entries.
type union struct {
	was, have, other []entry
	out              []entry
	keeps, changed   bool
}

func find(all []entry, key string) int {
	return slices.IndexFunc(all, func(e entry) bool { return e.key == key })
}

// drop takes out what theirs took out and ours left as it was.
func (h *union) drop() {
	h.out = slices.DeleteFunc(h.out, func(e entry) bool {
		if find(h.was, e.key) < 0 || find(h.other, e.key) >= 0 {
			return false
		}
		if h.keeps && e.family != guide && !h.reworded(e) {
			return false
		}
		h.changed = true
		return true
	})
}

// reworded says whether theirs says the same decision in other words, such as
// struck through.
func (h *union) reworded(e entry) bool {
	return e.what != "" && slices.ContainsFunc(h.other, func(t entry) bool { return t.what == e.what && find(h.was, t.key) < 0 })
}

// add puts in what is new in theirs.
func (h *union) add() {
	for i, t := range h.other {
		if find(h.have, t.key) >= 0 || t.family == guide {
			continue
		}
		if find(h.was, t.key) >= 0 && (!h.keeps || h.settled(t)) {
			continue // ours took it out
		}
		h.changed = true
		h.insert(h.place(h.other[:i], t), t)
	}
}

// settled says whether ours says a decision that it took out in other words.
func (h *union) settled(t entry) bool {
	return t.what != "" && slices.ContainsFunc(h.have, func(o entry) bool { return o.what == t.what })
}

// place is behind the nearest of the entries before that is here, and behind what
// ours has put there. What nobody has in common goes last, but before the
// rule of a delta: theirs was written later.
func (h *union) place(before []entry, t entry) int {
	for _, p := range slices.Backward(before) {
		i := find(h.out, p.key)
		if i < 0 {
			continue
		}
		for i++; i < len(h.out) && h.out[i].joins(t) && find(h.was, h.out[i].key) < 0 && find(h.other, h.out[i].key) < 0; {
			i++
		}
		return i
	}
	if n := len(h.out); n > 0 && h.out[n-1].key == rule {
		return n - 1
	}
	return len(h.out)
}

func (h *union) insert(i int, e entry) {
	e.gap = "\n"
	if i > 0 {
		p := &h.out[i-1]
		e.gap, p.gap = p.gap, "\n"
		if !e.follows(*p) {
			p.gap = "\n\n"
		}
		if e.family == item && p.family == item {
			e.text = marked(e.text, p.text)
		}
	}
	if i < len(h.out) {
		e.gap = "\n"
		if !h.out[i].follows(e) {
			e.gap = "\n\n"
		}
	}
	h.out = slices.Insert(h.out, i, e)
}

// joins says whether e and t are entries of one kind.
func (e entry) joins(t entry) bool { return e.family == t.family }

// follows says whether e stands on the line behind p, without a blank one.
func (e entry) follows(p entry) bool {
	return e.family == p.family && (e.family == item || e.family == row && !e.header)
}

// clash says whether both sides put a text of their own in the place of one, or prose
// where nothing was.
func (h *union) clash() (replaced, prose bool) {
	fresh := func(side, other []entry) (any, prose bool) {
		for _, e := range side {
			if e.family != guide && e.key != rule && find(h.was, e.key) < 0 && find(other, e.key) < 0 {
				any, prose = true, prose || e.family == block
			}
		}
		return any, prose
	}
	ours, oursProse := fresh(h.have, h.other)
	theirs, theirsProse := fresh(h.other, h.have)
	replaced = slices.ContainsFunc(h.was, func(e entry) bool {
		return e.family != guide && find(h.have, e.key) < 0 && find(h.other, e.key) < 0
	})
	return replaced && ours && theirs, oursProse && theirsProse
}

// rule is the entry that a rule before a delta is.
const rule = "text ---"

// marked gives an unnumbered item the marker of the item before it: another one
// would begin another list.
func marked(text, before string) string {
	mark, rest := strings.TrimLeft(before, " "), strings.TrimLeft(text, " ")
	if mark == "" || rest == "" || !strings.ContainsAny(mark[:1], "-*+") || !strings.ContainsAny(rest[:1], "-*+") {
		return text
	}
	return text[:len(text)-len(rest)] + mark[:1] + rest[1:]
}

// renumber counts the items of each numbered list from its first number on. One of
// several lines keeps its number if another one would be wider: its lines are
// indented by it.
func renumber(all []entry) {
	last := 0 // the number before; 0 for none
	for i := range all {
		n, digits, ok := number(all[i])
		if !ok {
			last = 0
			continue
		}
		if last > 0 && n != last+1 {
			next := strconv.Itoa(last + 1)
			if len(next) == digits || !strings.Contains(all[i].text, "\n") {
				indent := len(all[i].text) - len(strings.TrimLeft(all[i].text, " "))
				all[i].text = all[i].text[:indent] + next + all[i].text[indent+digits:]
				n = last + 1
			}
		}
		last = n
	}
}

// number is the number of a list item and how many digits it has.
func number(e entry) (n, digits int, ok bool) {
	text := strings.TrimLeft(e.text, " ")
	for digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
		digits++
	}
	if e.family != item || digits == 0 || digits > 9 {
		return 0, 0, false
	}
	n, err := strconv.Atoi(text[:digits])
	return n, digits, err == nil && n > 0
}

package merge

import (
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint"
)

// body merges the text of a unit that both sides changed, or both made.
func (m *merger) body(u, b, x, y *unit) {
	if plain(x.body) == plain(y.body) {
		u.body = threeWay(b.body, x.body, y.body, true)
		return
	}
	if u.class == delta { // the core is in the key
		u.kept = nil
		u.keep(slices.DeleteFunc(slices.Concat(x.kept, y.kept), func(part string) bool {
			return b.hasKept(part) && !(x.hasKept(part) && y.hasKept(part))
		})...)
		return
	}
	if text, ok := m.completion(b, x, y); ok {
		u.body = text
		return
	}
	s := &union{keeps: u.keeps(), less: func(a, b string) bool { return a < b }}
	_, s.was = b.entries()
	_, s.x = x.entries()
	_, s.y = y.entries()
	if m.chooses && u.isText() {
		s.x, s.y = s.without(s.x, s.y, m.keptBy(m.inY, u)), s.without(s.y, s.x, m.keptBy(m.inX, u))
		switch {
		case u.title() == checkpoint.FurtherFields:
			m.replace(u, x, y, false)
			return
		case s.replaced(u):
			if m.pick != Both {
				m.replace(u, x, y, true)
				return
			}
			m.addChoice(u.named(), text(x.body), text(y.body), true)
			s.first = s.y // the earlier text first
		}
	}
	u.merged = s.merge()
	if s.twice {
		m.find(Superseded, "both sides superseded the same decision: both successors stand")
	}
	u.body = lead(b, x, y) + s.text(u.merged)
}

// lead is the white space between a heading and the first entry.
func lead(b, x, y *unit) string {
	var leads []string
	for _, u := range []*unit{b, x, y} {
		if white, entries := u.entries(); len(entries) > 0 {
			leads = append(leads, white)
		}
	}
	switch len(leads) {
	case 3:
		return threeWay(leads[0], leads[1], leads[2], true)
	case 0:
		return "\n"
	}
	return slices.Max(leads)
}

// isText reports whether a unit is a text that is replaced as a whole, or may be: not one
// to which both sides add, and in which both may be right.
func (u *unit) isText() bool {
	switch u.kind {
	case checkpoint.Decisions, checkpoint.Rules, checkpoint.Breadcrumbs, checkpoint.Artifacts, checkpoint.Context, checkpoint.PlayByPlay:
		return !u.known
	}
	return u.class == section
}

// union is the merge of one section's entries.
type union struct {
	was, x, y []entry
	keeps     bool    // its entries are never dropped: decisions, user rules
	twice     bool    // both sides superseded a decision
	first     []entry // the side that goes first in every place; nil for none
	less      func(a, b string) bool
}

// fresh returns what one side alone has that says something and is not in base.
func (s *union) fresh(side, other []entry) []entry {
	return slices.DeleteFunc(slices.Clone(side), func(e entry) bool {
		return !e.says() || has(s.was, e.id) || has(other, e.id)
	})
}

// without returns a side without the entries that it added and that the other side
// replaced and keeps.
func (s *union) without(side, other, kept []entry) []entry {
	return slices.DeleteFunc(slices.Clone(side), func(e entry) bool {
		return has(kept, e.id) && !has(s.was, e.id) && !has(other, e.id)
	})
}

// replaced reports whether both sides put a text of their own in the place of one, or
// prose where nothing was. In a list of next actions, and in a list of the writer's own,
// that means that neither side left anything of what was.
func (s *union) replaced(u *unit) bool {
	x, y := s.fresh(s.x, s.y), s.fresh(s.y, s.x)
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	prose := func(e entry) bool { return e.family == block }
	if slices.ContainsFunc(x, prose) && slices.ContainsFunc(y, prose) {
		return true
	}
	gone, stays := 0, 0
	for _, e := range s.was {
		switch inX, inY := has(s.x, e.id), has(s.y, e.id); {
		case !e.says():
		case !inX && !inY:
			gone++
		default:
			stays++
		}
	}
	if u.known && u.kind != checkpoint.Next {
		return gone > 0
	}
	return gone > 0 && stays == 0
}

func has(all []entry, id string) bool { return find(all, id) != nil }

func find(all []entry, id string) *entry {
	if i := slices.IndexFunc(all, func(e entry) bool { return e.id == id }); i >= 0 {
		return &all[i]
	}
	return nil
}

// merge returns the entries of the result.
func (s *union) merge() []entry {
	less := s.less
	if s.first != nil {
		less = func(a, _ string) bool { return has(s.first, a) }
	}
	var out []entry
	for _, id := range weave(idsOf(s.was), idsOf(s.x), idsOf(s.y), s.stays, less) {
		for _, e := range s.entry(find(s.was, id), find(s.x, id), find(s.y, id)) {
			if !slices.ContainsFunc(out, func(have entry) bool { return have.what != "" && have.key == e.key }) {
				out = append(out, e)
			}
		}
	}
	return out
}

// entry merges one entry, which at least one side has. Only a decision can differ in the
// two: what both reworded stays twice.
func (s *union) entry(b, x, y *entry) []entry {
	switch {
	case x == nil:
		return []entry{*y}
	case y == nil || x.key == y.key || b != nil && b.key == y.key:
		return []entry{*x}
	case b != nil && b.key == x.key:
		return []entry{*y}
	}
	if e, ok := struck(b, *x, *y); ok {
		s.twice = s.twice || x.struck && y.struck
		return []entry{e}
	}
	if y.key < x.key {
		x, y = y, x
	}
	return []entry{*x, *y}
}

// stays reports whether an entry of base is in the result: where neither side took it out.
// A decision or a rule stays where both sides worked on the section.
func (s *union) stays(id string) bool {
	x, y := find(s.x, id), find(s.y, id)
	if x != nil && y != nil || x == nil && y == nil {
		return x != nil
	}
	if x == nil {
		x = y
	}
	return s.keeps && x.family != guide
}

// text writes entries: with the white space between two as a version has it, else without
// a blank line between the items of a list and the rows of a table.
func (s *union) text(all []entry) string {
	texts := make([]string, len(all))
	for i, e := range all {
		if texts[i] = e.text; i > 0 && e.family == item && all[i-1].family == item {
			texts[i] = marked(e.text, texts[i-1])
		}
	}
	renumber(all, texts, s.firstNumber())
	var out strings.Builder
	for i, e := range all {
		if i > 0 {
			out.WriteString(s.gap(all[i-1], e))
		}
		out.WriteString(texts[i])
	}
	return out.String()
}

func (s *union) gap(p, e entry) string {
	for _, side := range [][]entry{s.was, s.x, s.y} {
		for i := range len(side) - 1 {
			if side[i].id == p.id && side[i+1].id == e.id {
				return side[i].gap
			}
		}
	}
	if e.follows(p) {
		return "\n"
	}
	return "\n\n"
}

// follows reports whether e is on the line behind p, without a blank one.
func (e entry) follows(p entry) bool {
	return e.family == p.family && (e.family == item || e.family == row && !e.header)
}

func idsOf(all []entry) []string {
	ids := make([]string, len(all))
	for i, e := range all {
		ids[i] = e.id
	}
	return ids
}

// marked gives an unnumbered item the marker of the item before it: another one
// would begin another list.
func marked(text, before string) string {
	mark, rest := strings.TrimLeft(before, " "), strings.TrimLeft(text, " ")
	if mark == "" || rest == "" || !strings.ContainsAny(mark[:1], "-*+") || !strings.ContainsAny(rest[:1], "-*+") {
		return text
	}
	return text[:len(text)-len(rest)] + mark[:1] + rest[1:]
}

// firstNumber is the least number of an item that a side has.
func (s *union) firstNumber() int {
	first := 0
	for _, e := range slices.Concat(s.x, s.y) {
		if n, _, ok := number(e.family, e.text); ok && (first == 0 || n < first) {
			first = n
		}
	}
	return first
}

// renumber counts the items of each numbered list from its first number on, which of the
// first list is start. One of several lines keeps its number if another one would be wider: its lines are
// indented by it.
func renumber(all []entry, texts []string, start int) {
	last := start - 1 // the number before; 0 for none
	for i, e := range all {
		n, digits, ok := number(e.family, texts[i])
		if !ok {
			if start == 0 {
				last = 0
			}
			continue
		}
		if (last > 0 || start > 0) && n != last+1 {
			next := strconv.Itoa(last + 1)
			if len(next) == digits || !strings.Contains(texts[i], "\n") {
				indent := len(texts[i]) - len(strings.TrimLeft(texts[i], " "))
				texts[i] = texts[i][:indent] + next + texts[i][indent+digits:]
				n = last + 1
			}
		}
		last, start = n, 0
	}
}

// number is the number of a list item and how many digits it has.
func number(f family, text string) (n, digits int, ok bool) {
	text = strings.TrimLeft(text, " ")
	for digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
		digits++
	}
	if f != item || digits == 0 || digits > 9 {
		return 0, 0, false
	}
	n, err := strconv.Atoi(text[:digits])
	return n, digits, err == nil && n > 0
}

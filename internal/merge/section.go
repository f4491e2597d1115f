package merge

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint"
)

// body merges the text of a unit that both sides changed or added.
func (m *merger) body(u, b, x, y *unit) {
	if plain(x.body) == plain(y.body) {
		u.body = threeWay(b.body, x.body, y.body, true)
		return
	}
	if u.class == delta { // the core of a delta is part of its key, so both cores are equal
		u.replaced = nil
		u.addReplaced(slices.DeleteFunc(slices.Concat(x.replaced, y.replaced), func(part string) bool {
			return b.hasReplaced(part) && !(x.hasReplaced(part) && y.hasReplaced(part))
		})...)
		return
	}
	if text, ok := m.completion(b, x, y); ok {
		u.body = text
		return
	}
	s := &union{permanent: u.isPermanent()}
	_, s.was = b.entries()
	_, s.x = x.entries()
	_, s.y = y.entries()
	if m.chooses && u.isText() {
		s.x, s.y = s.without(s.x, s.y, m.losersOf(u, m.inY)), s.without(s.y, s.x, m.losersOf(u, m.inX))
		switch {
		case u.title() == checkpoint.FurtherFields:
			m.choose(u, x, y, false)
			return
		case s.isReplaced(u, b):
			m.choose(u, x, y, true)
			return
		}
	}
	u.merged = s.merge()
	if s.twice {
		m.note(Superseded, "both sides superseded the same decision: both successors stand")
	}
	u.body = lead(b, x, y) + s.text(u.merged)
}

// lead merges the white space between the heading of a section and its first entry.
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

// isList reports whether a unit is a section of the format to which both sides add entries.
func (u *unit) isList() bool { return u.class == section && u.known && !u.isText() }

// isText reports whether a unit is a text that may be replaced as a whole, rather than a
// list to which both sides add.
func (u *unit) isText() bool {
	switch u.kind {
	case checkpoint.Decisions, checkpoint.Rules, checkpoint.Breadcrumbs, checkpoint.Artifacts,
		checkpoint.Context, checkpoint.PlayByPlay:
		return !u.known
	}
	return u.class == section
}

// union merges the entries of one section.
type union struct {
	was, x, y []entry
	permanent bool // entries are never dropped, since they are decisions or user rules
	twice     bool // set by merge: both sides superseded a decision
}

// added returns the entries with content that one side alone added.
func (s *union) added(side, other []entry) []entry {
	return slices.DeleteFunc(slices.Clone(side), func(e entry) bool {
		return !e.hasContent() || has(s.was, e.id) || has(other, e.id)
	})
}

// without returns the entries of a side. It leaves out those that the side added and the other side
// has among its losers.
func (s *union) without(side, other, losers []entry) []entry {
	return slices.DeleteFunc(slices.Clone(side), func(e entry) bool {
		return has(losers, e.id) && !has(s.was, e.id) && !has(other, e.id)
	})
}

// isReplaced reports whether both sides replaced the text of a section. That is so if both added prose, if both added
// entries and removed the same old one, or if both added a section of the format. Lists of next actions, and lists in
// sections that the format does not define, count as replaced only if neither side kept any of the old entries.
func (s *union) isReplaced(u, b *unit) bool {
	x, y := s.added(s.x, s.y), s.added(s.y, s.x)
	switch {
	case len(x) == 0 || len(y) == 0:
		return false
	case u.known && b.head == "":
		return true
	}
	prose := func(e entry) bool { return e.family == block }
	if slices.ContainsFunc(x, prose) && slices.ContainsFunc(y, prose) {
		return true
	}
	gone, left := 0, 0
	for _, e := range s.was {
		switch {
		case !e.hasContent():
		case has(s.x, e.id) || has(s.y, e.id):
			left++
		default:
			gone++
		}
	}
	if u.known && u.kind != checkpoint.Next {
		return gone > 0
	}
	return gone > 0 && left == 0
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
	var out []entry
	for _, id := range mergeOrder(idsOf(s.was), idsOf(s.x), idsOf(s.y), s.stays, cmp.Less) {
		for _, e := range s.entry(find(s.was, id), find(s.x, id), find(s.y, id)) {
			if !slices.ContainsFunc(out, func(have entry) bool { return have.what != "" && have.key == e.key }) {
				out = append(out, e)
			}
		}
	}
	return out
}

// entry merges the versions of one entry, which at least one side has. Versions differ in a checkbox or in the words of
// a decision. If both sides reworded a decision, both versions stay. If both changed a checkbox, a ticked one stays.
func (s *union) entry(b, x, y *entry) []entry {
	switch {
	case x == nil:
		return []entry{*y}
	case y == nil || x.key == y.key || b != nil && b.key == y.key:
		return []entry{*x}
	case b != nil && b.key == x.key:
		return []entry{*y}
	}
	if e, ok := mergeSuperseded(b, *x, *y); ok {
		s.twice = s.twice || x.struck && y.struck
		return []entry{e}
	}
	if y.key < x.key {
		x, y = y, x
	}
	switch {
	case x.what != "":
		return []entry{*x, *y}
	case checkpoint.ParseAction(strings.TrimPrefix(y.key, "item ")).Done:
		return []entry{*y}
	}
	return []entry{*x}
}

// stays reports whether an entry of base is in the result. An entry that one side removed stays
// only if it is a decision or a rule.
func (s *union) stays(id string) bool {
	x, y := find(s.x, id), find(s.y, id)
	switch {
	case x != nil && y != nil:
		return true
	case x == nil && y == nil, !s.permanent:
		return false
	}
	return cmp.Or(x, y).family != guide
}

// text writes entries. Between two entries it writes the white space of a version that has them one
// after the other. If no version does, items of a list and rows of a table are on adjacent lines.
func (s *union) text(all []entry) string {
	texts := make([]string, len(all))
	for i, e := range all {
		texts[i] = e.text
		if i > 0 && e.family == item && all[i-1].family == item {
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
	inList := e.family == item || e.family == row && !e.header
	if inList && e.family == p.family {
		return "\n"
	}
	return "\n\n"
}

func idsOf(all []entry) []string {
	ids := make([]string, len(all))
	for i, e := range all {
		ids[i] = e.id
	}
	return ids
}

// marked gives an unnumbered item the marker of the item before it, because a different one would
// begin another list.
func marked(text, before string) string {
	mark, rest := strings.TrimLeft(before, " "), strings.TrimLeft(text, " ")
	isUnnumbered := func(item string) bool { return item != "" && strings.Contains("-*+", item[:1]) }
	if !isUnnumbered(mark) || !isUnnumbered(rest) {
		return text
	}
	return text[:len(text)-len(rest)] + mark[:1] + rest[1:]
}

// firstNumber returns the smallest number of an item of either side.
func (s *union) firstNumber() int {
	first := 0
	for _, e := range slices.Concat(s.x, s.y) {
		if n, _, ok := number(e.family, e.text); ok && (first == 0 || n < first) {
			first = n
		}
	}
	return first
}

// renumber numbers the items of each numbered list from its first number, which for the first list
// is start. An item with several lines, which are indented by the width of the number, keeps its
// number if the new one has another width.
func renumber(all []entry, texts []string, start int) {
	last := start - 1 // the previous number; 0 for none
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

// number returns the number of a list item and its number of digits.
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

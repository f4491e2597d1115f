package merge

import (
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
)

// dropped is a text that another one replaced.
type dropped struct {
	title, body string
	level       int
	side        map[string]*unit // that it comes from
}

// replace puts one of two texts that both sides replaced into u. The other one is kept,
// where it says something, if keep is true.
func (m *merger) replace(u, x, y *unit, keep bool) {
	won, lost, side := x, y, m.inY
	if !m.stands(plain(x.body), plain(y.body), !keep) {
		won, lost, side = y, x, m.inX
	}
	u.body = won.body
	if !keep {
		m.find(Replaced, "both sides changed %s: the newer one stands", u.named())
		return
	}
	m.addChoice(u.named(), text(x.body), text(y.body), won == x)
	_, entries := lost.entries()
	if !slices.ContainsFunc(entries, entry.says) {
		m.find(Replaced, "both sides changed %s: the text that one side removed stands", u.named())
		return
	}
	m.dropped = append(m.dropped, dropped{cmp.Or(u.title(), "Introduction"), plain(lost.body), min(2, max(u.level, 1)), side})
}

// keptBy returns what a side keeps of the replaced texts of a section, as entries: an
// earlier merge chose between them and what the section has now.
func (m *merger) keptBy(side map[string]*unit, section *unit) []entry {
	title := checkpoint.ReplacedTitle(cmp.Or(section.title(), "Introduction"))
	var all []entry
	for key, u := range side {
		if u.class == replacedText && m.was[key] == nil && strings.EqualFold(u.title(), title) {
			all = append(all, entriesOf(u.body)...)
		}
		for _, part := range u.kept {
			head, body, _ := strings.Cut(part, "\n")
			if was := m.was[key]; strings.EqualFold(strings.Trim(head, "# "), title) && (was == nil || !was.hasKept(part)) {
				all = append(all, entriesOf(body)...)
			}
		}
	}
	return all
}

func entriesOf(body string) []entry {
	d, err := doc.Parse([]byte(strings.TrimLeft(body, "\n")))
	if err != nil {
		return nil
	}
	_, all := (&unit{doc: d, span: d.Body(), body: d.Slice(d.Body())}).entries()
	return all
}

// text is a body as a choice shows it: it ends in a line break, or is empty.
func text(body string) string {
	if body = plain(body); body != "" {
		body += "\n"
	}
	return body
}

// keepDropped keeps the texts that others replaced: each below the newest delta that its
// side added, else, as it came with none, in a section of its own.
func (m *merger) keepDropped(units []*unit) []*unit {
	for _, d := range m.dropped {
		title := checkpoint.ReplacedTitle(d.title)
		if i := m.deltaOf(units, d); i >= 0 {
			home := *units[i]
			home.kept = slices.Clone(home.kept)
			home.keep("### " + title + "\n\n" + d.body)
			units[i] = &home
			m.find(Replaced, "both sides changed %s: the text of the later side stands, the other is below the delta of %s", d.title, strings.TrimPrefix(stamp(&home), "delta "))
			continue
		}
		v := &unit{class: replacedText, level: d.level, head: strings.Repeat("#", d.level) + " " + title + "\n", body: "\n" + d.body}
		v.key = "replaced " + strings.ToLower(title) + "\n" + plain(v.body)
		m.find(Replaced, "both sides changed %s: the text of the later side stands, the other is in %q", d.title, title)
		if !slices.ContainsFunc(units, func(u *unit) bool { return u.key == v.key }) {
			units = slices.Insert(units, placeOf(units, v), v)
		}
	}
	return units
}

func stamp(u *unit) string {
	first, _, _ := strings.Cut(u.key, "\n")
	return first
}

// deltaOf is the index of the newest delta that the side of a text added; -1 for none.
func (m *merger) deltaOf(units []*unit, d dropped) int {
	at := -1
	for i, u := range units {
		if u.class == delta && d.side[u.key] != nil && m.was[u.key] == nil {
			at = i
		}
	}
	return at
}

// placeOf is where a section that keeps a text goes: behind the sections, in the order of
// the keys.
func placeOf(units []*unit, v *unit) int {
	for i, u := range units {
		if u.class > replacedText || u.class == replacedText && u.key > v.key {
			return i
		}
	}
	return len(units)
}

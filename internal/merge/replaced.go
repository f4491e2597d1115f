package merge

import (
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
)

// If both sides replaced a text, one of the two is taken. The other one, the loser, is kept word
// for word: below the newest delta that its side added, or else in a section of its own.

// loser is a text that was not taken.
type loser struct {
	title, body string
	level       int
	side        map[string]*unit // the units of the side that the text comes from
}

// choose puts the text of x or of y into u, because both sides replaced the text. The one that is not
// taken becomes a loser if it has content and keep is true.
func (m *merger) choose(u, x, y *unit, keep bool) {
	taken, lost, side := x, y, m.inY
	if !m.takesX(plain(x.body), plain(y.body)) {
		taken, lost, side = y, x, m.inX
	}
	u.body = taken.body
	if !keep {
		m.note(Replaced, "both sides changed %s: the newer one stands", u.name())
		return
	}
	_, entries := lost.entries()
	if !slices.ContainsFunc(entries, entry.hasContent) {
		m.note(Replaced, "both sides changed %s: the text that one side removed stands", u.name())
		return
	}
	m.losers = append(m.losers, loser{
		title: cmp.Or(u.title(), "Introduction"), body: plain(lost.body), level: min(2, max(u.level, 1)), side: side,
	})
}

// keepLosers adds the losers to the units.
func (m *merger) keepLosers(units []*unit) []*unit {
	for _, l := range m.losers {
		title := checkpoint.ReplacedTitle(l.title)
		if i := m.newestDelta(units, l.side); i >= 0 {
			u := *units[i]
			u.replaced = slices.Clone(u.replaced)
			u.addReplaced("### " + title + "\n\n" + l.body)
			units[i] = &u
			m.note(Replaced, "both sides changed %s: the text of the later side stands, the other is below the delta of %s",
				l.title, strings.TrimPrefix(stamp(&u), "delta "))
			continue
		}
		u := &unit{class: replacedText, level: l.level, body: "\n" + l.body}
		u.head = strings.Repeat("#", l.level) + " " + title + "\n"
		u.key = "replaced " + strings.ToLower(title) + "\n" + plain(u.body)
		m.note(Replaced, "both sides changed %s: the text of the later side stands, the other is in %q", l.title, title)
		if slices.ContainsFunc(units, func(have *unit) bool { return have.key == u.key }) {
			continue
		}
		at := slices.IndexFunc(units, func(v *unit) bool {
			return v.class > replacedText || v.class == replacedText && v.key > u.key
		})
		if at < 0 {
			at = len(units)
		}
		units = slices.Insert(units, at, u)
	}
	return units
}

// stamp returns the first line of a unit's key, which for a delta contains its time.
func stamp(u *unit) string {
	first, _, _ := strings.Cut(u.key, "\n")
	return first
}

// newestDelta returns the index of the newest delta that a side added, or -1.
func (m *merger) newestDelta(units []*unit, side map[string]*unit) int {
	at := -1
	for i, u := range units {
		if u.class == delta && side[u.key] != nil && m.was[u.key] == nil {
			at = i
		}
	}
	return at
}

// losersOf returns the entries of a section's losers that a side has and base lacks: an earlier merge
// on that side did not take them.
func (m *merger) losersOf(section *unit, side map[string]*unit) []entry {
	title := checkpoint.ReplacedTitle(cmp.Or(section.title(), "Introduction"))
	var all []entry
	for key, u := range side {
		was := m.was[key]
		if u.class == replacedText && was == nil && strings.EqualFold(u.title(), title) {
			all = append(all, parseEntries(u.body)...)
		}
		for _, part := range u.replaced {
			if body, ok := replacedBody(part, title); ok && (was == nil || !was.hasReplaced(part)) {
				all = append(all, parseEntries(body)...)
			}
		}
	}
	return all
}

// replacedBody returns the body of a part that keeps a replaced text, if the part has the given
// title.
func replacedBody(part, title string) (string, bool) {
	head, body, _ := strings.Cut(part, "\n")
	return body, strings.EqualFold(strings.Trim(head, "# "), title)
}

func parseEntries(body string) []entry {
	d, err := doc.Parse([]byte(strings.TrimLeft(body, "\n")))
	if err != nil {
		return nil
	}
	_, all := (&unit{doc: d, span: d.Body(), body: d.Slice(d.Body())}).entries()
	return all
}

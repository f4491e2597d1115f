package merge

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

// write writes the units one after the other.
func (m *merger) write(units []*unit) string {
	var out strings.Builder
	last := units[0]
	for i, u := range units {
		if i > 0 {
			out.WriteString(m.between(last, u))
		}
		out.WriteString(u.head + u.body)
		last = u
	}
	tail, ok := m.gap(func(side map[string]*unit) (string, bool) {
		if u := side[last.key]; u != nil && u.last {
			return u.tail, true
		}
		return "", false
	})
	if !ok || strings.TrimSpace(tail) == "" && last.body == "" {
		tail = strings.Repeat("\n", min(len(last.body), 1))
	}
	return out.String() + tail
}

// between returns the separator of two units: the one of a version that has v directly after u. Without such
// a version it is a blank line, and a rule if a version has a rule before v.
func (m *merger) between(u, v *unit) string {
	sep, ok := m.gap(func(side map[string]*unit) (string, bool) {
		p, w := side[u.key], side[v.key]
		if p == nil || w == nil || w.after != u.key {
			return "", false
		}
		return w.before, (p.body == "") == (u.body == "")
	})
	if ok {
		return sep
	}
	sep = "\n\n"
	if u.body == "" {
		sep = "\n"
	}
	for _, side := range []map[string]*unit{m.inX, m.inY} {
		if w := side[v.key]; w != nil && strings.TrimSpace(w.before) != "" {
			return sep + "---\n\n"
		}
	}
	return sep
}

// gap merges the text that the versions have at one place. Of returns the text of one version, and
// false if the version does not have the place.
func (m *merger) gap(of func(map[string]*unit) (string, bool)) (string, bool) {
	b, was := of(m.was)
	x, inX := of(m.inX)
	y, inY := of(m.inY)
	switch {
	case inX && inY:
		return threeWay(b, x, y, was), true
	case inX:
		return x, true
	}
	return y, inY
}

// threeWay returns the text of the side that changed it. If both did, or base is not known, it returns the greater one.
func threeWay(base, x, y string, known bool) string {
	switch {
	case known && base == x:
		return y
	case known && base == y:
		return x
	}
	return max(x, y)
}

// check parses the result again, and returns an error unless it has exactly the merged keys, units and entries.
func check(text string, front []string, units []*unit) error {
	d, err := doc.Parse([]byte(text))
	if err != nil {
		return fault.New(fault.Invalid, "the versions do not go together: %w", err)
	}
	same := slices.Equal(keys(d), front) && slices.EqualFunc(units, split(d), func(want, got *unit) bool {
		samePlain := func(a, b string) bool { return plain(a) == plain(b) }
		switch {
		case want.title() != got.title() || want.level != got.level:
			return false
		case want.class == delta && !slices.EqualFunc(want.replaced, got.replaced, samePlain):
			return false
		}
		if want.merged == nil {
			return true
		}
		_, entries := got.entries()
		return slices.EqualFunc(want.merged, entries, func(a, b entry) bool { return a.key == b.key })
	})
	if !same {
		return fault.New(fault.Invalid, "the versions do not go together: the text of one would read otherwise in the other")
	}
	return nil
}

func withEOL(text, eol string) string {
	if eol != "\n" {
		text = strings.ReplaceAll(text, "\n", eol)
	}
	return text
}

// plain returns a text for comparison, without white space at ends of lines and without blank lines around it.
func plain(text string) string {
	atEnd := strings.HasSuffix(text, " ") || strings.HasSuffix(text, "\t")
	inside := strings.Contains(text, " \n") || strings.Contains(text, "\t\n") || strings.Contains(text, "\r")
	if !atEnd && !inside {
		return strings.Trim(text, "\n") // the usual case needs no splitting
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

func trimEnd(text string) string { return strings.TrimRight(text, " \t\r\n") }

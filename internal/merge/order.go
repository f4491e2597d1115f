package merge

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
)

// lesser orders units that both sides added in one place: parts of a section that is there
// already before others, then as the format has them, then by time and by key.
func (m *merger) lesser(all map[string]*unit, versions ...[]*unit) func(a, b string) bool {
	ascending := false
	for _, units := range versions {
		if yes, known := oldestFirst(units); known {
			ascending = yes
			break
		}
	}
	compare := func(a, b *unit) int {
		added := func(u *unit) int { return map[bool]int{false: 0, true: 1}[m.was[u.key] == nil] }
		order := func(u *unit) int {
			if u.known {
				return int(u.kind)
			}
			return len(checkpoint.Kinds())
		}
		days := a.at.Compare(b.at)
		if !ascending && a.class != delta {
			days = -days
		}
		return cmp.Or(added(a)-added(b), b.level-a.level, int(a.class)-int(b.class), order(a)-order(b), days, strings.Compare(a.key, b.key))
	}
	return func(a, b string) bool {
		p, q := all[a].within, all[b].within
		for i := range min(len(p), len(q)) {
			if c := compare(p[i], q[i]); c != 0 {
				return c < 0
			}
		}
		return len(p) < len(q)
	}
}

// inTime reports whether the deltas of a version are in the order of time.
func inTime(units []*unit) bool {
	deltas := slices.DeleteFunc(slices.Clone(units), func(u *unit) bool { return u.class != delta })
	return slices.IsSortedFunc(deltas, func(a, b *unit) int { return a.at.Compare(b.at) })
}

// sortDeltas puts the deltas into the order of time, where deltas are.
func sortDeltas(units []*unit) {
	var at []int
	var deltas []*unit
	for i, u := range units {
		if u.class == delta {
			at, deltas = append(at, i), append(deltas, u)
		}
	}
	slices.SortStableFunc(deltas, func(a, b *unit) int { return cmp.Or(a.at.Compare(b.at), strings.Compare(a.key, b.key)) })
	for i, u := range deltas {
		units[at[i]] = u
	}
}

// oldestFirst reports whether the dated headings of a version are in the order of time;
// known is false where it has no two days.
func oldestFirst(units []*unit) (yes, known bool) {
	var first time.Time
	for _, u := range units {
		switch {
		case u.class == delta || u.at.IsZero():
		case first.IsZero():
			first = u.at
		case !u.at.Equal(first):
			return u.at.After(first), true
		}
	}
	return false, false
}

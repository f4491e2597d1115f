package merge

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
)

// orderUnits returns merged units in the order of the versions. Units that both sides added at one place
// are sorted: units within a section of base come first. After that the level counts (deeper first), then
// the order of the format, then the time, then the key.
func orderUnits(all, was map[string]*unit, versions ...[]*unit) []*unit {
	ascending := false
	for _, units := range versions {
		if oldestFirst, known := isOldestFirst(units); known {
			ascending = oldestFirst
			break
		}
	}
	rank := func(u *unit) int {
		if was[u.key] == nil {
			return 1
		}
		return 0
	}
	kind := func(u *unit) int {
		if u.known {
			return int(u.kind)
		}
		return len(checkpoint.Kinds())
	}
	compare := func(a, b *unit) int {
		days := a.at.Compare(b.at)
		if !ascending && a.class != delta {
			days = -days
		}
		classes := int(a.class) - int(b.class)
		return cmp.Or(rank(a)-rank(b), b.level-a.level, classes, kind(a)-kind(b), days, strings.Compare(a.key, b.key))
	}
	less := func(a, b string) bool { return slices.CompareFunc(all[a].within, all[b].within, compare) < 0 }
	keys := make([][]string, len(versions)) // by version, those of units that stay: a revert removes some
	for i, units := range versions {
		for _, u := range units {
			if all[u.key] != nil {
				keys[i] = append(keys[i], u.key)
			}
		}
	}
	var out []*unit
	for _, key := range mergeOrder(keys[0], keys[1], keys[2], func(string) bool { return true }, less) {
		out = append(out, all[key])
	}
	return out
}

// isSorted reports whether the deltas of a version are in the order of time.
func isSorted(units []*unit) bool {
	deltas := slices.DeleteFunc(slices.Clone(units), func(u *unit) bool { return u.class != delta })
	return slices.IsSortedFunc(deltas, func(a, b *unit) int { return a.at.Compare(b.at) })
}

// sortDeltas sorts the deltas among units by time. Other units keep their places.
func sortDeltas(units []*unit) {
	var at []int
	var deltas []*unit
	for i, u := range units {
		if u.class == delta {
			at, deltas = append(at, i), append(deltas, u)
		}
	}
	slices.SortStableFunc(deltas, func(a, b *unit) int {
		return cmp.Or(a.at.Compare(b.at), strings.Compare(a.key, b.key))
	})
	for i, u := range deltas {
		units[at[i]] = u
	}
}

// isOldestFirst reports whether the dated headings of a version are ordered oldest first. Known is
// false if fewer than two different days occur.
func isOldestFirst(units []*unit) (oldestFirst, known bool) {
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

// mergeOrder merges two orders of keys with the common ancestor base.
//
// The keys of base for which stays returns true are the anchors. If only one side changed the order of the anchors, its
// order is taken. A key that a side added comes after the anchor that it follows on that side. If both sides added keys
// after one anchor, each side's keys stay together and in their order, and the side whose first key is less comes
// first. So three sides give the same result in whatever order they are merged. No sequence may contain a key twice.
func mergeOrder(base, x, y []string, stays func(key string) bool, less func(a, b string) bool) []string {
	anchors := slices.DeleteFunc(slices.Clone(base), func(key string) bool { return !stays(key) })
	anchors = reorder(anchors, x, y)
	was, at := indexes(base), indexes(anchors)
	place := map[string]int{} // for each added key, the number of anchors before it
	forAdded(x, was, at, func(key string, i int) { place[key] = i })
	forAdded(y, was, at, func(key string, i int) {
		if j, both := place[key]; !both || i < j {
			place[key] = i
		}
	})
	chains := func(side []string) [][]string {
		all := make([][]string, len(anchors)+1)
		forAdded(side, was, at, func(key string, i int) {
			if place[key] == i {
				all[i] = append(all[i], key)
			}
		})
		return all
	}
	cx, cy := chains(x), chains(y)
	out := mergeChains(cx[0], cy[0], less)
	for i, key := range anchors {
		out = append(append(out, key), mergeChains(cx[i+1], cy[i+1], less)...)
	}
	return out
}

func indexes(keys []string) map[string]int {
	m := make(map[string]int, len(keys))
	for i, key := range keys {
		m[key] = i
	}
	return m
}

// reorder returns the anchors in the order of the side that changed it. The order stays if a side
// lacks one of the anchors, or if the sides changed the order in different ways.
func reorder(anchors, x, y []string) []string {
	at := indexes(anchors)
	in := func(side []string) []string {
		return slices.DeleteFunc(slices.Clone(side), func(key string) bool { _, ok := at[key]; return !ok })
	}
	inX, inY := in(x), in(y)
	switch {
	case len(inX) != len(anchors) || len(inY) != len(anchors):
		return anchors
	case slices.Equal(inX, anchors):
		return inY
	case slices.Equal(inY, anchors), slices.Equal(inX, inY):
		return inX
	}
	return anchors
}

// forAdded calls visit with each key that a side added, and the number of anchors before it.
func forAdded(side []string, was, anchors map[string]int, visit func(key string, i int)) {
	i := 0
	for _, key := range side {
		if anchor, ok := anchors[key]; ok {
			i = anchor + 1
		} else if _, old := was[key]; !old {
			visit(key, i)
		}
	}
}

// mergeChains merges two chains of keys, which two sides added at one place. A key of both is taken when
// it is first in both, unless the chains disagree on the order.
func mergeChains(p, q []string, less func(a, b string) bool) []string {
	var out []string
	inP, inQ := indexes(p), indexes(q)
	taken := map[string]bool{}
	take := func(key string) {
		if !taken[key] {
			out = append(out, key)
			taken[key] = true
		}
	}
	for len(p) > 0 && len(q) > 0 {
		a, b := p[0], q[0]
		_, aInBoth := inQ[a]
		_, bInBoth := inP[b]
		switch {
		case taken[a]:
			p = p[1:]
		case taken[b]:
			q = q[1:]
		case a == b || bInBoth && !aInBoth || aInBoth == bInBoth && !less(b, a):
			take(a)
		default:
			take(b)
		}
	}
	for _, key := range slices.Concat(p, q) {
		take(key)
	}
	return out
}

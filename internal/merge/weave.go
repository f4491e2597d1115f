package merge

import "slices"

// weave merges two orders of keys that began as base. The keys of base for which stays
// returns true are the anchors. They keep their order, which is that of the side that
// changed it. What a side added goes behind the anchor that it follows there. Of two
// chains of added keys behind one anchor the one with the lesser head goes first, head by
// head: each keeps its own order, and of three it does not matter which two are merged
// first. No sequence contains a key twice.
func weave(base, x, y []string, stays func(key string) bool, less func(a, b string) bool) []string {
	anchors := slices.DeleteFunc(slices.Clone(base), func(key string) bool { return !stays(key) })
	anchors = reordered(anchors, x, y)
	was, at := indexed(base), indexed(anchors)
	place := map[string]int{} // of an added key: the number of anchors before it
	places(x, was, at, func(key string, i int) { place[key] = i })
	places(y, was, at, func(key string, i int) {
		if j, both := place[key]; !both || i < j {
			place[key] = i
		}
	})
	chains := func(side []string) [][]string {
		all := make([][]string, len(anchors)+1)
		places(side, was, at, func(key string, i int) {
			if place[key] == i {
				all[i] = append(all[i], key)
			}
		})
		return all
	}
	cx, cy := chains(x), chains(y)
	out := weaveChains(cx[0], cy[0], less)
	for i, key := range anchors {
		out = append(append(out, key), weaveChains(cx[i+1], cy[i+1], less)...)
	}
	return out
}

func indexed(keys []string) map[string]int {
	m := make(map[string]int, len(keys))
	for i, key := range keys {
		m[key] = i
	}
	return m
}

// reordered returns the anchors in the order that one side gave them, if both sides have
// them all and the other side left them as they were.
func reordered(anchors, x, y []string) []string {
	at := indexed(anchors)
	of := func(side []string) []string {
		return slices.DeleteFunc(slices.Clone(side), func(key string) bool { _, ok := at[key]; return !ok })
	}
	ox, oy := of(x), of(y)
	switch {
	case len(ox) != len(anchors) || len(oy) != len(anchors):
		return anchors
	case slices.Equal(ox, anchors):
		return oy
	case slices.Equal(oy, anchors), slices.Equal(ox, oy):
		return ox
	}
	return anchors
}

// places calls put with each key that a side added, and how many anchors it is behind.
func places(side []string, was, at map[string]int, put func(key string, i int)) {
	i := 0
	for _, key := range side {
		if anchor, ok := at[key]; ok {
			i = anchor + 1
		} else if _, old := was[key]; !old {
			put(key, i)
		}
	}
}

// weaveChains merges two chains of one place. A key that both have waits until it is the
// head of both, unless the chains disagree on the order.
func weaveChains(p, q []string, less func(a, b string) bool) []string {
	var out []string
	inP, inQ := indexed(p), indexed(q)
	taken := map[string]bool{}
	take := func(key string) {
		if !taken[key] {
			out, taken[key] = append(out, key), true
		}
	}
	for len(p) > 0 && len(q) > 0 {
		a, b := p[0], q[0]
		_, aWaits := inQ[a]
		_, bWaits := inP[b]
		switch {
		case taken[a]:
			p = p[1:]
		case taken[b]:
			q = q[1:]
		case a != b && (aWaits && !bWaits || aWaits == bWaits && less(b, a)):
			take(b)
		default:
			take(a)
		}
	}
	for _, key := range slices.Concat(p, q) {
		take(key)
	}
	return out
}

package schema

import (
	"slices"

	"example.com/ckpt/internal/core/value"
)

// marks returns the digests of what sections say of a field: one for each entry of a list
// or of an object.
func (f field) marks(says any) []string {
	var all []string
	switch says := says.(type) {
	case nil:
	case []any:
		for _, e := range says {
			all = append(all, f.mark(e))
		}
	case value.Object:
		for _, p := range pairs(says) {
			all = append(all, p.mark())
		}
	default:
		src, _ := value.JSON(says)
		all = append(all, digest(string(src)))
	}
	return all
}

// mark returns the digest of an entry of a list, as the sections say it or as it was
// imported.
func (f field) mark(e any) string {
	if f.entry == nil {
		src, _ := value.JSON(e)
		return digest(string(src))
	}
	text := same(f.entry(e))
	if f.status != nil {
		text = f.status(e) + " " + text
	}
	return digest(text)
}

// unchanged reports whether the sections still say what they said with the save, in
// whatever order.
func unchanged(was, now []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(was)), slices.Sorted(slices.Values(now)))
}

// merged returns a stored value with what has changed in the sections since: was are the
// digests of what they said then, says is what they say now. It is nil where nothing is
// left.
func (f field) merged(stored, says any, was []string) any {
	switch old := stored.(type) {
	case []any:
		now, _ := says.([]any)
		return f.mergedList(old, now, was)
	case value.Object:
		if now, ok := says.(value.Object); ok || says == nil {
			return mergedObject(old, now, was)
		}
	}
	return says
}

func (f field) mergedList(old, now []any, was []string) []any {
	nowMarks := f.marks(now)
	used := map[int]bool{}
	out := []any{}
	for _, e := range old {
		mark := f.mark(e)
		if !slices.Contains(was, mark) || slices.Contains(nowMarks, mark) {
			out = append(out, e)
			continue
		}
		for i, n := range now { // the same entry, with another status
			if f.entry != nil && !used[i] && !slices.Contains(was, nowMarks[i]) && same(f.entry(n)) == same(f.entry(e)) {
				used[i] = true
				out = append(out, f.update(e, n))
				break
			}
		}
	}
	known := append(slices.Clone(was), f.marks(old)...)
	for i, n := range now {
		if !used[i] && !slices.Contains(known, nowMarks[i]) {
			out = append(out, n)
		}
	}
	return out
}

// pair is a member of an object, or an entry of a list that is one.
type pair struct {
	key    string
	value  any
	listed bool
}

func (p pair) mark() string {
	text, ok := scalar(p.value)
	if !ok {
		src, _ := value.JSON(p.value)
		text = string(src)
	}
	return digest(p.key + ": " + same(text))
}

func pairs(o value.Object) []pair {
	var all []pair
	for _, m := range o {
		list, ok := m.Value.([]any)
		if !ok {
			all = append(all, pair{m.Key, m.Value, false})
		}
		for _, e := range list {
			all = append(all, pair{m.Key, e, true})
		}
	}
	return all
}

func mergedObject(old, now value.Object, was []string) value.Object {
	var nowMarks []string
	for _, p := range pairs(now) {
		nowMarks = append(nowMarks, p.mark())
	}
	gone := func(p pair) bool { return slices.Contains(was, p.mark()) && !slices.Contains(nowMarks, p.mark()) }
	out := value.Object{}
	for _, m := range old {
		if list, ok := m.Value.([]any); ok {
			m.Value = slices.DeleteFunc(slices.Clone(list), func(e any) bool { return gone(pair{m.Key, e, true}) })
		} else if gone(pair{m.Key, m.Value, false}) {
			continue
		}
		out = append(out, m)
	}
	for i, p := range pairs(now) {
		if slices.Contains(was, nowMarks[i]) {
			continue
		}
		if list, ok := member[[]any](out, p.key); p.listed && ok {
			p.value = append(slices.Clone(list), p.value)
		} else if p.listed {
			p.value = []any{p.value}
		}
		out = value.Set(out, p.value, p.key)
	}
	return out
}

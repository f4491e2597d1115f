package merge

import (
	"slices"
	"strings"
	"time"
)

// insert puts a unit of theirs where it belongs: a delta by its time, another one
// behind the nearest that stands before it in theirs and is here.
func insert(out, before []*unit, t *unit) []*unit {
	t.touched = true
	at := -1
	if t.delta {
		for i, u := range out {
			if !u.delta {
				continue
			}
			if u.at.After(t.at) {
				return slices.Insert(out, i, t)
			}
			at = i + 1
		}
	}
	for _, p := range slices.Backward(before) {
		if at >= 0 {
			break
		}
		if at = lastIndex(out, p.key) + 1; at == 0 {
			at = -1
			continue
		}
		for at < len(out) && out[at].level > t.level { // not between a section and its parts
			at++
		}
	}
	return slices.Insert(out, inTime(out, max(at, 0), t), t)
}

// inTime is at, or behind those of one file's dated entries (LEARNINGS.md) from there
// on that stand before t in time, in whichever order the file has them.
func inTime(out []*unit, at int, t *unit) int {
	if t.delta || t.at.IsZero() {
		return at
	}
	before := func(u *unit) bool { return u.at.After(t.at) } // the newest first
	if oldestFirst(out) {
		before = func(u *unit) bool { return u.at.Before(t.at) }
	}
	for i := at; i < len(out) && out[i].level >= t.level; i++ {
		switch {
		case out[i].level > t.level: // part of the entry above it
		case out[i].at.IsZero() || !before(out[i]):
			return at
		}
		at = i + 1
	}
	return at
}

// oldestFirst says whether dated entries stand in the order of time.
func oldestFirst(units []*unit) bool {
	var first time.Time
	for _, u := range units {
		switch {
		case u.delta || u.at.IsZero():
		case first.IsZero():
			first = u.at
		case !u.at.Equal(first):
			return u.at.After(first)
		}
	}
	return false
}

// dayOf is the day that a heading names; zero for none.
func dayOf(title string) time.Time {
	for word := range strings.FieldsSeq(title) {
		if day, err := time.Parse(time.DateOnly, strings.Trim(word, "()[]:,;*_`")); err == nil {
			return day
		}
	}
	return time.Time{}
}

func lastIndex(units []*unit, key string) int {
	for i, u := range slices.Backward(units) {
		if u.key == key {
			return i
		}
	}
	return -1
}

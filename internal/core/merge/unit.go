package merge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
)

// unit is what is merged as one: a heading with its own text, up to the next
// heading; a delta with all its parts; what stands before the first heading.
type unit struct {
	key     string // equal for the same section of two versions
	level   int    // of the heading; 0 for none
	head    string // the heading's lines
	body    string
	keeps   bool // its entries are never dropped: decisions, user rules
	delta   bool
	mark    bool      // an exploration that is under way
	at      time.Time // of a delta; of another heading the day that it names
	touched bool      // not as in ours
	united  []entry   // what the body was put together of; nil where it was not
	sides   *sides    // what it was put together from, where a person would choose

	afterGap bool // what stood before it in ours is gone

	doc  *doc.Doc
	span doc.Span // of the body
}

// split is the units of a version, in order; the first is the text before any
// heading, empty or not.
func split(d *doc.Doc) []*unit {
	preamble := d.Preamble()
	all := []*unit{{doc: d, span: preamble, body: d.Slice(preamble)}}
	deltas := map[int]checkpoint.Delta{}
	for _, delta := range (&checkpoint.Checkpoint{Doc: d}).Deltas() {
		deltas[delta.Section.Heading.Start] = delta
	}
	seen := map[string]int{}
	var path [7]string // the titles above, by level
	end := 0           // of the last delta
	for _, s := range d.Sections() {
		if s.Heading.Start < end {
			continue
		}
		u := &unit{doc: d, level: s.Level, head: d.Slice(s.Heading), span: s.Body}
		if delta, ok := deltas[s.Heading.Start]; ok {
			end = s.Whole.End
			u.span = doc.Span{Start: s.Heading.End, End: s.Whole.End}
			u.delta, u.at = true, delta.At
			u.key = "delta " + delta.Stamp + "\n" + plain(said(d.Slice(u.span)))
		} else if checkpoint.IsRemnant(s) {
			end = s.Whole.End
			u.span = doc.Span{Start: s.Heading.End, End: s.Whole.End}
			u.key = "remnant " + s.Title
		} else if kind, known := checkpoint.KindNamed(s.Title); known {
			u.key = "kind " + kind.Template().Name
			u.keeps = kind == checkpoint.Decisions || kind == checkpoint.Rules
		} else {
			path[s.Level] = strings.ToLower(s.Title)
			u.key = "title " + strings.Join(path[:s.Level+1], "\n")
			u.at, u.mark = dayOf(s.Title), checkpoint.IsMark(s)
		}
		if !u.delta {
			path[s.Level] = strings.ToLower(s.Title)
			clear(path[s.Level+1:])
		}
		u.body = d.Slice(u.span)
		if twin := slices.IndexFunc(all, func(v *unit) bool { return v.key == u.key && v.same(u) }); twin < 0 {
			if seen[u.key]++; seen[u.key] > 1 {
				u.key = fmt.Sprintf("%s\n#%d", u.key, seen[u.key])
			}
		} // else the same once more is the same
		all = append(all, u)
	}
	return all
}

// parted says whether a unit stands behind a rule, in a file that has rules.
func (u *unit) parted() bool { return u.delta || u.mark }

// title is the heading without its markup; "" for none.
func (u *unit) title() string { return strings.Trim(plain(u.head), "#=- \t\n") }

// same says whether two units read the same. The rule at the end of a delta belongs to
// the one behind it.
func (u *unit) same(v *unit) bool {
	if u.delta && v.delta {
		return u.untouched(v)
	}
	return u.title() == v.title() && u.level == v.level && plain(u.body) == plain(v.body)
}

// untouched is same, but for the rule that a delta behind it has brought.
func (u *unit) untouched(v *unit) bool {
	return u.title() == v.title() && u.level == v.level && plain(said(u.body)) == plain(said(v.body))
}

func byKey(units []*unit) map[string]*unit {
	m := map[string]*unit{}
	for _, u := range units {
		if m[u.key] == nil {
			m[u.key] = u
		}
	}
	return m
}

// units is ours with what theirs changed since base.
func (m *merger) units(base, ours, theirs []*unit) []*unit {
	was, have, other := byKey(base), byKey(ours), byKey(theirs)
	out := slices.Clone(ours)
	for i, t := range theirs {
		b, o := was[t.key], have[t.key]
		switch {
		case o == nil && b != nil && b.untouched(t) && !t.keeps: // ours took it out
		case o == nil && slices.ContainsFunc(ours, func(o *unit) bool { return other[o.key] == nil && was[o.key] == nil && o.same(t) }):
			// ours has it elsewhere
		case o == nil:
			if b != nil {
				m.remark(t.named() + " was removed on one side and changed on the other: it stays")
			}
			out = insert(out, theirs[:i], t)
		case b != nil && b.same(t), o.same(t):
		case b != nil && b.same(o):
			o.head, o.body, o.level, o.touched = t.head, t.body, t.level, true
		default:
			m.body(b, o, t)
		}
	}
	for _, b := range base {
		o := have[b.key]
		if other[b.key] != nil || o == nil {
			continue
		}
		if o.keeps || !o.untouched(b) {
			m.remark(o.named() + " was removed on one side and changed on the other: it stays")
			continue
		}
		out = remove(out, o)
	}
	return out
}

// remove takes a unit out, and what is the same once more.
func remove(out []*unit, u *unit) []*unit {
	var kept []*unit
	gap := false
	for _, v := range out {
		if v.key == u.key && v.same(u) {
			gap = true
			continue
		}
		v.afterGap = v.afterGap || gap
		kept, gap = append(kept, v), false
	}
	return kept
}

func (u *unit) named() string { return cmp.Or(u.title(), "the text before the first heading") }

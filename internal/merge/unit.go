package merge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
)

// unit is the part of a file that is merged as one: a heading with its own text, up to the
// next heading; a delta with all its parts; or the text before the first heading.
type unit struct {
	key    string // the same in two versions of a section
	level  int    // the level of the heading; 0 for none
	head   string // the lines of the heading
	body   string // without the white space and the rule after it
	before string // the text between the body of the previous unit and this heading
	after  string // the key of the previous unit
	last   bool
	tail   string // for the last unit, the text after its body
	class  class
	kind   checkpoint.Kind // the kind of a section of the format
	known  bool            // the format defines the section
	at     time.Time       // the time of a delta, or the day in a title
	within []*unit         // the units of the headings above it, outermost first, and the unit itself

	core     string   // for a delta, its body without the replaced texts
	replaced []string // for a delta, its parts that keep a replaced text

	merged []entry // the merged entries of the body; nil if it was not merged

	doc  *doc.Doc
	span doc.Span // the span of the body
}

// class is the kind of a unit. The classes are in the order in which a file has them.
type class int

const (
	section class = iota
	replacedText
	remnant
	delta
	mark
	completion
)

// split returns the units of a version, in order. The first is the text before any heading,
// which may be empty.
func split(d *doc.Doc) []*unit {
	preamble := d.Preamble()
	all := []*unit{{key: "preamble", doc: d, span: preamble}}
	deltas := map[int]checkpoint.Delta{}
	for _, delta := range (&checkpoint.Checkpoint{Doc: d}).Deltas() {
		deltas[delta.Section.Heading.Start] = delta
	}
	var path [7]*unit // by level, the headings above the current one
	end := 0          // the end of the last unit that has parts
	for _, s := range d.Sections() {
		if s.Heading.Start < end {
			continue
		}
		u := &unit{doc: d, level: s.Level, head: strings.TrimRight(d.Slice(s.Heading), "\n") + "\n", span: s.Body}
		path[s.Level] = u
		clear(path[s.Level+1:])
		for _, above := range path[:s.Level+1] {
			if above != nil {
				u.within = append(u.within, above)
			}
		}
		delta, isDelta := deltas[s.Heading.Start]
		if isDelta || checkpoint.IsRemnant(s) {
			end = s.Whole.End
			u.span = doc.Span{Start: s.Heading.End, End: s.Whole.End}
		}
		u.identify(s, delta, isDelta)
		all = append(all, u)
	}
	seen := map[string]int{}
	for i, u := range all {
		whole := d.Slice(u.span)
		u.body = content(whole)
		if gap := whole[len(u.body):]; i+1 < len(all) {
			all[i+1].before = gap
		} else {
			u.tail, u.last = gap, true
		}
		if u.class == delta {
			u.splitDelta()
			u.key += "\n" + plain(u.core)
		} else if u.class == replacedText {
			u.key += "\n" + plain(u.body)
		}
		seen[u.key]++
		if seen[u.key] > 1 {
			u.key = fmt.Sprintf("%s\n#%d", u.key, seen[u.key])
		}
		if i > 0 {
			u.after = all[i-1].key
		}
	}
	return all
}

// identify sets the class, the kind and the key of a unit.
func (u *unit) identify(s doc.Section, d checkpoint.Delta, isDelta bool) {
	_, replaced := checkpoint.ReplacedText(s)
	kind, known := checkpoint.KindNamed(s.Title)
	switch {
	case isDelta:
		u.class, u.at, u.key = delta, d.At, "delta "+d.Stamp
	case checkpoint.IsRemnant(s):
		u.class, u.key = remnant, "remnant "+s.Title
	case replaced:
		u.class, u.key = replacedText, "replaced "+strings.ToLower(s.Title)
	case known:
		u.kind, u.known, u.key = kind, true, "kind "+kind.Template().Name
		if kind == checkpoint.Completion {
			u.class = completion
		}
	default:
		titles := make([]string, len(u.within))
		for i, above := range u.within {
			titles[i] = fmt.Sprint(above.level, " ", strings.ToLower(above.title()))
		}
		u.at, u.key = dayOf(s.Title), "title "+strings.Join(titles, "\n")
		if checkpoint.IsMark(s) {
			u.class = mark
		}
	}
}

// splitDelta separates the parts of a delta that keep a replaced text from the others.
func (u *unit) splitDelta() {
	at, end := u.span.Start, u.span.Start+len(u.body)
	var core strings.Builder
	parts := u.doc.Sections()
	first, _ := slices.BinarySearchFunc(parts, at, func(s doc.Section, at int) int { return s.Heading.Start - at })
	for _, part := range parts[first:] {
		if part.Heading.Start >= end {
			break
		}
		if _, ok := checkpoint.ReplacedText(part); !ok {
			continue
		}
		core.WriteString(u.doc.Slice(doc.Span{Start: at, End: part.Heading.Start}))
		at = min(part.Whole.End, end)
		u.replaced = append(u.replaced, trimEnd(u.doc.Slice(doc.Span{Start: part.Heading.Start, End: at})))
	}
	core.WriteString(u.doc.Slice(doc.Span{Start: at, End: end}))
	u.core = trimEnd(core.String())
}

func (u *unit) hasReplaced(part string) bool {
	return slices.ContainsFunc(u.replaced, func(have string) bool { return plain(have) == plain(part) })
}

// addReplaced adds parts that keep a replaced text to a delta, each once.
func (u *unit) addReplaced(parts ...string) {
	for _, part := range parts {
		if !u.hasReplaced(part) {
			u.replaced = append(u.replaced, part)
		}
	}
	slices.Sort(u.replaced)
	u.body = strings.Join(append([]string{u.core}, u.replaced...), "\n\n")
}

// title returns the heading without its markup, or an empty string.
func (u *unit) title() string { return strings.Trim(plain(u.head), "#=- \t\n") }

func (u *unit) name() string { return cmp.Or(u.title(), "the text before the first heading") }

// same reports whether two units have the same title, level and text.
func (u *unit) same(v *unit) bool {
	return u.title() == v.title() && u.level == v.level && plain(u.body) == plain(v.body)
}

// isPermanent reports whether a merge drops no entry of the section if both sides changed the section.
func (u *unit) isPermanent() bool {
	return u.known && (u.kind == checkpoint.Decisions || u.kind == checkpoint.Rules)
}

// content returns a body without the white space after it and without a rule that separates
// it from what follows.
func content(body string) string {
	body = trimEnd(body)
	if rest, ok := strings.CutSuffix(body, "\n---"); ok {
		body = trimEnd(rest)
	}
	return body
}

// dayOf returns the day in a heading, or the zero time.
func dayOf(title string) time.Time {
	for word := range strings.FieldsSeq(title) {
		if day, err := time.Parse(time.DateOnly, strings.Trim(word, "()[]:,;*_`")); err == nil {
			return day
		}
	}
	return time.Time{}
}

func byKey(units []*unit) map[string]*unit {
	m := make(map[string]*unit, len(units))
	for _, u := range units {
		m[u.key] = u
	}
	return m
}

package importing

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// chapter is a heading of a file with its meaning and the text up to the next heading.
// The first chapter has no heading: it is the text before the first one.
type chapter struct {
	doc.Section
	parent int             // the index of the chapter that this one is below; -1 for the first
	kind   checkpoint.Kind // the section that it belongs to; nowhere for none
	opens  bool            // its own heading names the section
	old    bool            // it is an older entry of a log
	texts  []stretch
}

// chapters returns the chapters of a file with the section of each. A chapter belongs to the
// section of the heading above it, unless its own heading names another one: Next below State,
// Completed below Next.
func (f file) chapters() []chapter {
	if f.keepsPrompts() {
		return f.promptChapters()
	}
	home, only := homeOf(f.name)
	all := []chapter{{Section: doc.Section{Body: f.doc.Preamble()}, parent: -1, kind: home}}
	_, titled := f.title()
	for _, s := range f.doc.Sections() {
		c := chapter{Section: s, parent: len(all) - 1, kind: home}
		for c.parent >= 0 && all[c.parent].Level >= s.Level {
			c.parent = all[c.parent].parent
		}
		if c.parent < 0 {
			c.parent = 0 // it is below the text before the first heading
		}
		above := all[c.parent]
		if c.parent > 0 && !(titled && c.parent == 1) {
			c.kind = above.kind
		}
		kind, ok := kindOf(s.Title)
		if k, own := f.means[text.BareTitle(s.Title)]; own {
			kind, ok = k, true
		}
		switch {
		case only && (!ok || kind != checkpoint.Decisions), titled && len(all) == 1 && kind != checkpoint.Next:
		case ok && kind != c.kind && (above.turnsTo(kind) || titled && c.parent == 1):
			c.kind, c.opens = kind, true
		case stage(s.Title) == checkpoint.Finished && (c.kind == nowhere || titled && c.parent == 1):
			c.kind, c.opens = checkpoint.PlayByPlay, true
		}
		all = append(all, c)
	}
	if titled && !only {
		f.wholly(all)
	}
	if !only {
		for i := range all {
			all[i].texts = f.stretches(all[i].Body, all[i].kind, reachIn(all, i, titled))
		}
		newestOnly(all)
		f.byStatus(all)
	}
	return all
}

// turnsTo reports whether a heading below a chapter may begin another section.
func (c chapter) turnsTo(k checkpoint.Kind) bool {
	switch c.kind {
	case nowhere:
		return true
	case checkpoint.PlayByPlay:
		return k == checkpoint.Next || k == checkpoint.State || k == checkpoint.Decisions
	case checkpoint.State:
		return k == checkpoint.Next || k == checkpoint.PlayByPlay || k == checkpoint.Decisions
	case checkpoint.Next:
		return k == checkpoint.PlayByPlay
	}
	return c.Level == 0
}

var todoTitle = text.Regexp(`(?i)\bto-?do`)

// wholly assigns a file whose title names a section, "# Current State", to that section.
// Two titles are special: below "# Progress" a chapter is not done just because of the
// title, and below "# TODO" only lists are things to do.
func (f file) wholly(all []chapter) {
	kind, ok := kindOf(all[1].Title)
	others := slices.ContainsFunc(all[2:], func(c chapter) bool { return c.opens })
	switch {
	case !ok, kind != checkpoint.Next && others, kind == checkpoint.PlayByPlay && len(all) > 2:
		return
	case kind != checkpoint.Next:
		for i := range all {
			all[i].kind = kind
		}
		all[1].opens = true
		return
	}
	if _, whole, _ := kinds.Get().Find(all[1].Title); !whole && !todoTitle.MatchString(all[1].Title) {
		return // a file "Shop: next steps" may have more than next steps
	}
	tallies, boxes := make([]tally, len(all)), 0
	for i, c := range all {
		tallies[i] = f.tallyOf(c.Body)
		boxes += tallies[i].boxes
	}
	for i, t := range tallies {
		if i <= 1 || all[i].kind != nowhere {
			continue
		}
		hasOpen := !t.code && t.entries > t.finished+t.struck
		if hasOpen && (boxes == 0 || t.boxes > 0) {
			all[i].kind = kind
		}
	}
}

// reachIn returns the reach for the text of a chapter.
func reachIn(all []chapter, i int, titled bool) reach {
	switch {
	case all[i].kind != nowhere:
	case len(all) == 1 || len(all) == 2 && titled:
		return allLabels
	case i == 0 || i == 1 && titled:
		return introLabels
	}
	return reachOf(all[i].kind)
}

var (
	session = text.Regexp(`(?i)\b(session|day|run|iteration|round|entry|update)\b\W*#?\d|^\W*session\b\s*[:(—–-]`)
	ordinal = text.Regexp(`\d+`)
)

// isSession reports whether a chapter is an entry of a log, such as one session.
func (c chapter) isSession() bool {
	return (c.kind == nowhere || c.kind == checkpoint.PlayByPlay) && !c.opens &&
		(dayIn(c.Title) != "" || session.MatchString(c.Title))
}

// opening is a heading, or a label, that begins a section.
type opening struct {
	chapter int
	label   *stretch // nil for the chapter's heading
	below   int      // the index of the chapter that the opening is below
	title   string
	kind    checkpoint.Kind
}

// keyOf returns the words of a heading without numbers and remarks, so that the same heading has
// the same key in every entry of a log.
func keyOf(title string) string {
	key, _, _ := strings.Cut(text.BareTitle(title), " (")
	if i := strings.IndexAny(key, ":[—–0123456789"); i > 0 {
		key = key[:i]
	}
	return strings.TrimSpace(key)
}

func openings(all []chapter) []opening {
	var list []opening
	for i, c := range all {
		if c.opens {
			list = append(list, opening{chapter: i, below: c.parent, title: c.Title, kind: c.kind})
		}
		for j := range c.texts {
			if t := &c.texts[j]; t.name != "" {
				list = append(list, opening{chapter: i, label: t, below: i, title: t.name, kind: t.kind})
			}
		}
	}
	return list
}

// newestOnly marks the entries of a log as old, except the newest one by day, then number, then
// place, and undoes their openings. If several other chapters have the same heading below them, only
// the first of these headings counts.
func newestOnly(all []chapter) {
	list := openings(all)
	logs := map[int][]int{} // the entries of logs, by the index of the heading above them
	for i, c := range all {
		if i > 0 && c.isSession() {
			logs[c.parent] = append(logs[c.parent], i)
		}
	}
	for _, log := range logs {
		if len(log) < 2 {
			continue
		}
		newest, entry := newestOf(all, log), map[int]bool{}
		for _, i := range log {
			entry[i] = true
		}
		for _, o := range list {
			if o.kind == checkpoint.Next && !within(all, o.chapter, entry) {
				newest = -1 // the next actions are outside the log
			}
		}
		for _, i := range log {
			all[i].old = i != newest
		}
	}
	first := map[string]int{}
	for _, o := range list {
		key := keyOf(o.title)
		at, met := first[key]
		switch {
		case all[o.chapter].isOld(all):
			mute(all, o)
		case o.kind != checkpoint.Next && o.kind != checkpoint.State:
		case !met:
			first[key] = o.below
		case at != o.below:
			mute(all, o)
		}
	}
}

// within reports whether a chapter is in a list of chapters, or below one of them.
func within(all []chapter, i int, some map[int]bool) bool {
	for ; i > 0; i = all[i].parent {
		if some[i] {
			return true
		}
	}
	return false
}

// isOld reports whether a chapter is in an older entry of a log.
func (c chapter) isOld(all []chapter) bool { return c.old || c.parent > 0 && all[c.parent].isOld(all) }

// mute undoes an opening: its text belongs to no section.
func mute(all []chapter, o opening) {
	if o.label != nil {
		o.label.kind = nowhere
		return
	}
	whole, was := all[o.chapter].Whole, all[o.chapter].kind
	for i := o.chapter; i < len(all) && whole.Contains(all[i].Whole); i++ {
		all[i].opens = all[i].opens && all[i].kind != was
		all[i].move(was, nowhere)
	}
}

// move assigns the texts of a chapter that belong to one section to another one.
func (c *chapter) move(from, to checkpoint.Kind) {
	for i := range c.texts {
		if c.texts[i].kind == from {
			c.texts[i].kind = to
		}
	}
	if c.kind == from {
		c.kind = to
	}
}

// turn assigns a chapter to another section, without the parts that labels begin.
func (c *chapter) turn(k checkpoint.Kind) {
	c.move(c.kind, k)
	c.opens = true
}

// newestOf returns the newest of the entries of a log.
func newestOf(all []chapter, log []int) int {
	number := func(i int) int {
		day := dayIn(all[i].Title)
		n, _ := strconv.Atoi(ordinal.FindString(strings.ReplaceAll(all[i].Title, day[:min(len(day), 10)], "")))
		return n
	}
	order := func(a, b int) int {
		return cmp.Or(strings.Compare(dayIn(all[a].Title), dayIn(all[b].Title)), cmp.Compare(number(a), number(b)))
	}
	last := log[len(log)-1]
	newest := log[0]
	for _, i := range log[1:] {
		if by := order(i, newest); by > 0 || by == 0 && order(last, log[0]) > 0 {
			newest = i
		}
	}
	return newest
}

// statusRules move chapters whose entries state their status to another section. The first rule
// that applies to a chapter counts.
var statusRules = []struct {
	in    checkpoint.Kind
	holds func(t tally) bool
	to    checkpoint.Kind
	each  bool // only the open entries go there, and the finished ones to Play-By-Play
}{
	{in: nowhere, to: checkpoint.PlayByPlay, holds: func(t tally) bool { return t.boxes > 0 && t.boxes == t.finished }},
	{in: nowhere, to: nowhere, holds: func(t tally) bool { return t.nexts > 0 }},
	{in: nowhere, to: checkpoint.Next, holds: func(t tally) bool { return t.boxes > 0 && t.open > 0 }},
	{in: nowhere, to: checkpoint.Next,
		holds: func(t tally) bool { return t.entries == 0 && t.openRows > 0 && t.doneRows == 0 }},
	{in: nowhere, to: checkpoint.Next, each: true,
		holds: func(t tally) bool { return t.open > 0 && t.open+t.finished+t.struck == t.entries }},
	{in: nowhere, to: checkpoint.Next, holds: func(t tally) bool {
		return t.finished+t.doneRows == 0 && (t.phase == checkpoint.Open || t.phase == checkpoint.Underway)
	}},
	{in: checkpoint.PlayByPlay, to: checkpoint.State, holds: func(t tally) bool { return t.openRows > 0 }},
	{in: checkpoint.PlayByPlay, to: checkpoint.Next,
		holds: func(t tally) bool { return t.boxes > 0 && t.open > 0 && t.nexts == 0 }},
	{in: checkpoint.PlayByPlay, to: checkpoint.Next, each: true,
		holds: func(t tally) bool { return t.boxes == 0 && t.open > 0 && t.nexts == 0 }},
	{in: checkpoint.PlayByPlay, to: checkpoint.State, each: true,
		holds: func(t tally) bool { return t.boxes == 0 && t.open > 0 }},
	{in: checkpoint.Next, to: checkpoint.PlayByPlay,
		holds: func(t tally) bool { return t.doneRows > 0 && t.openRows == 0 && t.entries == 0 }},
	{in: checkpoint.Next, to: checkpoint.PlayByPlay,
		holds: func(t tally) bool { return t.entries > 0 && t.entries == t.finished }},
	{in: checkpoint.Next, to: checkpoint.State, holds: func(t tally) bool { return t.doneRows > 0 && t.nexts > 1 }},
}

// byStatus assigns text that states its status: numbered phases, checkboxes, entries
// marked as done or open. Open entries are moved out of Play-By-Play, finished ones out
// of Next Actions. If no heading or label names next actions, open entries become them.
func (f file) byStatus(all []chapter) {
	list := openings(all)
	nexts, byHeading := 0, false
	for _, o := range list {
		if o.kind == checkpoint.Next && f.hasText(all, o) {
			nexts++
			byHeading = byHeading || o.label == nil
		}
	}
	for _, o := range list { // where a heading names next actions, labels elsewhere do not
		isTitle := o.chapter == 0 || o.chapter == 1 && all[1].Level == 1
		unplaced := all[o.chapter].kind == nowhere && !isTitle
		if byHeading && unplaced && o.kind == checkpoint.Next {
			o.label.kind = nowhere // the chapter itself belongs to no section, so this is a label
		}
	}
	for i := range all {
		c := &all[i]
		if c.isOld(all) {
			continue
		}
		t := f.tallyOf(c.Body)
		t.phase, t.nexts = stage(c.Title), nexts
		for _, rule := range statusRules {
			if rule.in != c.kind || !rule.holds(t) {
				continue
			}
			if rule.each {
				c.texts = f.sortEntries(c.texts, rule.to)
			} else if rule.to != nowhere {
				c.turn(rule.to)
			}
			break
		}
		if c.kind == checkpoint.Next && t.finished > 0 {
			c.texts = f.sortEntries(c.texts, checkpoint.Next)
		}
	}
}

// hasText reports whether there is text below an opening.
func (f file) hasText(all []chapter, o opening) bool {
	s := all[o.chapter].Section
	text := f.doc.Slice(span(s.Heading.End, s.Whole.End))
	if o.label != nil {
		text = f.doc.Slice(o.label.span)
		if _, below, _ := strings.Cut(strings.TrimSpace(text), "\n"); o.label.alone {
			text = below
		}
	}
	return !checkpoint.IsNone(markerBefore.ReplaceAllString(strings.TrimSpace(text), ""))
}

// sortEntries assigns the entries of lists by status: finished ones to Play-By-Play,
// others to open.
func (f file) sortEntries(texts []stretch, open checkpoint.Kind) []stretch {
	var sorted []stretch
	for _, t := range texts {
		if t.name != "" {
			sorted = append(sorted, t)
			continue
		}
		rest := t
		for _, item := range f.doc.Items(t.span) {
			kind := t.kind
			_, by := itemStatus(item.Text)
			switch by {
			case checkpoint.Finished:
				kind = checkpoint.PlayByPlay
			case checkpoint.Open, checkpoint.Underway:
				kind = open
			}
			if kind == rest.kind {
				continue
			}
			sorted = append(sorted, stretch{kind: rest.kind, span: span(rest.span.Start, item.Span.Start)})
			rest = stretch{kind: kind, span: span(item.Span.Start, rest.span.End)}
		}
		sorted = append(sorted, rest)
	}
	return sorted
}

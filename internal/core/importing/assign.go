package importing

import (
	"slices"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/text"
)

// chapter is a heading of a file with its meaning and the text up to the next heading.
// The first chapter has no heading: it is the text before the first one.
type chapter struct {
	doc.Section
	parent int             // the chapter that this one is below; -1 for the first
	kind   checkpoint.Kind // nowhere if it belongs to no section
	opens  bool            // its own heading names the section
	old    bool            // an older entry of a log
	texts  []stretch
}

// chapters returns the chapters of a file with the section of each. What is below a
// heading belongs to its section, except below a heading that names another one: Next
// below State, Completed below Next.
func (f file) chapters(v vocabulary) []chapter {
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
			c.parent = 0 // below the text before the first heading
		}
		above := all[c.parent]
		if c.parent > 0 && !(titled && c.parent == 1) {
			c.kind = above.kind
		}
		kind, ok := v.kindOf(s.Title)
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
		f.wholly(v, all)
	}
	if !only {
		for i := range all {
			all[i].texts = f.stretches(v, all[i].Body, all[i].kind, reachIn(all, i, titled))
		}
		newestOnly(all)
		f.byStatus(all)
	}
	return all
}

// turnsTo reports whether a heading below a chapter may open another section.
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
func (f file) wholly(v vocabulary, all []chapter) {
	kind, ok := v.kindOf(all[1].Title)
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
	if _, whole, _ := v.kinds.Find(all[1].Title); !whole && !todoTitle.MatchString(all[1].Title) {
		return // a file "Shop: next steps" may contain more than next steps
	}
	tallies, boxes := make([]tally, len(all)), 0
	for i, c := range all {
		tallies[i] = f.tallyOf(c.Body)
		boxes += tallies[i].boxes
	}
	for i, t := range tallies {
		if c := &all[i]; i > 1 && c.kind == nowhere && t.entries > t.finished+t.struck && !t.code && (boxes == 0 || t.boxes > 0) {
			c.kind = kind
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

package importing

import (
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/phrase"
)

// piece is a stretch of a file that goes to one section.
type piece struct {
	kind     checkpoint.Kind // nowhere: to Imported
	file     int
	whole    bool     // a section with all that is below it
	headless bool     // whose heading is in open
	open     []string // headings that say only which section begins, as they stood
	texts    []string
	lines    int // that say something, headings included
}

// assigned says what each heading of a file means: the section that it opens, or that
// of the heading above it that does.
type assigned struct {
	kind  checkpoint.Kind // nowhere where it means none
	opens bool
	exact bool // says no more than that
}

// assign reads the headings of a file. What stands below one that means something is
// that section's, whatever its own headings say.
func (f file) assign(v vocabulary, only bool) []assigned {
	sections := f.doc.Sections()
	title, titled := f.title()
	to := make([]assigned, len(sections))
	within, end := assigned{kind: nowhere}, 0
	found := false
	for i, s := range sections {
		if s.Heading.Start < end {
			to[i] = assigned{kind: within.kind}
			continue
		}
		to[i] = assigned{kind: nowhere}
		if titled && s.Heading == title.Heading {
			continue
		}
		kind, exact, ok := v.kindOf(s.Title)
		if !ok || only && kind != checkpoint.Decisions {
			continue
		}
		found = true
		within, end = assigned{kind, true, exact}, s.Whole.End
		to[i] = within
	}
	if titled && !found && !only { // a file that is one section: # TODO
		if kind, exact, ok := v.kindOf(title.Title); ok {
			for i := range to {
				to[i] = assigned{kind: kind}
			}
			to[0] = assigned{kind, true, exact}
		}
	}
	f.newestOnly(to)
	return to
}

// newestOnly leaves a log of sessions in one piece but for one of them: where the same
// heading stands below several that mean nothing themselves, as Next does in every
// session of a log, the state and the next actions are those of the newest by date, or
// of the first; what stands above all sessions counts before them.
func (f file) newestOnly(to []assigned) {
	sections := f.doc.Sections()
	seen := map[string][]int{} // what the headings that open the same stand below
	var above []int            // the headings that are open
	for i, s := range sections {
		for len(above) > 0 && sections[above[len(above)-1]].Level >= s.Level {
			above = above[:len(above)-1]
		}
		if parent := last(above); to[i].opens {
			seen[phrase.BareTitle(s.Title)] = append(seen[phrase.BareTitle(s.Title)], parent)
		}
		above = append(above, i)
	}
	log := map[int]bool{}
	for _, sessions := range seen {
		if slices.Min(sessions) != slices.Max(sessions) {
			for _, i := range sessions {
				log[i] = true
			}
		}
	}
	if len(log) == 0 {
		return
	}
	sessions := slices.Sorted(maps.Keys(log))
	newest := sessions[0]
	if newest >= 0 && !sections[newest].Whole.Contains(sections[sessions[1]].Whole) {
		newest = slices.MaxFunc(sessions, func(a, b int) int {
			return strings.Compare(dayIn(sections[a].Title), dayIn(sections[b].Title))
		})
	} // else the file says it itself, above its sessions
	for _, i := range sessions {
		for j := i; j < len(sections) && i != newest && sections[i].Whole.Contains(sections[j].Whole); j++ {
			to[j] = assigned{kind: nowhere}
		}
	}
}

// last is the last of a list, -1 where there is none.
func last(list []int) int {
	if len(list) == 0 {
		return -1
	}
	return list[len(list)-1]
}

// split cuts a file into pieces, in its order. The title is none of them.
func (f file) split(v vocabulary, nr int) (title string, pieces []piece) {
	home, only := nowhere, false
	if f.name != "" {
		home, only = homeOf(f.name)
	}
	to := f.assign(v, only)
	add := func(p piece) {
		if n := len(pieces) - 1; n >= 0 && pieces[n].kind == p.kind && !pieces[n].whole && len(p.open) == 0 {
			pieces[n].texts = append(pieces[n].texts, p.texts...)
			pieces[n].lines += p.lines
			return
		}
		pieces = append(pieces, p)
	}
	if f.front != "" {
		text := fence(f.front)
		add(piece{kind: nowhere, file: nr, texts: []string{text}, lines: countLines(f.front)})
	}
	if text := f.content(f.doc.Preamble()); text != "" {
		add(piece{kind: home, file: nr, texts: []string{text}, lines: f.count(f.doc.Preamble())})
	}
	own, titled := f.title()
	var bare []string // headings with nothing of their own, until something below them is met
	sections := f.doc.Sections()
	for i := 0; i < len(sections); i++ {
		s := sections[i]
		if titled && i == 0 && !to[0].opens && f.name == "" {
			title = oneTitle(own.Title)
			if text := f.content(s.Body); text != "" {
				add(piece{kind: nowhere, file: nr, texts: []string{text}, lines: f.count(s.Body)})
			}
			continue
		}
		if to[i].opens {
			p := piece{kind: to[i].kind, file: nr, whole: true, open: bare, lines: len(bare)}
			bare = nil
			end := i + 1
			for end < len(sections) && s.Whole.Contains(sections[end].Whole) {
				end++
			}
			whole, body := span(s.Heading.Start, s.Whole.End), span(s.Heading.End, s.Whole.End)
			p.lines += f.count(whole)
			if to[i].exact && plainHeading(s.Title) {
				p.headless = true
				p.open, p.texts = append(p.open, raw(s)), said(f.content(body))
			} else {
				p.texts = []string{f.content(whole)}
			}
			pieces = append(pieces, p)
			i = end - 1
			continue
		}
		whole := span(s.Heading.Start, s.Body.End)
		onlyParent := f.content(s.Body) == "" && i+1 < len(sections) && s.Whole.Contains(sections[i+1].Whole)
		if onlyParent && plainHeading(s.Title) && allOpen(sections, to, i) {
			bare = append(bare, raw(s))
			continue
		}
		add(piece{kind: home, file: nr, open: bare, texts: []string{f.content(whole)}, lines: f.count(whole) + len(bare)})
		bare = nil
	}
	return title, pieces
}

// allOpen says whether every heading below one belongs to a section of the format.
func allOpen(sections []doc.Section, to []assigned, i int) bool {
	for j := i + 1; j < len(sections) && sections[i].Whole.Contains(sections[j].Whole); j++ {
		if to[j].kind == nowhere {
			return false
		}
	}
	return true
}

// content is what a stretch of the file says, without blank lines and rules around it.
func (f file) content(s doc.Span) string {
	return strings.TrimRight(f.doc.Slice(f.doc.Content(s)), " \t\n")
}

// count is how many lines of a stretch say something.
func (f file) count(s doc.Span) int { return len(wordsIn(f.doc, s)) }

// said is a text as a list: none where it is empty.
func said(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// raw is a heading as a line.
func raw(s doc.Section) string { return strings.Repeat("#", s.Level) + " " + oneTitle(s.Title) }

// plainHeading says whether a heading can stand in a comment.
func plainHeading(title string) bool { return !strings.Contains(title, "--") && title != "" }

// fence is text as a code block of YAML.
func fence(text string) string {
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + "yaml\n" + text + "\n" + mark
}

// countLines is count for text without headings.
func countLines(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if !isRule(strings.TrimSpace(line)) {
			n++
		}
	}
	return n
}

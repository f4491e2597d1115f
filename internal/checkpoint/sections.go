package checkpoint

import (
	"bytes"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// Kind identifies a section that the format defines.
type Kind int

// The sections, in the order of the format.
const (
	Problem Kind = iota
	Intent
	Essential // the heading above the next seven sections
	Decisions
	Context
	Breadcrumbs
	PlayByPlay
	Artifacts
	State
	Next
	Rules
	Completion
	numKinds
)

// Template describes how a section is written.
type Template struct {
	Title    string
	Level    int
	Required bool
	Name     string   // for flags and JSON: "next-actions"
	Guide    string   // the comment that explains an empty section
	Columns  []string // the columns of its table; empty if it has no table
	also     []string // other titles that are understood
}

var templates = [numKinds]Template{
	Problem: {Title: "Problem", Level: 2, Required: true, Name: "problem",
		Guide: "<!-- What is wrong or missing, for whom, and why it matters. It rarely changes. -->",
		also:  []string{"problem statement", "problema"}},
	Intent: {Title: "Session Intent", Level: 2, Required: true, Name: "session-intent",
		Guide: "<!-- What the user wants: the goal, the requirements, the ideal outcome. -->",
		also:  []string{"intent", "session goal", "intención de la sesión", "intención"}},
	Essential: {Title: "Essential Information", Level: 2, Name: "essential-information",
		also: []string{"información esencial"}},
	Decisions: {Title: "Decisions", Level: 3, Required: true, Name: "decisions",
		Guide: "<!-- What is locked in and must not be asked again: - **What**: why -->",
		also:  []string{"user decisions", "key decisions", "decisiones", "decisiones del usuario"}},
	Context: {Title: "Technical Context", Level: 3, Required: true, Name: "technical-context",
		Guide: "<!-- Facts that the work builds on: stack, configuration, environment. -->",
		also:  []string{"tech context", "contexto técnico"}},
	Breadcrumbs: {Title: "Breadcrumbs", Level: 3, Name: "breadcrumbs", Columns: []string{"Type", "Reference", "Hint"}},
	PlayByPlay: {Title: "Play-By-Play", Level: 3, Required: true, Name: "play-by-play",
		Guide: "<!-- What was done: - Step → Action → Outcome -->",
		also:  []string{"play by play"}},
	Artifacts: {Title: "Artifact Trail", Level: 3, Required: true, Name: "artifact-trail",
		Columns: []string{"File", "Status", "Key Change"},
		Guide:   "<!-- Files created, modified or deleted, with the change that matters. -->"},
	State: {Title: "Current State", Level: 3, Required: true, Name: "current-state",
		Guide: "<!-- What exists now: what works, what does not yet. -->",
		also:  []string{"estado actual"}},
	Next: {Title: "Next Actions", Level: 3, Required: true, Name: "next-actions",
		Guide: "<!-- What to do next, the first one first: a verb, a file, no context needed. -->",
		also:  []string{"next steps", "próximas acciones", "próximos pasos"}},
	Rules: {Title: "User Rules", Level: 2, Name: "user-rules",
		also: []string{"reglas del usuario"}},
	Completion: {Title: "Completion", Level: 2, Name: "completion"},
}

// Template returns how the section is written.
func (k Kind) Template() Template { return templates[k] }

// String returns the title of the section.
func (k Kind) String() string { return templates[k].Title }

const guideOpen = "<!-- "

// IsGuide reports whether a line is a guiding comment that ckpt writes into an empty section.
func IsGuide(line []byte) bool {
	if !bytes.HasPrefix(line, []byte(guideOpen)) {
		return false
	}
	text := string(bytes.TrimSpace(line))
	return slices.ContainsFunc(Kinds(), func(k Kind) bool { return text == k.Template().Guide })
}

// Kinds returns all sections, in the order of the format.
func Kinds() []Kind {
	kinds := make([]Kind, numKinds)
	for i := range kinds {
		kinds[i] = Kind(i)
	}
	return kinds
}

// KindNamed returns the section with a name or title: "next-actions", "Next Actions".
func KindNamed(name string) (Kind, bool) {
	for k, t := range templates {
		if strings.EqualFold(name, t.Name) {
			return Kind(k), true
		}
	}
	return kindOf(name)
}

// byTitle maps titles to sections. It has each title as the format writes it and in lower case.
var byTitle = text.Lazy[map[string]Kind]{Make: func() map[string]Kind {
	all := map[string]Kind{}
	for k, t := range templates {
		all[t.Title] = Kind(k)
		all[strings.ToLower(t.Title)] = Kind(k)
		for _, other := range t.also {
			all[other] = Kind(k)
		}
	}
	return all
}}

// kindOf returns the section with a title. Case and markup do not matter.
func kindOf(title string) (Kind, bool) {
	k, ok := byTitle.Get()[title]
	if !ok {
		k, ok = byTitle.Get()[doc.PlainTitle(title)]
	}
	return k, ok
}

// Section is a heading of the file and what belongs to it: one of [Checkpoint.Sections], one that the
// format does not define ([Checkpoint.OwnSections]), or a part of a section ([Checkpoint.Asides]).
type Section struct {
	doc.Section
	Kind   Kind       // Own for a section that the format does not define
	Extent doc.Span   // the text below the heading that belongs to the section
	Status ItemStatus // for an Aside, the status that its heading states for the entries below
}

// Own is the kind of a section that the format does not define.
const Own Kind = -1

// Known reports whether the format defines the section.
func (s Section) Known() bool { return s.Kind != Own }

// Span returns the span of the heading and all that belongs to it.
func (s Section) Span() doc.Span { return doc.Span{Start: s.Heading.Start, End: s.Extent.End} }

// Name returns the name of the section for flags and JSON: "next-actions".
func (s Section) Name() string {
	if s.Known() {
		return s.Kind.Template().Name
	}
	return strings.Join(strings.Fields(strings.ToLower(s.Title)), "-")
}

// String returns the title of the section as the format writes it, or as the file does if the
// format does not define the section.
func (s Section) String() string {
	if s.Known() {
		return s.Kind.String()
	}
	return s.Title
}

// Sections returns the sections of the format in the order of the file. It ignores headings inside
// a delta, the remnant of a delta, or a mark. The extent of a section includes unknown
// subsections and ends before the next known section. A section that the file has twice is listed
// twice. The caller must not change the slice.
func (c *Checkpoint) Sections() []Section {
	c.onceSections.Do(func() { c.sections = findSections(c.Doc, c.sections) })
	return c.sections
}

// findSections appends the sections of a file to a slice.
func findSections(d *doc.Doc, all []Section) []Section {
	deltaEnd := 0
	for _, s := range d.Sections() {
		if s.Heading.Start < deltaEnd {
			continue
		}
		if IsAppended(s) {
			deltaEnd = s.Whole.End
			endLast(all, s.Heading.Start)
			continue
		}
		kind, known := kindOf(s.Title)
		if known {
			endLast(all, s.Heading.Start)
			all = append(all, Section{Section: s, Kind: kind, Extent: below(s)})
		}
	}
	return all
}

// endLast cuts off the extent of the last section at the given offset.
func endLast(all []Section, at int) {
	if n := len(all); n > 0 {
		all[n-1].Extent.End = min(all[n-1].Extent.End, at)
	}
}

// below returns the span below a heading, deeper headings included.
func below(s doc.Section) doc.Span { return doc.Span{Start: s.Heading.End, End: s.Whole.End} }

// OwnSections returns the sections that the format does not define: headings of level 2 that begin
// neither a delta nor a mark.
func (c *Checkpoint) OwnSections() []Section {
	var all []Section
	for _, s := range c.Doc.Sections() {
		_, known := kindOf(s.Title)
		if s.Level != 2 || strings.TrimSpace(s.Title) == "" {
			continue
		}
		if !known && !IsDelta(s) && !IsMark(s) {
			all = append(all, Section{Section: s, Kind: Own, Extent: below(s)})
		}
	}
	return all
}

// SectionsNamed returns the sections with a name or title, such as "next-actions" or "Next Actions". A section that the
// format does not define has a name, too: that of `## Plan` is "plan". If the format defines the section and the file
// lacks it, the result is one empty Section without a heading, except for Essential Information.
func (c *Checkpoint) SectionsNamed(name string) []Section {
	kind, known := KindNamed(name)
	known = known && kind != Essential
	var named []Section
	for _, s := range slices.Concat(c.Sections(), c.OwnSections()) {
		isOwn := !s.Known() && (strings.EqualFold(name, s.Title) || strings.EqualFold(name, s.Name()))
		if isOwn || known && s.Kind == kind {
			named = append(named, s)
		}
	}
	if known && len(named) == 0 {
		named = []Section{{Kind: kind}}
	}
	return named
}

// Heading is a heading of any level, with the section, delta or mark that it belongs to.
type Heading struct {
	doc.Section
	Kind  Kind   // the kind of the section that the heading opens or is in; Own if the format defines none
	Delta string // the title of the delta that the heading opens or is in; otherwise empty
	Mark  bool   // the heading opens a mark or is in one
}

// Headings returns every heading of the file, in order.
func (c *Checkpoint) Headings() []Heading {
	all := make([]Heading, 0, len(c.Doc.Sections()))
	sections := c.Sections()
	at, deltaEnd, delta, markEnd := -1, 0, "", 0
	for _, s := range c.Doc.Sections() {
		start := s.Heading.Start
		next := Heading{Section: s, Kind: Own}
		for at+1 < len(sections) && sections[at+1].Heading.Start <= start {
			at++
		}
		if IsDelta(s) && start >= deltaEnd {
			delta, deltaEnd = s.Title, s.Whole.End
		}
		if IsMark(s) {
			markEnd = s.Whole.End
		}
		switch {
		case start < markEnd:
			next.Mark = true
		case start < deltaEnd:
			next.Delta = delta
		case at >= 0 && (sections[at].Heading.Start == start || start < sections[at].Extent.End):
			next.Kind = sections[at].Kind
		}
		all = append(all, next)
	}
	return all
}

// Find returns the first section of a kind. Without one it returns the zero Section, whose spans are empty.
func (c *Checkpoint) Find(k Kind) (Section, bool) {
	for _, s := range c.Sections() {
		if s.Kind == k {
			return s, true
		}
	}
	return Section{}, false
}

// Text returns the text of a section without guiding comments, or "" if the section is missing or
// empty.
func (c *Checkpoint) Text(k Kind) string {
	p, _ := c.Find(k)
	return c.Doc.Text(p.Extent)
}

// LiveText returns the text of a section without its Asides, without decisions that are
// superseded and without next actions that are done.
func (c *Checkpoint) LiveText(k Kind) string {
	p, _ := c.Find(k)
	var gone []doc.Span
	asides := c.Asides(k)
	for _, a := range asides {
		gone = append(gone, c.Doc.Content(a.Span()))
	}
	drop := func(s doc.Span) {
		if _, in := AsideOf(asides, s); !in {
			gone = append(gone, s)
		}
	}
	switch k {
	case Decisions:
		for _, d := range c.Decisions() {
			if d.Struck {
				drop(d.Span)
			}
		}
	case Next:
		for a := range c.actions() {
			if a.Done {
				drop(a.Span)
			}
		}
	}
	return c.Doc.Text(p.Extent, gone...)
}

// Headline returns the first sentence of the Problem on one line. It skips headings, unless the
// Problem has nothing else.
func (c *Checkpoint) Headline() string {
	s := strings.TrimSpace(strings.ReplaceAll("\n"+c.Text(Problem), "\n\\#", "\n#")) // ckpt escapes headings in texts
	for strings.HasPrefix(s, "#") {
		title, rest, more := strings.Cut(s, "\n")
		if !more || !strings.HasPrefix(strings.TrimLeft(title, "#"), " ") {
			break
		}
		s = strings.TrimSpace(rest)
	}
	first, _ := text.Sentence(text.Paragraph(s))
	return first
}

// Headless returns the first section of level 3 that belongs below Essential Information, if the file
// lacks that heading.
func (c *Checkpoint) Headless() (Section, bool) {
	all := c.Sections()
	_, essential := c.Find(Essential)
	i := slices.IndexFunc(all, func(p Section) bool { return p.Kind.Template().Level == 3 && p.Section.Level == 3 })
	if essential || i < 0 {
		return Section{}, false
	}
	return all[i], true
}

// Misplaced reports whether the section belongs below Essential Information but has level 1 or 2.
func (s Section) Misplaced() bool { return s.Kind.Template().Level > max(s.Section.Level, 2) }

// FurtherFields is the title of the section that stores the JSON of the newest import.
const FurtherFields = "Further Fields"

package checkpoint

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// Kind is one of the sections that the format knows.
type Kind int

// The sections, in the order of the format.
const (
	Problem Kind = iota
	Intent
	Essential // the heading that holds the next seven
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

// Template is how a section is written.
type Template struct {
	Title    string
	Level    int
	Required bool
	Name     string   // for flags and JSON: "next-actions"
	Guide    string   // the comment that stands in an empty section
	Columns  []string // of its table, where it has one
	also     []string // other titles that it goes by
}

var templates = [numKinds]Template{
	Problem: {Title: "Problem", Level: 2, Required: true, Name: "problem",
		Guide: "What is wrong or missing, for whom, and why it matters. It rarely changes.",
		also:  []string{"problem statement", "problema"}},
	Intent: {Title: "Session Intent", Level: 2, Required: true, Name: "session-intent",
		Guide: "What the user wants: the goal, the requirements, the ideal outcome.",
		also:  []string{"intent", "session goal", "intención de la sesión", "intención"}},
	Essential: {Title: "Essential Information", Level: 2, Name: "essential-information",
		also: []string{"información esencial"}},
	Decisions: {Title: "Decisions", Level: 3, Required: true, Name: "decisions",
		Guide: "What is locked in and must not be asked again: - **What**: why",
		also:  []string{"user decisions", "key decisions", "decisiones", "decisiones del usuario"}},
	Context: {Title: "Technical Context", Level: 3, Required: true, Name: "technical-context",
		Guide: "Facts that the work builds on: stack, configuration, environment.",
		also:  []string{"tech context", "contexto técnico"}},
	Breadcrumbs: {Title: "Breadcrumbs", Level: 3, Name: "breadcrumbs", Columns: []string{"Type", "Reference", "Hint"}},
	PlayByPlay: {Title: "Play-By-Play", Level: 3, Required: true, Name: "play-by-play",
		Guide: "What was done: - Step → Action → Outcome",
		also:  []string{"play by play"}},
	Artifacts: {Title: "Artifact Trail", Level: 3, Required: true, Name: "artifact-trail", Columns: []string{"File", "Status", "Key Change"},
		Guide: "Files created, modified or deleted, with the change that matters."},
	State: {Title: "Current State", Level: 3, Required: true, Name: "current-state",
		Guide: "What exists now: what works, what does not yet.",
		also:  []string{"estado actual"}},
	Next: {Title: "Next Actions", Level: 3, Required: true, Name: "next-actions",
		Guide: "What to do next, the first one first: a verb, a file, no context needed.",
		also:  []string{"next steps", "próximas acciones", "próximos pasos"}},
	Rules: {Title: "User Rules", Level: 2, Name: "user-rules",
		also: []string{"reglas del usuario"}},
	Completion: {Title: "Completion", Level: 2, Name: "completion"},
}

// Template is how the section is written.
func (k Kind) Template() Template { return templates[k] }

// String is the section's title.
func (k Kind) String() string { return templates[k].Title }

// Kinds are all sections, in the order of the format.
func Kinds() []Kind {
	kinds := make([]Kind, numKinds)
	for i := range kinds {
		kinds[i] = Kind(i)
	}
	return kinds
}

// KindNamed finds a section by its name or title: "next-actions", "Next Actions".
func KindNamed(name string) (Kind, bool) {
	for k, t := range templates {
		if strings.EqualFold(name, t.Name) {
			return Kind(k), true
		}
	}
	return kindOf(name)
}

// byTitle finds a section by its title, as the format writes it or in lower case.
var byTitle = titles()

func titles() map[string]Kind {
	all := map[string]Kind{}
	for k, t := range templates {
		all[t.Title] = Kind(k)
		all[strings.ToLower(t.Title)] = Kind(k)
		for _, other := range t.also {
			all[other] = Kind(k)
		}
	}
	return all
}

// kindOf finds the section that a heading opens, whatever its case and markup.
func kindOf(title string) (Kind, bool) {
	k, ok := byTitle[title]
	if !ok {
		k, ok = byTitle[plainTitle(title)]
	}
	return k, ok
}

// plainTitle is a title in lower case, without markup around it.
func plainTitle(title string) string { return strings.ToLower(strings.Trim(title, "*_`: \t")) }

// Place is where a section stands.
type Place struct {
	Kind    Kind
	Section doc.Section
	Extent  doc.Span // below the heading, unknown subsections included, up to the next known section
}

// Places are the known sections of the file itself, in its order: what stands
// inside a delta, what is left of one, or a mark is theirs. A section that stands twice
// is listed twice. The caller must not change the slice.
func (c *Checkpoint) Places() []Place {
	c.oncePlaces.Do(func() { c.places = findPlaces(c.Doc, c.places) })
	return c.places
}

// findPlaces appends the places of a file to places.
func findPlaces(d *doc.Doc, places []Place) []Place {
	deltaEnd := 0
	for _, s := range d.Sections() {
		if s.Heading.Start < deltaEnd {
			continue
		}
		kind, known := Kind(0), false
		if _, isDelta := deltaTime(s); isDelta || IsRemnant(s) || IsMark(s) {
			deltaEnd = s.Whole.End
		} else if kind, known = kindOf(s.Title); !known {
			continue
		}
		if n := len(places); n > 0 && places[n-1].Extent.End > s.Heading.Start {
			places[n-1].Extent.End = s.Heading.Start
		}
		if known {
			places = append(places, Place{kind, s, doc.Span{Start: s.Heading.End, End: s.Whole.End}})
		}
	}
	return places
}

// Find is the first place of a section.
func (c *Checkpoint) Find(k Kind) (Place, bool) {
	for _, p := range c.Places() {
		if p.Kind == k {
			return p, true
		}
	}
	return Place{}, false
}

// Text is what a section says, guiding comments left out; "" where the section
// is missing or empty.
func (c *Checkpoint) Text(k Kind) string {
	p, ok := c.Find(k)
	if !ok {
		return ""
	}
	return c.Doc.Text(p.Extent)
}

// textWithout returns the text of a section without its Asides and without some
// spans.
func (c *Checkpoint) textWithout(k Kind, gone []doc.Span) string {
	p, ok := c.Find(k)
	if !ok {
		return ""
	}
	asides := c.Asides(k)
	gone = slices.DeleteFunc(gone, func(s doc.Span) bool { _, in := asideOf(asides, s); return in })
	for _, a := range asides {
		gone = append(gone, c.Doc.Content(a.Span))
	}
	return c.Doc.TextWithout(p.Extent, gone...)
}

// Headline is the first sentence of the Problem, on one line; "" where it says nothing.
// Headings in it are passed over, unless it holds nothing else.
func (c *Checkpoint) Headline() string {
	s := strings.TrimSpace(c.Text(Problem))
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

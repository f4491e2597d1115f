package checkpoint

import (
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// Part is one section of a file, of the format or of the writer's own.
type Part struct {
	Kind Kind         // meaningless where Own says which
	Own  *doc.Section // nil for a section of the format
}

// Part finds a section by its name or title: "next-actions", "Next Actions"; "plan" for
// a section `## Plan` of the writer's own. One of the format is found where the file lacks
// it, too.
func (c *Checkpoint) Part(name string) (Part, bool) {
	if kind, ok := KindNamed(name); ok && kind != Essential {
		return Part{Kind: kind}, true
	}
	for _, s := range c.OwnSections() {
		if strings.EqualFold(name, s.Title) || strings.EqualFold(name, OwnName(s)) {
			return Part{Own: &s}, true
		}
	}
	return Part{}, false
}

// OwnSections are the sections that the format does not know: headings of its top level
// that open no delta and no mark.
func (c *Checkpoint) OwnSections() []doc.Section {
	var all []doc.Section
	for _, s := range c.Doc.Sections() {
		_, known := kindOf(s.Title)
		_, delta := deltaTime(s)
		if s.Level == 2 && !known && !delta && !IsMark(s) && strings.TrimSpace(s.Title) != "" {
			all = append(all, s)
		}
	}
	return all
}

// OwnName is a section's title as names are written: "further-fields".
func OwnName(s doc.Section) string {
	return strings.Join(strings.Fields(strings.ToLower(s.Title)), "-")
}

// Title is the section's title.
func (p Part) Title() string {
	if p.Own != nil {
		return p.Own.Title
	}
	return p.Kind.String()
}

// PartText is what a section says, without its heading.
func (c *Checkpoint) PartText(p Part) string {
	if p.Own != nil {
		return c.Doc.Text(doc.Span{Start: p.Own.Heading.End, End: p.Own.Whole.End})
	}
	return c.Text(p.Kind)
}

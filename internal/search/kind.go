package search

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
)

// Kind is the kind of a hit, named in the singular as in `ckpt note`.
type Kind int

// The kinds of hits, the most useful first.
const (
	Problem Kind = iota
	Intent
	Decision
	State
	Next
	Rule
	Context
	Breadcrumb
	Step
	Artifact
	Delta
	Completion
	Learning
	Other
	Header
	numKinds
)

var kindNames = [numKinds]string{
	"problem", "intent", "decision", "state", "next", "rule", "context", "breadcrumb", "step", "artifact",
	"delta", "completion", "learning", "other", "header",
}

// String returns the kind as in flags and JSON.
func (k Kind) String() string { return kindNames[k] }

// KindNames returns the names of all kinds.
func KindNames() []string { return kindNames[:] }

// Kinds parses names of kinds, in the singular or the plural.
func Kinds(names []string) ([]Kind, error) {
	var all []Kind
	for _, name := range names {
		lower := strings.ToLower(strings.TrimSpace(name))
		i := slices.IndexFunc(kindNames[:], func(known string) bool { return lower == known || lower == known+"s" })
		if i < 0 {
			return nil, fault.New(fault.Usage, "--kind %q is not a kind that search knows", name).
				WithHint("one of %s", strings.Join(kindNames[:], ", "))
		}
		all = append(all, Kind(i))
	}
	return all, nil
}

// kindOf returns the kind of a section of the format.
func kindOf(k checkpoint.Kind) Kind {
	switch k {
	case checkpoint.Problem:
		return Problem
	case checkpoint.Intent:
		return Intent
	case checkpoint.Decisions:
		return Decision
	case checkpoint.Context:
		return Context
	case checkpoint.Breadcrumbs:
		return Breadcrumb
	case checkpoint.PlayByPlay:
		return Step
	case checkpoint.Artifacts:
		return Artifact
	case checkpoint.State:
		return State
	case checkpoint.Next:
		return Next
	case checkpoint.Rules:
		return Rule
	case checkpoint.Completion:
		return Completion
	}
	return Other
}

// stretch is a part of a file with one section name and kind.
type stretch struct {
	start   int
	title   string
	kind    Kind
	delta   bool // it is part of a delta
	section checkpoint.Kind
	known   bool   // section is defined by the format
	date    string // for learnings, their date
	id      string // for learnings, the checkpoint that they came from
	out     bool   // it is not searched
}

// stretches appends the stretches of a checkpoint to all: the frontmatter and the sections.
func stretches(c *checkpoint.Checkpoint, all []stretch) []stretch {
	if body := c.Doc.Body().Start; body > 0 {
		all = append(all, stretch{title: "frontmatter", kind: Header}, stretch{start: body, kind: Other})
	} else {
		all = append(all, stretch{kind: Other})
	}
	for _, s := range c.Headings() {
		next := stretch{start: s.Heading.Start, title: s.Title, kind: Other, delta: s.Delta != "", section: s.Kind,
			known: s.Kind != checkpoint.Own}
		switch {
		case next.delta && strings.EqualFold(s.Title, "artifacts"):
			next.kind = Artifact
		case next.delta:
			next.kind = Delta
		case next.known:
			next.kind = kindOf(s.Kind)
		}
		if next.delta && s.Title != s.Delta {
			next.title = s.Delta + ", " + s.Title
		}
		all = append(all, next)
	}
	return all
}

// is reports whether a stretch has one of the kinds and sections that are searched. If no kinds or
// sections are given, all match.
func (s *stretch) is(kinds []Kind, sections []string) bool {
	if s.out {
		return false
	}
	inDelta := s.delta && slices.Contains(kinds, Delta)
	if len(kinds) > 0 && !inDelta && !slices.Contains(kinds, s.kind) {
		return false
	}
	return len(sections) == 0 || slices.ContainsFunc(sections, s.called)
}

// called reports whether a name is that of the stretch: the name of its section in the format, or
// its heading. Inside a delta the name "delta" matches, too.
func (s *stretch) called(name string) bool {
	if k, ok := checkpoint.KindNamed(name); ok && s.known && s.section == k {
		return true
	}
	if s.delta && strings.EqualFold(name, "delta") {
		return true
	}
	_, last, inDelta := strings.Cut(s.title, ", ")
	return strings.EqualFold(name, s.title) || s.delta && inDelta && strings.EqualFold(name, last)
}

package search

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
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

// sectionKinds are the kinds of the sections of the format.
var sectionKinds = text.Lazy[map[checkpoint.Kind]Kind]{Make: func() map[checkpoint.Kind]Kind {
	return map[checkpoint.Kind]Kind{
		checkpoint.Problem: Problem, checkpoint.Intent: Intent, checkpoint.Decisions: Decision, checkpoint.State: State,
		checkpoint.Next: Next, checkpoint.Rules: Rule, checkpoint.Context: Context, checkpoint.Breadcrumbs: Breadcrumb,
		checkpoint.PlayByPlay: Step, checkpoint.Artifacts: Artifact, checkpoint.Completion: Completion,
	}
}}

// stretch is a part of a file with one section name and kind.
type stretch struct {
	start int
	title string
	kind  Kind
	delta bool   // it is part of a delta
	date  string // for learnings, their date
	id    string // for learnings, the checkpoint that they came from
	out   bool   // it is not searched
}

// stretches returns the stretches of a checkpoint: the frontmatter and the sections.
func stretches(c *checkpoint.Checkpoint) []stretch {
	all := []stretch{{kind: Other}}
	if body := c.Doc.Body().Start; body > 0 {
		all = append(all, all[0])
		all[0].title, all[0].kind, all[1].start = "frontmatter", Header, body
	}
	for _, s := range c.Headings() {
		next := stretch{start: s.Heading.Start, title: s.Title, kind: Other, delta: s.Delta != ""}
		kind, known := sectionKinds.Get()[s.Kind]
		switch {
		case next.delta && strings.EqualFold(s.Title, "artifacts"):
			next.kind = Artifact
		case next.delta:
			next.kind = Delta
		case known:
			next.kind = kind
		}
		if next.delta && s.Title != s.Delta {
			next.title = s.Delta + ", " + s.Title
		}
		all = append(all, next)
	}
	return all
}

// isSearched reports whether to search a stretch for hits of the given kinds. Without kinds, all kinds are searched.
func (s *stretch) isSearched(kinds []Kind) bool {
	inDelta := s.delta && slices.Contains(kinds, Delta)
	return !s.out && (len(kinds) == 0 || inDelta || slices.Contains(kinds, s.kind))
}

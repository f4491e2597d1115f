package validate

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/text"
)

var bodyRules = []Rule{
	{
		Code: "CK201", Severity: result.Error, Title: "a required section is missing", file: sectionMissing,
		Means:  "Problem, Session Intent, Decisions, Technical Context, Play-By-Play, Artifact Trail, Current State and Next Actions are what must survive. A checkpoint without one of them does not suffice to go on.",
		Fix:    "Add the heading and what belongs under it; a section that has nothing to say may say \"None yet\".",
		Source: "S003-14, S003-31",
	},
	{
		Code: "CK202", Severity: result.Warning, Title: "a required section is empty", file: sectionEmpty, activeOnly: true,
		Means:  "The heading is there and says nothing, or only holds the comment that explains what belongs there.",
		Fix:    "Fill it in: `ckpt note`, `ckpt next`, `ckpt delta --state`, or `ckpt edit {id}`.",
		Source: "S003-31", Example: "### Current State\n\n<!-- What exists now: what works, what does not yet. -->",
	},
	{
		Code: "CK203", Severity: result.Warning, Title: "a section stands twice", file: sectionTwice,
		Means:  "Readers take the first section of a name. What the second says is kept, and easily overlooked.",
		Fix:    "Move its text into the first one and remove the second heading: `ckpt edit {id}`.",
		Source: "S003-14", Example: "## Problem\n\nThe same again.",
	},
	{
		Code: "CK204", Severity: result.Advice, Title: "a section is out of order", file: sectionOrder, activeOnly: true,
		Means:  "The format has an order, from what must be kept to what may be summarised. Everything is read all the same.",
		Fix:    "Move the section to its place: `ckpt edit {id}`.",
		Source: "S003-14",
	},
	{
		Code: "CK205", Severity: result.Warning, Title: "no heading Essential Information", file: essentialMissing, activeOnly: true,
		Means:  "Decisions, Technical Context, Breadcrumbs, Play-By-Play, Artifact Trail, Current State and Next Actions belong below the heading Essential Information. ckpt reads them without it; other tools of the format refuse the file.",
		Fix:    "Put the line `## Essential Information` before the first of them: `ckpt edit {id}`.",
		Source: "S003-17",
	},
	{
		Code: "CK206", Severity: result.Advice, Title: "a decision without a why", file: decisionWhy, activeOnly: true,
		Means:  "A decision is not to be asked again. Without its reason the next reader cannot tell whether it still holds.",
		Fix:    "Say why behind a colon: `- **What**: why`.",
		Source: "S003-18, O003-43", Example: "- **Sessions live in Redis**",
	},
	{
		Code: "CK207", Severity: result.Warning, Title: "a decision is superseded twice", file: decisionTwice, activeOnly: true,
		Means:  "Two branches superseded the same decision, and a merge kept both successors. They may contradict each other.",
		Fix:    "Supersede the one that does not hold: `ckpt note decision TEXT --supersedes TEXT`, and name one successor: `ckpt edit {id}`.",
		Source: "S003-18", Example: "- ~~**Redis**: ops know it~~ → **Postgres**, → **SQLite**",
	},
}

func decisionTwice(f *file, say say) {
	seen := map[string]bool{}
	for _, d := range f.c.Decisions() {
		if !d.Struck {
			continue
		}
		what := strings.ToLower(d.What)
		if seen[what] || len(d.Successors()) > 1 {
			say(f.line(d.Span.Start), "%s is superseded twice", quote(d.What))
		}
		seen[what] = true
	}
}

func sectionMissing(f *file, say say) {
	line := 1 // then that of the section that it should follow
	for _, k := range checkpoint.Kinds() {
		if p, ok := f.find(k); ok {
			line = f.heading(p.Section)
		} else if k.Template().Required {
			say(line, "no section %q", k.String())
		}
	}
}

func essentialMissing(f *file, say say) {
	if p, headless := f.c.Headless(); headless {
		say(f.heading(p.Section), "%q is not below a heading %q", p.Kind.String(), checkpoint.Essential.String())
	}
}

func sectionEmpty(f *file, say say) {
	for _, k := range checkpoint.Kinds() {
		if len(f.deltas) > 0 && (k == checkpoint.PlayByPlay || k == checkpoint.Artifacts) {
			continue // the deltas say it
		}
		if p, ok := f.find(k); ok && k.Template().Required {
			if _, _, said := f.said(k); !said {
				say(f.heading(p.Section), "%q says nothing", k.String())
			}
		}
	}
}

func sectionTwice(f *file, say say) {
	first := map[checkpoint.Kind]int{}
	for _, p := range f.places {
		line := f.heading(p.Section)
		if at, twice := first[p.Kind]; twice {
			say(line, "%q stands on line %d already", p.Kind.String(), at)
			continue
		}
		first[p.Kind] = line
	}
}

// sectionOrder names as few sections as have to move, and those that stand
// behind a delta.
func sectionOrder(f *file, say say) {
	var order []checkpoint.Place // the first of each kind, as they stand
	for _, p := range f.places {
		if !slices.ContainsFunc(order, func(q checkpoint.Place) bool { return q.Kind == p.Kind }) {
			order = append(order, p)
		}
	}
	keep := ascending(order)
	for i, p := range order {
		switch {
		case !keep[i]:
			say(f.heading(p.Section), "%q stands %s", p.Kind.String(), misplaced(order, keep, i))
		case len(f.deltas) > 0 && p.Kind != checkpoint.Completion && p.Section.Heading.Start > f.deltas[0].Section.Heading.Start:
			say(f.heading(p.Section), "%q stands behind a delta", p.Kind.String())
		}
	}
}

// ascending marks a longest part of order whose kinds ascend. There are a dozen
// kinds.
func ascending(order []checkpoint.Place) []bool {
	length := make([]int, len(order)) // of the longest that ends here
	back := make([]int, len(order))
	best := -1
	for i, p := range order {
		length[i], back[i] = 1, -1
		for j := range i {
			if order[j].Kind < p.Kind && length[j] >= length[i] {
				length[i], back[i] = length[j]+1, j
			}
		}
		if best < 0 || length[i] > length[best] {
			best = i
		}
	}
	keep := make([]bool, len(order))
	for i := best; i >= 0; i = back[i] {
		keep[i] = true
	}
	return keep
}

// misplaced says which section, of those that may stay, order[i] is on the wrong side of.
func misplaced(order []checkpoint.Place, keep []bool, i int) string {
	for j := range i {
		if keep[j] && order[j].Kind > order[i].Kind {
			return "behind \"" + order[j].Kind.String() + "\", and belongs before it"
		}
	}
	for j := len(order) - 1; j > i; j-- {
		if keep[j] && order[j].Kind < order[i].Kind {
			return "before \"" + order[j].Kind.String() + "\", and belongs behind it"
		}
	}
	return "out of order"
}

// reason is how people give one without a colon.
var reason = text.Regexp(`(?i)\b(because|since|so that|due to|in order to|to avoid|as it|as they|hence|therefore|why|reason|porque|debido)\b|[—–;(]| -+ |->|→|\n`)

func decisionWhy(f *file, say say) {
	for _, d := range f.c.Decisions() {
		if d.Live() && d.Why == "" && !checkpoint.IsNone(d.What) && !reason.MatchString(d.Text) {
			say(f.line(d.Span.Start), "%s has no why", quote(d.What))
		}
	}
}

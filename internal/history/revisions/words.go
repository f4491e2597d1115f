package revisions

import (
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// nouns returns, by the name of a section, the noun for one of its entries.
func nouns() map[string]string {
	return map[string]string{
		checkpoint.Decisions.Template().Name:   "decision",
		checkpoint.Context.Template().Name:     "context item",
		checkpoint.Breadcrumbs.Template().Name: "breadcrumb",
		checkpoint.PlayByPlay.Template().Name:  "step",
		checkpoint.Artifacts.Template().Name:   "artifact",
		checkpoint.Next.Template().Name:        "next action",
		checkpoint.Rules.Template().Name:       "rule",
		"deltas":                               "delta",
	}
}

// Words describes the change in one line: "+2 decisions, -1 next action, current state rewritten".
// Frontmatter that only ckpt uses is left out; if nothing else changed, the line is empty.
func (d *Diff) Words() string {
	var all []string
	for _, s := range d.Sections {
		all = append(all, s.words()...)
	}
	for _, f := range d.Fields {
		switch {
		case f.Key == "base" || f.Key == "last_delta" || f.Key == "created" || f.Key == "checkpoint" && f.Before == "":
		case f.After == "":
			all = append(all, "-"+f.Key)
		case f.Before == "":
			all = append(all, f.Key+" "+f.After)
		default:
			all = append(all, f.Key+" "+f.Before+" → "+f.After)
		}
	}
	if len(all) == 0 && d.Spacing {
		return "spacing only"
	}
	return strings.Join(all, ", ")
}

func (s Section) words() []string {
	var all []string
	title := strings.ToLower(s.Title)
	if whole := s.Name == checkpoint.Completion.Template().Name && len(s.Reworded) == 0; whole && len(s.Removed) == 0 {
		return []string{"+" + title}
	} else if whole && len(s.Added) == 0 {
		return []string{"-" + title}
	}
	if checkpoint.IsMark(doc.Section{Level: 2, Title: s.Title}) {
		switch {
		case s.Prose != nil && s.Prose.Before == "": // the goal was added
			return []string{"+mark"}
		case s.Prose != nil && s.Prose.After == "":
			return []string{"-mark"}
		}
		title = "scratch"
	}
	noun, known := nouns()[s.Name]
	if !known {
		noun = "item of " + title
	}
	count := func(sign string, n int, suffix string) {
		if n > 0 {
			all = append(all, sign+text.Count(n, noun)+suffix)
		}
	}
	struck := 0
	for _, r := range s.Reworded {
		if r.Struck {
			struck++
		}
	}
	count("+", len(s.Added), "")
	count("-", len(s.Removed), "")
	count("", struck, " superseded")
	count("", len(s.Reworded)-struck, " reworded")
	if s.Reordered {
		all = append(all, title+" reordered")
	}
	switch {
	case s.Prose == nil:
	case s.Prose.Before == "":
		all = append(all, "+"+title)
	case s.Prose.After == "":
		all = append(all, "-"+title)
	default:
		all = append(all, title+" rewritten")
	}
	return all
}

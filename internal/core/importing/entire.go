package importing

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/text"
)

var promptTitle = text.Regexp(`^Prompt (\d+)$`)

// keepsPrompts reports whether a file is the context.md of a session that Entire writes:
// a list of the user's prompts.
func (f file) keepsPrompts() bool {
	all := f.doc.Sections()
	return len(all) > 2 && all[0].Title == "Session Context" &&
		slices.ContainsFunc(all, func(s doc.Section) bool { return strings.HasSuffix(s.Title, "Prompts") }) &&
		slices.ContainsFunc(all, func(s doc.Section) bool { return promptTitle.MatchString(s.Title) })
}

// promptChapters returns the chapters of such a file. The first prompt is the Session
// Intent; headings inside prompts name no sections.
func (f file) promptChapters() []chapter {
	all := []chapter{{Section: doc.Section{Body: f.doc.Preamble()}, parent: -1, kind: nowhere}}
	first := 0
	for i, s := range f.doc.Sections() {
		c := chapter{Section: s, kind: nowhere}
		switch m := promptTitle.FindStringSubmatch(s.Title); {
		case m != nil && m[1] == "1" && first == 0:
			c.kind, c.opens, first = checkpoint.Intent, true, i+1
		case m != nil, first == 0:
		case all[i].kind == checkpoint.Intent:
			c.kind, c.parent = checkpoint.Intent, first
		}
		all = append(all, c)
	}
	return all
}

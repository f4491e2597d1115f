package output

import (
	"cmp"
	"fmt"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/search"
	"example.com/ckpt/internal/secrets"
	"example.com/ckpt/internal/text"
)

// Found is what a search found.
type Found struct {
	Terms []string // words and phrases
	*search.Result
}

// Search prints a line for each hit, as grep does: the path, the line, the section and the text,
// with the terms in bold.
func Search(p *Printer, r Found) {
	for _, f := range r.Files {
		for _, h := range f.Hits {
			place := fmt.Sprintf("%s:%d:", f.Path, h.Line)
			if h.Section != "" {
				place += " " + h.Section + ":"
			}
			printHit(p, place, h.Text, h.Marks)
		}
	}
	switch {
	case r.Hits == 0:
		p.remark(`nothing found that contains "` + strings.Join(r.Terms, `" and "`) + `"`)
	case r.Shown < r.Hits:
		p.remark(fmt.Sprintf("%d of %s in %s shown (--limit 0 shows all)", r.Shown, text.Count(r.Hits, "hit"),
			text.Count(r.In, "file")))
	}
	p.remark(r.Warnings...)
}

// printHit prints the place of a hit and its line. On a terminal the marked terms are bold, and the ** of Markdown are
// left out. Escape sequences are removed from each part of the line separately.
func printHit(p *Printer, place, text string, marks []doc.Span) {
	line, at := styled(""), 0
	part := func(end int, style func(string) styled) {
		text := text[at:end]
		if p.terminal {
			text = strings.ReplaceAll(text, "**", "")
		}
		line += style(text)
		at = end
	}
	if p.style.On {
		for _, m := range marks {
			part(m.Start, p.Plain)
			part(m.End, p.Bold)
		}
	}
	part(len(text), p.Plain)
	p.printf("%s %s\n", p.Dim(place), styled(strings.TrimRight(string(line), " \t")))
}

// foundJSON is the answer of `ckpt search`.
type foundJSON struct {
	Terms    []string  `json:"terms"` // words and phrases
	Hits     []hitJSON `json:"hits"`  // the hits
	Total    int       `json:"total"` // the number of hits without --limit
	Files    int       `json:"files"` // the number of files with hits
	Warnings []string  `json:"warnings,omitempty"`
}

type hitJSON struct {
	Path    string      `json:"path"`
	Line    int         `json:"line"`
	ID      string      `json:"id,omitempty"`
	Status  string      `json:"status,omitempty"`  // current, active, archived, unreadable; empty in LEARNINGS.md
	Changed result.Time `json:"changed,omitzero"`  // when the checkpoint was last changed
	Kind    string      `json:"kind"`              // the kind of the passage, as for --kind: "decision"
	Section string      `json:"section,omitempty"` // the title of the section
	Near    string      `json:"near"`              // how close the terms are: passage, section, file
	Text    string      `json:"text"`              // the passage
	Marks   [][2]int    `json:"marks"`             // the terms in the text, as ranges of bytes
	Branch  string      `json:"branch,omitempty"`  // the branch of the checkpoint
}

func foundOf(r Found) foundJSON {
	w := foundJSON{Hits: make([]hitJSON, 0, r.Shown), Total: r.Hits, Files: r.In, Warnings: r.Warnings}
	for _, term := range r.Terms {
		w.Terms = append(w.Terms, (&secrets.Scanner{}).Hide(term, r.Terms...))
	}
	for _, f := range r.Files {
		for _, h := range f.Hits {
			hit := hitJSON{
				Path: f.Path, Line: h.Line, ID: cmp.Or(h.ID, f.ID), Status: f.Status, Branch: f.Branch,
				Changed: result.At(f.Changed),
				Kind:    h.Kind.String(),
				Section: h.Section, Near: f.Closeness.String(), Text: h.Text, Marks: make([][2]int, len(h.Marks)),
			}
			for i, m := range h.Marks {
				hit.Marks[i] = [2]int{m.Start, m.End}
			}
			w.Hits = append(w.Hits, hit)
		}
	}
	return w
}

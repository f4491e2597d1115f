package output

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

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
// with the terms in bold. As in grep, lines of context have dashes instead of colons.
func Search(p *Printer, r Found) {
	const enough = 32 << 10
	page := hitPage{to: p, context: hasContext(r.Result)}
	page.Grow(2 * enough)
	for _, f := range r.Files {
		page.file(f)
		if page.Len() > enough {
			p.printf("%s", styled(page.String()))
			page.Reset()
			page.Grow(2 * enough)
		}
	}
	p.printf("%s", styled(page.String()))
	switch {
	case r.Hits == 0:
		p.remark("nothing found that holds " + strings.Join(quoted(r.Terms), " and "))
	case r.Shown < r.Hits:
		p.remark(fmt.Sprintf("%d of %s in %s shown (--limit 0 shows all)", r.Shown, text.Count(r.Hits, "hit"),
			text.Count(r.In, "file")))
	}
	p.remark(r.Warnings...)
}

func hasContext(r *search.Result) bool {
	for _, f := range r.Files {
		for _, h := range f.Hits {
			if len(h.Before)+len(h.After) > 0 {
				return true
			}
		}
	}
	return false
}

// hitPage collects lines before they are printed, because a frequent word has very many.
// All of its text is styled.
type hitPage struct {
	strings.Builder
	to      *Printer
	context bool // hits are printed with lines around them
	begun   bool
	from    int // the column where the text of the line begins
}

func (w *hitPage) file(f *search.File) {
	path := w.to.Plain(f.Path)
	through := -1 // the last line of this file that was written
	for _, h := range f.Hits {
		from := h.Line - len(h.Before)
		if w.context && w.begun && from != through+1 {
			w.WriteString(string(w.to.Dim("--")) + "\n")
		}
		for i, text := range h.Before {
			w.around(path, from+i, text)
		}
		section := styled("")
		if h.Section != "" {
			section = " " + w.to.Plain(h.Section) + ":"
		}
		w.place(path, ":", h.Line, section)
		w.text(h.Text, h.Marks)
		for i, text := range h.After {
			w.around(path, h.Line+1+i, text)
		}
		w.begun, through = true, h.Line+len(h.After)
	}
}

func (w *hitPage) place(path, mark styled, line int, section styled) {
	head := path + mark + styled(strconv.Itoa(line)) + mark + section
	w.from = utf8.RuneCountInString(string(head))
	w.WriteString(w.to.style.Dim(string(head)))
}

func (w *hitPage) around(path styled, line int, text string) {
	w.place(path, "-", line, "")
	w.text(text, nil)
}

// text writes a line, with its marks in bold. Each part is made harmless separately.
func (w *hitPage) text(line string, marks []doc.Span) {
	const below = 4
	line = " " + strings.TrimRight(line, " \t")
	breaks := w.to.breaks(line, w.from, below)
	at := 0
	if w.to.style.On {
		for _, m := range marks {
			start, end := m.Start+1, m.End+1 // after the space
			w.WriteString(string(w.to.Plain(broken(line[at:start], at, breaks, below)) + w.to.Bold(broken(line[start:end],
				start, breaks, below))))
			at = end
		}
	}
	w.WriteString(string(w.to.Plain(broken(line[at:], at, breaks, below))))
	w.WriteByte('\n')
}

func quoted(all []string) []string {
	list := make([]string, len(all))
	for i, s := range all {
		list[i] = `"` + s + `"`
	}
	return list
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
	Kind    string      `json:"kind"`              // what it is, as for --kind: "decision"
	Section string      `json:"section,omitempty"` // the title of the section
	Near    string      `json:"near"`              // how close the terms are: passage, section, file
	Text    string      `json:"text"`              // the passage
	Marks   [][2]int    `json:"marks"`             // the terms in the text, as ranges of bytes
	Before  []string    `json:"before,omitempty"`  // the lines before it, with --context
	After   []string    `json:"after,omitempty"`   // the lines after it, with --context
	Branch  string      `json:"branch,omitempty"`  // the branch it belongs to
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
				Section: h.Section, Near: f.Closeness.String(), Text: h.Text, Marks: make([][2]int,
					len(h.Marks)), Before: h.Before, After: h.After,
			}
			for i, m := range h.Marks {
				hit.Marks[i] = [2]int{m.Start, m.End}
			}
			w.Hits = append(w.Hits, hit)
		}
	}
	return w
}

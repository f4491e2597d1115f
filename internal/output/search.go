package output

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/search"
	"example.com/ckpt/internal/text"
)

// Found writes a line a hit, as grep does: the path, the line, the section, the
// text, with what was looked for marked. Lines of context have dashes for the colons.
func (p Text) Found(terms []string, r *search.Result) error {
	const enough = 32 << 10
	page := hitPage{to: p, style: p.pen(), context: hasContext(r)}
	page.Grow(2 * enough)
	for _, f := range r.Files {
		page.file(f)
		if page.Len() > enough {
			p.printf("%s", ink(page.String()))
			page.Reset()
			page.Grow(2 * enough)
		}
	}
	p.printf("%s", ink(page.String()))
	switch {
	case r.Hits == 0:
		p.remark("nothing found that holds " + strings.Join(quoted(terms), " and "))
	case r.Shown < r.Hits:
		p.remark(fmt.Sprintf("%d of %s in %s shown (--limit 0 shows all)", r.Shown, text.Count(r.Hits, "hit"), text.Count(r.In, "file")))
	}
	p.remark(r.Warnings...)
	return p.done()
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

// hitPage is the lines that are not written yet: of a frequent word there are very
// many. Nothing goes in but ink.
type hitPage struct {
	strings.Builder
	to      Text
	style   pen
	context bool // there are lines around hits
	begun   bool
	from    int // the column where the text of the line begins
}

func (w *hitPage) file(f *search.File) {
	path := w.style.Plain(f.Path)
	if f.On != nil { // as git takes it: git show BRANCH:PATH
		path = w.style.Plain(f.On.Rev() + ":" + f.Path)
	}
	through := -1 // the last line of this file that was written
	for _, h := range f.Hits {
		from := h.Line - len(h.Before)
		if w.context && w.begun && from != through+1 {
			w.WriteString(string(w.style.Dim("--")) + "\n")
		}
		for i, text := range h.Before {
			w.around(path, from+i, text)
		}
		section := ink("")
		if h.Section != "" {
			section = " " + w.style.Plain(h.Section) + ":"
		}
		w.place(path, ":", h.Line, section)
		w.text(h.Text, h.Marks)
		for i, text := range h.After {
			w.around(path, h.Line+1+i, text)
		}
		w.begun, through = true, h.Line+len(h.After)
	}
}

func (w *hitPage) place(path, mark ink, line int, section ink) {
	head := path + mark + ink(strconv.Itoa(line)) + mark + section
	w.from = utf8.RuneCountInString(string(head))
	w.WriteString(string(w.style.Dimmed(head)))
}

func (w *hitPage) around(path ink, line int, text string) {
	w.place(path, "-", line, "")
	w.text(text, nil)
}

// text writes what stands in a line, with its marks in bold. Each part of it is made
// harmless by itself.
func (w *hitPage) text(line string, marks []doc.Span) {
	const below = 4
	line = " " + strings.TrimRight(line, " \t")
	breaks := w.to.breaks(line, w.from, below)
	at := 0
	if w.style.style.On {
		for _, m := range marks {
			start, end := m.Start+1, m.End+1 // behind the space
			w.WriteString(string(w.style.Plain(broken(line[at:start], at, breaks, below)) + w.style.Bold(broken(line[start:end], start, breaks, below))))
			at = end
		}
	}
	w.WriteString(string(w.style.Plain(broken(line[at:], at, breaks, below))))
	w.WriteByte('\n')
}

func quoted(all []string) []string {
	list := make([]string, len(all))
	for i, s := range all {
		list[i] = `"` + s + `"`
	}
	return list
}

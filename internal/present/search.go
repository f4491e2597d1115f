package present

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/ckpt/internal/core/phrase"
	"example.com/ckpt/internal/core/search"
)

// Found writes a line a hit, as grep does: the path, the line, the section, the
// text, with what was looked for marked. Lines of context have dashes for the colons.
func (p Text) Found(terms []string, r *search.Result) error {
	const enough = 32 << 10
	page := hitPage{style: p.pen(), context: hasContext(r)}
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
		p.remark(fmt.Sprintf("%d of %s in %s shown (--limit 0 shows all)", r.Shown, phrase.Count(r.Hits, "hit"), phrase.Count(r.In, "file")))
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
	style   pen
	context bool // there are lines around hits
	begun   bool
}

func (w *hitPage) file(f *search.File) {
	path := w.style.Plain(f.Path)
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
		w.marked(h)
		for i, text := range h.After {
			w.around(path, h.Line+1+i, text)
		}
		w.begun, through = true, h.Line+len(h.After)
	}
}

func (w *hitPage) place(path, mark ink, line int, section ink) {
	w.WriteString(string(w.style.Dimmed(path + mark + ink(strconv.Itoa(line)) + mark + section)))
	w.WriteByte(' ')
}

func (w *hitPage) around(path ink, line int, text string) {
	w.place(path, "-", line, "")
	w.WriteString(string(w.style.Plain(strings.TrimRight(text, " \t"))))
	w.WriteByte('\n')
}

// marked writes the text of a hit with its marks in bold. Each part of it is made
// harmless by itself.
func (w *hitPage) marked(h search.Hit) {
	text, at := strings.TrimRight(h.Text, " \t"), 0
	if w.style.style.On {
		for _, m := range h.Marks {
			w.WriteString(string(w.style.Plain(text[at:m.Start]) + w.style.Bold(text[m.Start:m.End])))
			at = m.End
		}
	}
	w.WriteString(string(w.style.Plain(text[at:])))
	w.WriteByte('\n')
}

func quoted(all []string) []string {
	list := make([]string, len(all))
	for i, s := range all {
		list[i] = `"` + s + `"`
	}
	return list
}

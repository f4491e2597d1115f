package importing

import (
	"bytes"
	"errors"
	"path"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// file is a file of a source that has been read.
type file struct {
	name  string // its name in the folder; empty if the source is a single file
	front string // the frontmatter with its fences, even if it is not YAML
	doc   *doc.Doc
	given *doc.Doc                   // the whole file; nil if its frontmatter is not YAML
	means map[string]checkpoint.Kind // by headings in lower case, the sections that they mean in this form

	home   checkpoint.Kind // the section of text whose heading names none
	only   bool            // all text except decisions belongs to home
	titled bool            // its first heading names the file and not a section: no other one has the first level
	todo   bool            // by its name or title it is a list of things to do
	stages bool            // by its name it is a plan: its numbered stages are things to do
}

// open parses a file. Frontmatter that is not YAML is treated as text, unless it is that of a
// checkpoint.
func open(name, text string) (file, error) {
	f := file{name: name, home: nowhere}
	whole, err := checkpoint.ParseDoc([]byte(text))
	if errors.Is(err, checkpoint.ErrConflict) {
		return file{}, err
	}
	if err == nil {
		f.given = whole
		f.front = whole.Slice(whole.Front.Span)
	} else {
		front, _, _ := doc.FrontSpan([]byte(text))
		f.front = text[:front.End]
		if isHeader(f.front) || f.front == "" && isHeader(text) {
			return file{}, err
		}
	} // otherwise the file begins with a rule, or with frontmatter in another language
	f.front = strings.TrimRight(f.front, "\n")
	return f, f.parse(text[len(f.front):])
}

// parse parses the text of a file below its frontmatter, and finds out what its name and title mean for its headings.
func (f *file) parse(body string) error {
	// A blank line comes first so that text after the frontmatter is not read as frontmatter.
	d, err := doc.Parse([]byte("\n" + strings.TrimLeft(body, "\n")))
	if err != nil {
		return err
	}
	f.doc = d
	if i := rankOf(path.Base(f.name)); i < len(bank) {
		f.home, f.only = bank[i].home, bank[i].only
	}
	levels := 0
	for _, s := range d.Sections() {
		if s.Level == 1 {
			levels++
		}
	}
	f.titled = levels == 1 && d.Sections()[0].Level == 1 && d.Content(d.Preamble()).Len() == 0
	return nil
}

// isHeader reports whether frontmatter has the key `checkpoint`.
func isHeader(front string) bool {
	return strings.HasPrefix(front, "checkpoint:") || strings.Contains(front, "\ncheckpoint:")
}

// isCheckpoint reports whether a file is in the format, with or without its header: it has
// most of the required sections under the names of the format, or Essential Information.
func (f *file) isCheckpoint() bool {
	if f.given == nil {
		return false
	}
	if id, ok := f.given.Front.Get("checkpoint"); ok && strings.TrimSpace(id) != "" {
		return true
	}
	have := map[checkpoint.Kind]bool{}
	for _, s := range f.doc.Sections() {
		k, known := checkpoint.KindNamed(s.Title)
		counts := k.Template().Required || k == checkpoint.Essential
		if known && counts && strings.EqualFold(s.Title, k.String()) {
			have[k] = true
		}
	}
	return (len(have) >= 5 || have[checkpoint.Essential]) && (have[checkpoint.Problem] || have[checkpoint.Intent])
}

// isLedger reports whether a file has the name of a list of learnings.
func isLedger(name string) bool {
	stem := strings.ToLower(path.Base(name))
	return strings.HasPrefix(stem, "learnings") || strings.HasPrefix(stem, "lessons")
}

// from returns the name of a file for use in a heading.
func (f *file) from(source string) string {
	if f.name != "" {
		return oneLine(f.name)
	}
	return oneLine(path.Base(source))
}

// count returns the number of lines in a span of whole lines that are not blank and do not only separate others.
func (f *file) count(s doc.Span) int { return countLines(f.doc.Slice(s)) }

// lineAt returns the span of the line that has an offset, from the offset on.
func (f *file) lineAt(offset int) doc.Span {
	src := f.doc.Bytes()
	if i := bytes.IndexByte(src[offset:], '\n'); i >= 0 {
		return span(offset, offset+i+1)
	}
	return span(offset, len(src))
}

func span(start, end int) doc.Span { return doc.Span{Start: start, End: end} }

var (
	banner    = text.Regexp(`^\s{0,3}(?:={3,}|-{3,}|\*{3,})\s+(\S.*?)\s+(?:={3,}|-{3,}|\*{3,})\s*$|^(\[(?i:session|day|entry)\b[^\]]*\])$`)
	underline = text.Regexp(`^\s{0,3}(?:=+|-+)\s*$`)
	notTitle  = text.Regexp(`^\s*(?:[-*+>|]|\d+[.)]\s)|[.,;]\s*$`)
)

// reshape parses the file again with its headings in Markdown. "===== Session 2 =====" becomes a heading. A rule
// directly below a paragraph would make the paragraph a heading: a blank line separates them. The words and their
// order do not change.
func (f *file) reshape() error {
	lines := strings.Split(f.doc.Slice(f.doc.Body()), "\n")
	prose := make([]string, len(lines)+2) // after two empty ones, the lines that are not in code, a table or a comment
	mark := func(s doc.Span) {
		for n := f.doc.Line(s.Start); n <= f.doc.Line(max(s.Start, s.End-1)); n++ {
			prose[n+1] = strings.TrimRight(lines[n-1], " \t")
		}
	}
	level := 7 // one level above all headings except the title
	for i, s := range f.doc.Sections() {
		mark(s.Heading)
		if i > 0 || s.Level > 1 {
			level = min(level, s.Level)
		}
	}
	if level == 7 {
		level = 3
	}
	for _, b := range f.doc.Blocks(f.doc.Body()) {
		if b.Kind != doc.Other && b.Kind != doc.Comment {
			mark(b.Span)
		}
	}
	var out []string
	for i, line := range lines {
		before, above, said := prose[i], prose[i+1], prose[i+2]
		if m := banner.FindStringSubmatch(said); m != nil {
			out = append(out, "", heading(max(level-1, 1), m[1]+m[2]), "")
			continue
		}
		isTitle := isRule(before) && len(above) <= 80 && !notTitle.MatchString(above)
		isTitle = isTitle || strings.HasPrefix(said, "=") && inBanner(prose[:i+2])
		if isUnderline := underline.MatchString(said) && !isRule(above); isUnderline && !isTitle {
			out = append(out, "")
		}
		out = append(out, line)
	}
	return f.parse(strings.Join(out, "\n"))
}

// inBanner reports whether the last one to three lines are below a rule of "=".
func inBanner(lines []string) bool {
	for i := len(lines) - 2; i >= max(len(lines)-4, 0); i-- {
		if isRule(lines[i]) {
			return strings.HasPrefix(lines[i], "===")
		}
	}
	return false
}

package importing

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"sort"
	"strings"
	"unicode/utf8"

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
}

// open parses a file. Frontmatter that is not YAML is treated as text, unless it is that of a
// checkpoint.
func open(name, text string) (file, error) {
	f := file{name: name}
	whole, err := checkpoint.ParseDoc(new(doc.Reader), []byte(text))
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
	// A blank line comes first so that text after the frontmatter is not read as frontmatter.
	f.doc, err = doc.Parse([]byte("\n" + text[len(f.front):]))
	if err != nil {
		return file{}, err
	}
	f.front = strings.TrimRight(f.front, "\n")
	return f, nil
}

// isHeader reports whether frontmatter has the key `checkpoint`.
func isHeader(front string) bool {
	return strings.HasPrefix(front, "checkpoint:") || strings.Contains(front, "\ncheckpoint:")
}

// isCheckpoint reports whether a file is in the format, with or without its header: it has
// most of the required sections under the names of the format, or Essential Information.
func (f file) isCheckpoint() bool {
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

// title returns the heading with which the file begins if no other heading has the first level:
// then it names the file and not a section.
func (f file) title() (doc.Section, bool) {
	var title doc.Section
	n := 0
	for i, s := range f.doc.Sections() {
		if s.Level == 1 {
			n++
			if i == 0 && f.doc.Content(f.doc.Preamble()).Len() == 0 {
				title = s
			}
		}
	}
	return title, n == 1 && title.Level == 1
}

// NotText returns the line at which a file stops being UTF-8 text, and the reason, which is empty
// if all of it is text.
func NotText(src []byte) (line int, what string) {
	switch {
	case isUTF16(src):
		return 1, "this is UTF-16"
	case bytes.IndexByte(src, 0) >= 0:
		return lineAt(src, bytes.IndexByte(src, 0)), "a zero byte: this is not text"
	case utf8.Valid(src):
		return 0, ""
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return lineAt(src, at), fmt.Sprintf("the byte %#02x is not UTF-8", src[at])
}

// byteOrderMark begins some files in UTF-8.
const byteOrderMark = "\xef\xbb\xbf"

func isUTF16(src []byte) bool {
	return bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff"))
}

func lineAt(src []byte, at int) int { return bytes.Count(src[:at], []byte("\n")) + 1 }

// isLedger reports whether a file has the name of a list of learnings.
func isLedger(name string) bool {
	stem := strings.ToLower(path.Base(name))
	return strings.HasPrefix(stem, "learnings") || strings.HasPrefix(stem, "lessons")
}

// from returns the name of a file for use in a heading.
func (f file) from(source string) string {
	if f.name != "" {
		return oneLine(f.name)
	}
	return oneLine(path.Base(source))
}

// lines returns the lines of a file that an import must keep. It leaves out blank lines, rules
// between sections and the marks of headings.
func (f file) lines() []string {
	var all []string
	for line := range strings.Lines(f.front) {
		line = strings.TrimSpace(line)
		if !isRule(line) {
			all = append(all, line)
		}
	}
	return append(all, wordsOf(f.doc)...)
}

// wordsOf returns the lines of a document's body without surrounding white space. For a heading it
// returns the title on one line, since an underlined heading may have several.
func wordsOf(d *doc.Doc) []string { return wordsIn(d, d.Body()) }

// wordsIn returns what wordsOf does for a span of whole lines.
func wordsIn(d *doc.Doc, s doc.Span) []string {
	var all []string
	add := func(s doc.Span) {
		for line := range strings.Lines(d.Slice(s)) {
			line = strings.TrimSpace(line)
			if !isRule(line) {
				all = append(all, line)
			}
		}
	}
	at, sections := s.Start, d.Sections()
	first := sort.Search(len(sections), func(i int) bool { return sections[i].Heading.Start >= s.Start })
	for _, h := range sections[first:] {
		if h.Heading.Start >= s.End {
			break
		}
		add(span(at, h.Heading.Start))
		if title := text.OneLine(h.Title); !isRule(title) {
			all = append(all, title)
		}
		at = h.Heading.End
	}
	add(span(at, s.End))
	return all
}

// isRule reports whether a line is blank or only separates others.
func isRule(line string) bool {
	bare := strings.ReplaceAll(line, " ", "")
	return bare == "" || strings.Contains("-*_=#", bare[:1]) && strings.Trim(bare, bare[:1]) == ""
}

// Lost returns the lines that a document lacks, each as many times as it is missing. A heading
// counts as found at another level, with the name of its file after it, and in a comment.
func Lost(lines []string, made *doc.Doc) []string {
	have := map[string]int{}
	for line := range strings.Lines(made.Slice(made.Front.Span)) {
		have[strings.TrimSpace(line)]++
	}
	for _, line := range wordsOf(made) {
		line = unmarked(line)
		have[line]++
		if said := heading(line); said != line {
			have[said]++
		}
	}
	for _, s := range made.Sections() { // distinct may have changed the title
		if i := strings.LastIndex(s.Title, " ("); i > 0 && strings.HasSuffix(s.Title, ")") {
			have[text.OneLine(s.Title[:i])]++
		}
	}
	var lost []string
	for _, line := range lines {
		bare := unmarked(line)
		if have[bare] == 0 {
			lost = append(lost, line)
			continue
		}
		have[bare]--
	}
	return lost
}

// unmarked returns a line without a list marker: "- Next:" may have become a heading.
func unmarked(line string) string {
	if bare := markerBefore.ReplaceAllString(line, ""); bare != "" {
		return bare
	}
	return line
}

// heading returns the title in a comment such as `<!-- ## Done -->`.
func heading(line string) string {
	line = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(line, "<!--"), "-->"))
	if i := strings.Index(line, "#"); i >= 0 && (i == 0 || strings.HasSuffix(line[:i], ": ")) {
		return text.OneLine(strings.TrimLeft(line[i:], "#"))
	}
	return line
}

package importing

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"path"
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

	home    checkpoint.Kind // the section of text whose heading names none
	only    bool            // all text except decisions belongs to home
	prompts bool            // it is a list of prompts
	titled  bool            // its first heading names the file and not a section: no other one has the first level
	todo    bool            // by its name or title it is a list of things to do
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

// prepare finds out what the form and the title of a file mean for its headings.
func (f *file) prepare() {
	if i := rankOf(path.Base(f.name)); i < len(bank) {
		f.home, f.only = bank[i].home, bank[i].only
	}
	f.prompts = isPrompts(f.doc)
	levels := 0
	for _, s := range f.doc.Sections() {
		if s.Level == 1 {
			levels++
		}
	}
	all := f.doc.Sections()
	f.titled = levels == 1 && all[0].Level == 1 && f.doc.Content(f.doc.Preamble()).Len() == 0
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
func (f *file) from(source string) string {
	if f.name != "" {
		return oneLine(f.name)
	}
	return oneLine(path.Base(source))
}

// count returns the number of lines in spans of whole lines that are not blank and do not only separate others.
func (f *file) count(spans ...doc.Span) int {
	n := 0
	for _, s := range spans {
		n += countLines(f.doc.Slice(s))
	}
	return n
}

// countLines counts lines as [file.count] does.
func countLines(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if !isRule(strings.TrimSpace(line)) {
			n++
		}
	}
	return n
}

// isRule reports whether a line is blank or only separates others.
func isRule(line string) bool {
	bare := strings.Join(strings.Fields(line), "")
	return bare == "" || strings.Contains("-*_=#", bare[:1]) && strings.Trim(bare, bare[:1]) == ""
}

// lineAt returns the span of the line that has an offset, from the offset on.
func (f *file) lineAt(offset int) doc.Span {
	src := f.doc.Bytes()
	if i := bytes.IndexByte(src[offset:], '\n'); i >= 0 {
		return span(offset, offset+i+1)
	}
	return span(offset, len(src))
}

// Lost returns the words of a text that a document lacks, each as many times as it is missing. The marks of
// headings, lists and emphasis do not count.
func Lost(text string, made *doc.Doc) []string {
	have := map[string]int{}
	for word := range words(string(made.Bytes())) {
		have[word]++
	}
	var lost []string
	for word := range words(text) {
		if have[word] == 0 {
			lost = append(lost, word)
			continue
		}
		have[word]--
	}
	return lost
}

// words iterates over the words of Markdown.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.FieldsSeq(text) {
			word = strings.Trim(word, "#-=_*+>`~\\")
			bare := strings.TrimRight(word, ".)")
			isMarker := strings.Trim(bare, "0123456789") == "" && bare != word
			if word != "" && !isMarker && !yield(word) {
				return
			}
		}
	}
}

var (
	banner    = text.Regexp(`^\s{0,3}(?:={3,}|-{3,}|\*{3,})\s+(\S.*?)\s+(?:={3,}|-{3,}|\*{3,})\s*$|^\[((?i:session|day|entry)\b[^\]]*)\]$`)
	underline = text.Regexp(`^\s{0,3}(?:=+|-+)\s*$`)
	notTitle  = text.Regexp(`^\s*(?:[-*+>|]|\d+[.)]\s)|[.,;]\s*$`)
)

// reshaped returns the text of notes with their headings in Markdown. "===== Session 2 =====" becomes
// a heading. A rule directly below a paragraph would make the paragraph a heading, and a
// label directly below a list would be part of the last item: a blank line separates
// them. The words and their order do not change.
func reshaped(d *doc.Doc) string {
	lines := strings.Split(d.Slice(d.Body()), "\n")
	prose := make([]bool, len(lines)+1)
	mark := func(s doc.Span) {
		for n := d.Line(s.Start); n <= d.Line(max(s.Start, s.End-1)); n++ {
			prose[n-d.Line(d.Body().Start)] = true
		}
	}
	level := 7 // one level above all headings except the title
	for i, s := range d.Sections() {
		mark(s.Heading)
		if i > 0 || s.Level > 1 {
			level = min(level, s.Level)
		}
	}
	if level == 7 {
		level = 3
	}
	for _, b := range d.Blocks(d.Body()) {
		if b.Kind != doc.Other && b.Kind != doc.Comment {
			mark(b.Span)
		}
	}
	at := func(i int) string {
		if i < 0 || i >= len(lines) || !prose[i] {
			return ""
		}
		return strings.TrimSpace(lines[i])
	}
	out := make([]string, 0, len(lines)+8)
	for i, line := range lines {
		switch {
		case !prose[i]:
		case banner.MatchString(line):
			out = append(out, "", heading(max(level-1, 1), strings.Join(banner.FindStringSubmatch(line)[1:], "")), "")
			continue
		case i > 0 && inList(lines[i-1]) && isLabelLine(line):
			out = append(out, "")
		case underline.MatchString(line) && isText(at(i-2), at(i-1)) && !inBanner(at, i-1):
			out = append(out, "")
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// isText reports whether the line above a rule is not a title, given the line before it.
func isText(before, line string) bool {
	return !isRule(line) && (!isRule(before) || len(line) > 80 || notTitle.MatchString(line))
}

// inBanner reports whether a line is one of a few between two rules of "=".
func inBanner(at func(int) string, i int) bool {
	first := i
	for first > i-4 && !isRule(at(first)) {
		first--
	}
	return strings.HasPrefix(at(first), "===") && strings.HasPrefix(at(i+1), "===")
}

// inList reports whether a line is an entry of a list, or continues one.
func inList(line string) bool {
	return bullet.MatchString(line) || strings.HasPrefix(line, "  ") && strings.TrimSpace(line) != ""
}

// isLabelLine reports whether a line begins, without indent, with a label. A label is alone on its
// line, is bold, or begins a section.
func isLabelLine(line string) bool {
	name, rest, bold, ok := label(line)
	if !ok || strings.HasPrefix(line, " ") {
		return false
	}
	if inList(line) || startsLower(line) {
		return false
	}
	_, sure := meaning(name)
	return sure >= clear || rest == "" || bold
}

// reshape parses the reshaped text of a file.
func (f *file) reshape() error {
	d, err := doc.Parse([]byte(reshaped(f.doc)))
	if err == nil {
		f.doc = d
	}
	return err
}

package doc

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Page is a Markdown file that people write as they like, such as LEARNINGS.md. Unlike
// [Parse], [ParsePage] accepts any file: an opening `---` that does not begin frontmatter is a
// rule. And [Page.Splice] does not check its result: its callers parse it again and compare.
type Page struct {
	*Doc        // parsed from the file, or from a copy of the same length that can be parsed
	src  []byte // the file itself

	LineBreak string // the line break of added lines
}

// ParsePage parses a file. It reports false only for a file larger than [MaxSize].
func ParsePage(src []byte) (Page, bool) {
	d, err := Parse(src)
	if err == nil && (d.Front.Span.Len() == 0 || len(d.Front.Fields) > 0) {
		return Page{Doc: d, src: src, LineBreak: d.EOL()}, true
	}
	plain := slices.Clone(src)
	head := len(plain) - len(bytes.TrimPrefix(plain, bom))
	if bytes.HasPrefix(plain[head:], []byte("---")) {
		copy(plain[head:], "***")
	}
	d, err = Parse(plain)
	if err != nil {
		return Page{}, false
	}
	return Page{Doc: d, src: src, LineBreak: d.EOL()}, true
}

// Bytes returns the whole file. The caller must not change the bytes.
func (p Page) Bytes() []byte { return p.src }

// Slice returns the text of a span.
func (p Page) Slice(s Span) string { return string(p.src[s.Start:s.End]) }

// IsBlank reports whether a span is white space as Markdown defines it. No-break spaces and form
// feeds are text.
func (p Page) IsBlank(s Span) bool { return isBlank(p.src[s.Start:s.End]) }

// LineEnd returns the offset after the line at an offset.
func (p Page) LineEnd(offset int) int { return lineEnd(p.src, offset) }

// TrimEnd returns the end of the last line of a span that is not blank.
func (p Page) TrimEnd(s Span) int { return trimBlank(p.src, s.Start, s.End) }

// EmptyLineBefore returns the start of the line before offset if that line is empty,
// else offset.
func (p Page) EmptyLineBefore(offset int) int {
	if offset == 0 {
		return offset
	}
	if line := lineStart(p.src, offset-1); len(bytes.Trim(p.src[line:offset], "\r\n")) == 0 {
		return line
	}
	return offset
}

// IsBlankLine reports whether the line at offset is blank. At the end of the file it returns true.
func (p Page) IsBlankLine(offset int) bool {
	return p.IsBlank(Span{offset, lineEnd(p.src, offset)})
}

// Splice returns the file with edits, which must not overlap; edits at one place keep their order.
// An edit by [Replace] consists of whole lines: if the line before it has no line break, it gets
// one. A file that does not end with a line break still does not.
func (p Page) Splice(edits ...Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(a.Span.Start-b.Span.Start, a.Span.End-b.Span.End) // insertions come first
	})
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(out, p.src[at:e.Span.Start]...)
		text := e.Text
		inLine := len(out) > 0 && out[len(out)-1] != '\n' && !bytes.Equal(out, bom)
		if inLine && !e.inline && text != "" {
			text = "\n" + text
		}
		if p.LineBreak != "\n" {
			text = strings.ReplaceAll(text, "\n", p.LineBreak)
		}
		out = append(out, text...)
		at = e.Span.End
	}
	out = append(out, p.src[at:]...)
	n := len(p.src)
	if n == 0 || p.src[n-1] == '\n' || len(edits) == 0 {
		return out
	}
	if last := edits[len(edits)-1]; last.Span.End == n && !last.inline {
		out = bytes.TrimSuffix(bytes.TrimSuffix(out, []byte("\n")), []byte("\r"))
	}
	return out
}

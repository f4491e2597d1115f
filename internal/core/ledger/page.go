// Package ledger is the two files that follow from all checkpoints: LEARNINGS.md,
// what was learned, and INDEX.md, what there is.
//
// Both belong to people as much as to ckpt. An edit splices whole lines into the
// bytes and reads its own result; what it did not come for stays byte for byte,
// CRLF, a byte order mark and a missing last newline included. No function here
// fails: a file that cannot take an edit is given back as it is.
package ledger

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/doc"
)

const bom = "\xef\xbb\xbf"

// page is a Markdown file that anybody may have written: there is always a
// reading of it.
type page struct {
	src []byte
	doc *doc.Doc // of src, or of a copy of the same length: take text from src
	eol string   // what an edit ends lines with
}

// open reads a file. ok is false only for one that no reading exists of: it is
// larger than [doc.MaxSize].
func open(src []byte) (p page, ok bool) {
	d, err := doc.Parse(src)
	if err == nil && (d.Front.Span.Len() == 0 || len(d.Front.Fields) > 0) {
		return page{src, d, d.EOL()}, true
	}
	// Nobody promised that a --- at the top of this file opens frontmatter: read it as a rule.
	plain := slices.Clone(src)
	head := len(plain) - len(bytes.TrimPrefix(plain, []byte(bom)))
	if bytes.HasPrefix(plain[head:], []byte("---")) {
		copy(plain[head:], "***")
	}
	if d, err = doc.Parse(plain); err != nil {
		flatten(plain)
		if d, err = doc.Parse(plain); err != nil {
			return page{}, false
		}
	}
	return page{src, d, d.EOL()}, true
}

// flatten takes the depth out of lines that open so many quotes and lists that no
// Markdown parser would read them. Their first marker stays.
func flatten(src []byte) {
	const kept, long = 16, 500
	for at := 0; at < len(src); {
		end := lineEnd(src, at)
		if end-at > long {
			for i := at + kept; i < end; i++ {
				if strings.IndexByte(">-*+.)", src[i]) >= 0 {
					src[i] = 'x'
				}
			}
		}
		at = end
	}
}

// text is the bytes of a span.
func (p page) text(s doc.Span) string { return string(p.src[s.Start:s.End]) }

// blank says whether nothing but white space stands in a span, as Markdown has it:
// no-break spaces and form feeds are text.
func (p page) blank(s doc.Span) bool {
	return len(bytes.Trim(p.src[s.Start:s.End], " \t\r\n")) == 0
}

// contentEnd is where the last line of a span ends that is not blank.
func (p page) contentEnd(s doc.Span) int {
	for s.End > s.Start {
		line := lineStart(p.src, s.End-1)
		if line < s.Start || !p.blank(doc.Span{Start: line, End: s.End}) {
			break
		}
		s.End = line
	}
	return s.End
}

// edit puts whole lines in place of a span of whole lines.
type edit struct {
	span doc.Span
	text string // line breaks as \n; ends in one, or is empty
	raw  bool   // the text goes in as it is, be it a part of a line or the whole file
}

func insert(at int, text string) edit { return edit{span: doc.Span{Start: at, End: at}, text: text} }

// splice makes edits that do not overlap; those at one place keep their order. A
// file whose last line has no line break still ends so.
func (p page) splice(edits ...edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(a.span.Start-b.span.Start, a.span.End-b.span.End) // what is put before a span that goes
	})
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(out, p.src[at:e.span.Start]...)
		text := e.text
		if !e.raw && text != "" && len(out) > 0 && out[len(out)-1] != '\n' && string(out) != bom {
			text = "\n" + text
		}
		if p.eol != "\n" {
			text = strings.ReplaceAll(text, "\n", p.eol)
		}
		out = append(out, text...)
		at = e.span.End
	}
	out = append(out, p.src[at:]...)
	if n := len(p.src); n > 0 && p.src[n-1] != '\n' && len(edits) > 0 && edits[len(edits)-1].span.End == n && !edits[len(edits)-1].raw {
		out = bytes.TrimSuffix(bytes.TrimSuffix(out, []byte("\n")), []byte("\r"))
	}
	return out
}

// saidUntil is where the last thing in a span ends that is neither a blank line
// nor a rule: its last block, or a heading that has nothing below it.
func (p page) saidUntil(s doc.Span) int {
	end := p.doc.Content(s).End
	for _, section := range p.doc.Sections() {
		if s.Contains(section.Heading) {
			end = max(end, section.Heading.End)
		}
	}
	return end
}

// emptyLine is where the line before offset begins, where that line holds nothing;
// else the offset.
func (p page) emptyLine(offset int) int {
	if offset == 0 {
		return offset
	}
	if line := lineStart(p.src, offset-1); len(bytes.Trim(p.src[line:offset], "\r\n")) == 0 {
		return line
	}
	return offset
}

// nextLineBlank says whether the line at offset is blank, or there is none.
func (p page) nextLineBlank(offset int) bool {
	return p.blank(doc.Span{Start: offset, End: lineEnd(p.src, offset)})
}

func lineStart(src []byte, offset int) int { return bytes.LastIndexByte(src[:offset], '\n') + 1 }

func lineEnd(src []byte, offset int) int {
	if i := bytes.IndexByte(src[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(src)
}

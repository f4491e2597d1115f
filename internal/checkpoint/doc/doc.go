// Package doc parses a Markdown file with YAML frontmatter into spans of its bytes,
// and edits it by replacing spans.
//
// [Parse] finds where things are and copies nothing. [Doc.Apply] replaces spans, parses the result
// and refuses it unless exactly the edited spans changed. The file is never rendered anew, so
// whatever ckpt does not understand survives: comments, odd spacing, unknown keys, CRLF, a byte
// order mark, a missing last newline. This package exists because goldmark and yaml.v3 lose these
// things when they write.
//
// yaml.v3 reads the frontmatter, and goldmark finds the blocks, without inline syntax and link
// definitions. TestDepartures lists the departures from CommonMark.
package doc

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/yuin/goldmark/util"

	"example.com/ckpt/internal/fault"
)

// MaxSize is the size in bytes of the largest file that Parse accepts.
const MaxSize = 64 << 20

// Span is a half-open range of byte offsets in a file.
type Span struct{ Start, End int }

// Len returns the number of bytes in s.
func (s Span) Len() int { return s.End - s.Start }

// Contains reports whether t lies completely in s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Doc is a parsed file. It is immutable and safe for concurrent use.
type Doc struct {
	src   []byte
	Front Front

	onceBody sync.Once // the body is parsed on first use: some callers need only the frontmatter
	body     body

	onceLines sync.Once
	starts    []int // the offset of each line
}

// Parse parses a file, whose bytes must not be changed afterwards. A file without
// frontmatter is valid; broken frontmatter is a [fault.Invalid] error that names the
// line.
func Parse(src []byte) (*Doc, error) {
	d := &Doc{src: src}
	if len(src) > MaxSize {
		return nil, fault.New(fault.Invalid, "larger than %d MiB", MaxSize>>20)
	}
	if err := d.Front.parse(src); err != nil {
		return nil, err
	}
	return d, nil
}

// parsed returns the headings and blocks of the file.
func (d *Doc) parsed() *body {
	d.onceBody.Do(func() { d.body = parseBody(d.src, d.Front.Span.End) })
	return &d.body
}

// Sections returns the headings of the file, with what follows each, in order.
func (d *Doc) Sections() []Section { return d.parsed().sections }

// Blocks returns the top-level blocks that lie completely in s, in order.
func (d *Doc) Blocks(s Span) []Block {
	all := d.parsed().blocks
	i := sort.Search(len(all), func(i int) bool { return all[i].Span.Start >= s.Start })
	j := i
	for j < len(all) && all[j].Span.End <= s.End {
		j++
	}
	return all[i:j:j]
}

// Bytes returns the whole file. The caller must not change the bytes.
func (d *Doc) Bytes() []byte { return d.src }

// Slice returns the text of a span.
func (d *Doc) Slice(s Span) string { return string(d.src[s.Start:s.End]) }

// Body returns the span below the frontmatter.
func (d *Doc) Body() Span { return Span{d.Front.Span.End, len(d.src)} }

// LastLine returns the end of the last line below the frontmatter that is not blank.
func (d *Doc) LastLine() int { return trimBlank(d.src, d.Front.Span.End, len(d.src)) }

// Preamble returns the span between the frontmatter and the first heading.
func (d *Doc) Preamble() Span {
	s := d.Body()
	if all := d.Sections(); len(all) > 0 {
		s.End = all[0].Heading.Start
	}
	return s
}

// LeftOpen returns the start of a code fence, a comment or other HTML that is open at the end of the
// file, and the text that closes it. The text is empty if none is open.
func (d *Doc) LeftOpen() (start int, closer string) { return d.parsed().leftOpen(d.src) }

// RuleBefore returns the start of the rule (---) directly before an offset. Without a rule it returns the offset.
func (d *Doc) RuleBefore(at int) int {
	blocks := d.Blocks(Span{Start: d.Front.Span.End, End: at})
	if len(blocks) == 0 {
		return at
	}
	last := blocks[len(blocks)-1]
	if last.Kind == Rule && util.IsBlank(d.src[last.Span.End:at]) {
		return last.Span.Start
	}
	return at
}

// EndOf returns the end of a section, without the rule (---) before the next section.
func (d *Doc) EndOf(s Section) int {
	if s.Whole.End == len(d.src) {
		return s.Whole.End
	}
	return max(d.RuleBefore(s.Whole.End), s.Heading.End)
}

// IsEmpty reports whether a section has no text below its heading or in a deeper section. A table
// that has only its header does not count as text.
func (d *Doc) IsEmpty(s Section) bool {
	return !slices.ContainsFunc(d.Sections(), func(part Section) bool {
		if part.Heading.Start < s.Whole.Start || part.Heading.Start >= s.Whole.End {
			return false
		}
		body := Span{part.Body.Start, max(d.RuleBefore(part.Body.End), part.Body.Start)}
		var unfilled []Span
		for _, t := range d.Tables(body) {
			if len(t.Rows) == 0 {
				unfilled = append(unfilled, t.Span)
			}
		}
		return strings.TrimSpace(d.Text(body, unfilled...)) != ""
	})
}

// Filled returns the file without its empty sections.
func (d *Doc) Filled() []byte {
	var out []byte
	at := 0
	for _, s := range d.Sections() {
		if s.Heading.Start >= at && d.IsEmpty(s) {
			out = append(out, d.src[at:s.Heading.Start]...)
			at = d.EndOf(s)
		}
	}
	return append(out, d.src[at:]...)
}

// Line returns the number of the line at an offset, from 1.
func (d *Doc) Line(offset int) int {
	d.onceLines.Do(func() {
		d.starts = []int{0}
		for i, c := range d.src {
			if c == '\n' {
				d.starts = append(d.starts, i+1)
			}
		}
	})
	return sort.Search(len(d.starts), func(i int) bool { return d.starts[i] > offset })
}

// EOL returns the line break of the file's first line.
func (d *Doc) EOL() string {
	if i := bytes.IndexByte(d.src, '\n'); i > 0 && d.src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineStart returns the start of the line at an offset.
func lineStart(src []byte, offset int) int { return bytes.LastIndexByte(src[:offset], '\n') + 1 }

// lineEnd returns the offset after the line break of the line at an offset.
func lineEnd(src []byte, offset int) int {
	if offset < len(src) && src[offset] == '\n' {
		return offset + 1 // a fast path: many lines are empty
	}
	if i := bytes.IndexByte(src[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(src)
}

// trimBlank returns the start of the blank lines before the offset end. Without such lines it returns end.
func trimBlank(src []byte, start, end int) int {
	for end > start {
		line := lineStart(src, end-1)
		if line < start || !util.IsBlank(src[line:end]) {
			break
		}
		end = line
	}
	return end
}

// Package doc is a Markdown file with YAML frontmatter, as spans over its own
// bytes.
//
// A file is its bytes. [Parse] finds where things are and copies nothing; an
// edit replaces spans, parses its own result again and refuses unless
// exactly the edited spans changed ([Doc.Apply]). Nobody re-renders a file, so
// whatever ckpt does not understand survives: comments, odd spacing, unknown
// keys, CRLF, a byte order mark, a missing last newline.
//
// A scanner of our own reads the headings, lists and fences that nearly all files
// consist of, and goldmark every file that has anything else (see FuzzScan). Goldmark
// alone makes `ckpt list` with 2,000 checkpoints four times as slow. Likewise plain
// frontmatter is read by hand and everything else by yaml.v3, which alone would make it
// twice as slow.
package doc

import (
	"bytes"
	"sort"
	"sync"

	"example.com/ckpt/internal/fault"
)

// MaxSize is the largest file that is read, in bytes. A checkpoint is text for
// an agent to read; beyond this it is something else.
const MaxSize = 64 << 20

// Span is a half-open range of byte offsets.
type Span struct{ Start, End int }

// Len is the number of bytes in s.
func (s Span) Len() int { return s.End - s.Start }

// Contains says whether t lies wholly in s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Doc is a parsed file. It is immutable and safe for concurrent use.
type Doc struct {
	src   []byte
	Front Front

	onceBody sync.Once // on first use: some callers need only the frontmatter
	body     body

	onceLines sync.Once
	starts    []int // the offset of each line
}

// Parse finds the frontmatter of src, which must not be changed afterwards. A
// file without frontmatter is fine; broken frontmatter is an [fault.Invalid]
// error that names the line.
func Parse(src []byte) (*Doc, error) { return new(Reader).Parse(src) }

// Reader reads one file after the other into the same memory, for those who look
// through thousands: the Doc of one Parse is gone with the next. It is not safe
// for concurrent use.
type Reader struct{ doc Doc }

// Parse is [Parse].
func (r *Reader) Parse(src []byte) (*Doc, error) {
	last := &r.doc
	r.doc = Doc{src: src, Front: Front{Fields: last.Front.Fields[:0]}, body: last.body.emptied()}
	if len(src) > MaxSize {
		return nil, fault.New(fault.Invalid, "larger than %d MiB", MaxSize>>20)
	}
	if err := r.doc.Front.parse(src); err != nil {
		return nil, err
	}
	if err := checkDepth(src, r.doc.Front.Span.End); err != nil {
		return nil, err
	}
	return &r.doc, nil
}

func (d *Doc) lines() []int {
	d.onceLines.Do(func() { d.starts = lineStarts(d.src) })
	return d.starts
}

// parsed returns the headings and blocks of the file.
func (d *Doc) parsed() *body {
	d.onceBody.Do(func() { d.body = parseBody(d.src, d.Front.Span.End, d.body) })
	return &d.body
}

// Sections returns the headings of the file, with what follows each, in order.
func (d *Doc) Sections() []Section { return d.parsed().sections }

// Blocks returns the top-level blocks that lie wholly in s, in order.
func (d *Doc) Blocks(s Span) []Block {
	all := d.parsed().blocks
	i := sort.Search(len(all), func(i int) bool { return all[i].Span.Start >= s.Start })
	j := i
	for j < len(all) && all[j].Span.End <= s.End {
		j++
	}
	return all[i:j:j]
}

// Bytes is the whole file. The caller must not change it.
func (d *Doc) Bytes() []byte { return d.src }

// Slice is the bytes of a span, as text.
func (d *Doc) Slice(s Span) string { return string(d.src[s.Start:s.End]) }

// Body is everything below the frontmatter.
func (d *Doc) Body() Span { return Span{d.Front.Span.End, len(d.src)} }

// Preamble is what stands between the frontmatter and the first heading.
func (d *Doc) Preamble() Span {
	s := d.Body()
	if all := d.Sections(); len(all) > 0 {
		s.End = all[0].Heading.Start
	}
	return s
}

// Line is the number of the line that holds offset, from 1.
func (d *Doc) Line(offset int) int {
	return sort.Search(len(d.lines()), func(i int) bool { return d.lines()[i] > offset })
}

func lineStarts(src []byte) []int {
	lines := []int{0}
	for at := 0; ; {
		i := bytes.IndexByte(src[at:], '\n')
		if i < 0 {
			return lines
		}
		at += i + 1
		lines = append(lines, at)
	}
}

// EOL is the line ending that the file uses: that of its first line.
func (d *Doc) EOL() string {
	if i := bytes.IndexByte(d.src, '\n'); i > 0 && d.src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineStart is the offset at which the line that holds offset begins.
func lineStart(src []byte, offset int) int {
	return bytes.LastIndexByte(src[:offset], '\n') + 1
}

// lineEnd is the offset behind the line break that ends the line at offset.
func lineEnd(src []byte, offset int) int {
	if offset < len(src) && src[offset] == '\n' {
		return offset + 1 // many lines are empty
	}
	if i := bytes.IndexByte(src[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(src)
}

// lineBreak is the line break that ends text, if one does.
func lineBreak(text []byte) []byte {
	rest := bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	if len(text) == 0 || text[len(text)-1] != '\n' {
		rest = text
	}
	return text[len(rest):]
}

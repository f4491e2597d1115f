package doc

import (
	"bytes"

	"example.com/ckpt/internal/fault"
)

// maxFront is the size in bytes of the largest frontmatter that is read.
const maxFront = 256 << 10

// Front is the frontmatter: the lines between two `---` at the head of a file.
type Front struct {
	Span   Span    // the frontmatter with both fences; empty if the file has none
	Inner  Span    // the text between the fences
	Fields []Field // in the order of the file
	flow   bool    // the frontmatter is written as {a: b}, which cannot be edited
}

// Field is one top-level key.
type Field struct {
	Key   string
	Value string // the scalar's text; "" for null; the raw text of a list or a mapping
	Span  Span   // all its lines with the last line break
	Line  int    // the line number, from 1

	// value is the span that an edit replaces. For a missing value it is the empty span after the colon.
	// It is the zero Span if an edit has to replace the whole field.
	value Span
}

// Get returns the value of a key, and reports whether the file has the key.
func (f *Front) Get(key string) (string, bool) {
	if i := f.index(key); i >= 0 {
		return f.Fields[i].Value, true
	}
	return "", false
}

// Line returns the line of a key, or 1, the line of the opening fence, if the key is missing.
func (f *Front) Line(key string) int {
	if i := f.index(key); i >= 0 {
		return f.Fields[i].Line
	}
	return 1
}

func (f *Front) index(key string) int {
	for i := range f.Fields {
		if f.Fields[i].Key == key {
			return i
		}
	}
	return -1
}

var bom = []byte("\xef\xbb\xbf")

// FrontSpan returns the span of the frontmatter with its fences, and the span between them. It does not check that the
// text is YAML. It reports false if a file has no frontmatter or only its opening fence. A fence is a line with `---`
// and nothing else. YAML does not allow such a line inside a quoted value, so the first one ends the frontmatter.
func FrontSpan(src []byte) (all, inner Span, ok bool) {
	start := 0
	if bytes.HasPrefix(src, bom) {
		start = len(bom)
	}
	first := lineEnd(src, start)
	if !isFence(src[start:first]) {
		return Span{start, start}, Span{start, start}, false
	}
	for at := first; at < len(src); {
		end := lineEnd(src, at)
		if isFence(src[at:end]) {
			return Span{start, end}, Span{first, at}, true
		}
		at = end
	}
	return Span{start, start}, Span{start, start}, false
}

// parse parses the frontmatter of src into f.
func (f *Front) parse(src []byte) error {
	var ok bool
	f.Span, f.Inner, ok = FrontSpan(src)
	if !ok {
		first := src[f.Span.Start:lineEnd(src, f.Span.Start)]
		switch {
		case isFence(first):
			return fault.New(fault.Invalid, "line 1: frontmatter opens with --- and never closes")
		case bytes.HasPrefix(first, []byte("---\r")):
			return fault.New(fault.Invalid, "line 1: lines end in a carriage return alone")
		}
		return nil
	}
	if f.Inner.Len() > maxFront {
		return fault.New(fault.Invalid, "frontmatter larger than %d KiB", maxFront>>10)
	}
	return f.readFields(src)
}

func isFence(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) && len(bytes.Trim(line[3:], " \t\r\n")) == 0
}

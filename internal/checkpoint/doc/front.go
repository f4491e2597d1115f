package doc

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/fault"
)

// maxFront is the size in bytes of the largest frontmatter that is read.
const maxFront = 256 << 10

// Front is the frontmatter: the lines between two `---` at the head of a file.
type Front struct {
	Span   Span    // with both fences; empty if the file has no frontmatter
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
	value Span   // the text that an edit replaces; empty if an edit has to replace the whole field
	hole  int    // where a value can be inserted if it is missing; otherwise 0
}

// Get returns the value of a key, and reports whether the file has the key.
func (f *Front) Get(key string) (string, bool) {
	if i := f.index(key); i >= 0 {
		return f.Fields[i].Value, true
	}
	return "", false
}

// Line returns the line of a key, or that of the opening fence if the key is missing.
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

// FrontSpan returns the span of the frontmatter with its fences, and the span between them,
// whether or not that is YAML. It reports false if a file has no frontmatter or only its opening
// fence. A fence is a line with `---` and nothing else. YAML does not allow such a line inside a
// quoted value, so the first one ends the frontmatter.
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

// parse parses the frontmatter of src into f, in the memory of its fields.
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
	return bytes.HasPrefix(line, []byte("---")) && len(bytes.TrimSpace(line[3:])) == 0
}

func (f *Front) readFields(src []byte) error {
	if !f.readPlain(src) {
		f.Fields = nil
		if err := f.readYAML(src); err != nil {
			return err
		}
	}
	return f.checkDuplicates()
}

// checkDuplicates refuses a key that the frontmatter has twice.
func (f *Front) checkDuplicates() error {
	lines := make(map[string]int, len(f.Fields))
	for _, field := range f.Fields {
		if line, ok := lines[field.Key]; ok {
			return fault.New(fault.Invalid, "line %d: duplicate key %q (first on line %d)", field.Line, field.Key, line)
		}
		lines[field.Key] = field.Line
	}
	return nil
}

// readPlain parses frontmatter in which every line is blank, a comment, or `key: value` with a
// value that is plain or quoted without escapes. It reports false for anything else, and for
// anything that YAML could read differently. FuzzPlainFrontmatter compares it with yaml.v3, which
// takes ten times as long.
func (f *Front) readPlain(src []byte) bool {
	all := string(src[f.Inner.Start:f.Inner.End]) // all keys and values share one allocation
	line := 1
	for at := f.Inner.Start; at < f.Inner.End; {
		end := lineEnd(src, at)
		line++
		text := bytes.TrimSuffix(bytes.TrimSuffix(src[at:end], []byte("\n")), []byte("\r"))
		switch {
		case len(bytes.TrimRight(text, " ")) == 0 || text[0] == '#':
			if !plainText(text) {
				return false
			}
		default:
			key, value, found := bytes.Cut(text, []byte(":"))
			plain := bytes.TrimLeft(value, " ")
			from := at + len(text) - len(plain)
			plain = bytes.TrimRight(plain, " ")
			inner, quoted := unquoted(plain)
			spaced := len(value) == 0 || value[0] == ' '
			if !found || !spaced || !plainKey(key) {
				return false
			}
			if !quoted && !plainValue(plain) {
				return false
			}
			f.Fields = append(f.Fields, Field{
				Key: all[at-f.Inner.Start:][:len(key)], Value: all[from-f.Inner.Start+inner.Start:][:inner.Len()],
				Span: Span{at, end}, Line: line, value: Span{from, from + len(plain)},
			})
		}
		at = end
	}
	return true
}

// unquoted returns the span of the text in a quoted value that has no quote, escape or line break
// inside. Ckpt writes values with a colon or beyond ASCII in this form. It reports false for any
// other value.
func unquoted(value []byte) (text Span, ok bool) {
	all := Span{0, len(value)}
	if len(value) < 2 || strings.IndexByte(`"'`, value[0]) < 0 || value[len(value)-1] != value[0] {
		return all, false
	}
	for rest := value[1 : len(value)-1]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		special := r == rune(value[0]) || r == '\\' || r == utf8.RuneError
		if special || !literal(r) {
			return all, false
		}
		rest = rest[size:]
	}
	return Span{1, len(value) - 1}, true
}

// literal reports whether a character needs no escape within quotes: it is not a control
// character, a line break or a mark of an encoding.
func literal(r rune) bool {
	switch {
	case r < ' ', 0x7f <= r && r <= 0xa0, r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
		return false
	}
	return true
}

func plainKey(key []byte) bool {
	for i, c := range key {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		follows := i > 0 && (c == '-' || '0' <= c && c <= '9')
		if !letter && !follows {
			return false
		}
	}
	return len(key) > 0 && !isNull(string(key))
}

// isNull reports whether a word means null in YAML.
func isNull(word string) bool {
	switch word {
	case "null", "Null", "NULL", "~":
		return true
	}
	return false
}

// plainValue reports whether value is a scalar on one line that needs no quotes.
func plainValue(value []byte) bool {
	if len(value) == 0 || isNull(string(value)) {
		return false
	}
	c := value[0]
	letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	if !letter && strings.IndexByte("/._($", c) < 0 {
		return false
	}
	if value[len(value)-1] == ':' || bytes.HasPrefix(value, []byte("...")) {
		return false
	}
	if bytes.Contains(value, []byte(": ")) || bytes.Contains(value, []byte(" #")) {
		return false // value would be a key or a comment
	}
	return plainText(value)
}

// plainText reports whether text is printable ASCII. Text with tabs, control characters or other
// line breaks is left to yaml.v3.
func plainText(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

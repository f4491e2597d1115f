package doc

import (
	"bytes"
	"unicode/utf8"

	"example.com/ckpt/internal/fault"
)

// maxFront bounds the frontmatter, in bytes: it is a header, not a store.
const maxFront = 256 << 10

// Front is the frontmatter: the lines between two `---` at the head of a file.
type Front struct {
	Span   Span    // fences included; empty where the file has none
	Inner  Span    // between the fences
	Fields []Field // in the order of the file
	flow   bool    // written as {a: b}: read, and never edited
}

// Field is one top-level key.
type Field struct {
	Key   string
	Value string // the scalar's text; "" for null; the raw text of a list or a mapping
	Span  Span   // all its lines, the last line break included
	Line  int    // from 1
	value Span   // the text to replace; empty where an edit has to replace the whole field
	hole  int    // where a value that is missing goes; 0 where none is missing
}

// Get is the value of key, and whether the key is there.
func (f *Front) Get(key string) (string, bool) {
	if i := f.index(key); i >= 0 {
		return f.Fields[i].Value, true
	}
	return "", false
}

// Line is the line of key, or of the opening fence where the key is missing.
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

// parse reads the frontmatter of src into f, whose fields are memory to use. A
// fence is a line that holds `---` and nothing else: YAML allows no such line
// inside a quoted value, so the first one ends the block.
func (f *Front) parse(src []byte) error {
	start := 0
	if bytes.HasPrefix(src, bom) {
		start = len(bom)
	}
	f.Span, f.Inner = Span{start, start}, Span{start, start}
	inner := lineEnd(src, start)
	if bytes.HasPrefix(src[start:inner], []byte("---\r")) && !isFence(src[start:inner]) {
		return fault.New(fault.Invalid, "line 1: lines end in a carriage return alone")
	}
	if !isFence(src[start:inner]) {
		return nil
	}
	for at := inner; at < len(src); {
		end := lineEnd(src, at)
		if isFence(src[at:end]) {
			f.Span, f.Inner = Span{start, end}, Span{inner, at}
			if f.Inner.Len() > maxFront {
				return fault.New(fault.Invalid, "frontmatter larger than %d KiB", maxFront>>10)
			}
			return f.readFields(src)
		}
		at = end
	}
	return fault.New(fault.Invalid, "line 1: frontmatter opens with --- and never closes")
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
	return f.checkTwice()
}

// checkTwice refuses a key that stands twice.
func (f *Front) checkTwice() error {
	const few = 20 // a header of a dozen keys needs no map
	if len(f.Fields) <= few {
		for i, field := range f.Fields {
			if first := f.index(field.Key); first < i {
				return twice(field, f.Fields[first].Line)
			}
		}
		return nil
	}
	seen := make(map[string]int, len(f.Fields))
	for _, field := range f.Fields {
		if line, ok := seen[field.Key]; ok {
			return twice(field, line)
		}
		seen[field.Key] = field.Line
	}
	return nil
}

func twice(field Field, line int) error {
	return fault.New(fault.Invalid, "line %d: the key %q stands on line %d already", field.Line, field.Key, line)
}

// readPlain reads frontmatter in which every line is `key: value`, the value plain or
// in quotes that hide nothing, blank or a comment. Anything else, and anything that
// YAML could read differently, is left to yaml.v3 (see FuzzPlainFrontmatter): this is
// ten times as fast.
func (f *Front) readPlain(src []byte) bool {
	all := string(src[f.Inner.Start:f.Inner.End]) // keys and values are parts of it
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
			said, quoted := unquoted(plain)
			if !found || !plainKey(key) || !quoted && !plainValue(plain) || len(value) > 0 && value[0] != ' ' {
				return false
			}
			f.Fields = append(f.Fields, Field{
				Key: all[at-f.Inner.Start:][:len(key)], Value: all[from-f.Inner.Start+said.Start:][:said.Len()],
				Span: Span{at, end}, Line: line, value: Span{from, from + len(plain)},
			})
		}
		at = end
	}
	return true
}

// unquoted is where the text stands in a value that is one pair of quotes with nothing
// in it that means anything: no quote, no escape, no break. ckpt itself quotes a step
// with a colon, and whatever is not ASCII.
func unquoted(value []byte) (text Span, ok bool) {
	all := Span{0, len(value)}
	if len(value) < 2 || value[0] != '"' && value[0] != '\'' || value[len(value)-1] != value[0] {
		return all, false
	}
	for rest := value[1 : len(value)-1]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == rune(value[0]) || r == '\\' || !literal(r) || r == utf8.RuneError {
			return all, false
		}
		rest = rest[size:]
	}
	return Span{1, len(value) - 1}, true
}

// literal says whether quotes can hold a character as it is: no control, no break, no
// mark of an encoding.
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
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return len(key) > 0 && !isNull(string(key))
}

// isNull says whether YAML reads a word as nothing.
func isNull(word string) bool {
	switch word {
	case "null", "Null", "NULL", "~":
		return true
	}
	return false
}

// plainValue says whether value is a scalar of one line that needs no quotes.
func plainValue(value []byte) bool {
	if len(value) == 0 || isNull(string(value)) {
		return false
	}
	c := value[0]
	word := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '/' || c == '.' || c == '_' || c == '(' || c == '$'
	if !word || value[len(value)-1] == ':' || bytes.HasPrefix(value, []byte("...")) {
		return false
	}
	for i, c := range value[1:] { // no key of its own, and no comment
		if before := value[i]; c == ' ' && before == ':' || c == '#' && before == ' ' {
			return false
		}
	}
	return plainText(value)
}

// plainText says whether text is printable ASCII: what YAML does with the rest
// (tabs, controls, exotic line breaks) is YAML's to say.
func plainText(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

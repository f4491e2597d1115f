package value

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// MarshalJSON writes the members in their order.
func (o Object) MarshalJSON() ([]byte, error) { return JSON(o) }

// JSON returns a value on one line. It escapes characters that could control a terminal, and
// otherwise only what JSON requires.
func JSON(v any) ([]byte, error) {
	var out bytes.Buffer
	err := write(&out, v)
	return out.Bytes(), err
}

// Indented returns a value as indented JSON with a last line break.
func Indented(v any) ([]byte, error) {
	src, err := JSON(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = json.Indent(&out, src, "", "  ")
	out.WriteByte('\n')
	return out.Bytes(), err
}

func write(out *bytes.Buffer, v any) error {
	switch v := v.(type) {
	case Object:
		return between(out, '{', '}', len(v), func(i int) error {
			text(out, v[i].Key)
			out.WriteByte(':')
			return write(out, v[i].Value)
		})
	case []any:
		return between(out, '[', ']', len(v), func(i int) error { return write(out, v[i]) })
	case string:
		text(out, v)
		return nil
	}
	src, err := json.Marshal(v)
	out.Write(src)
	return err
}

func between(out *bytes.Buffer, open, shut byte, n int, each func(int) error) error {
	out.WriteByte(open)
	for i := range n {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := each(i); err != nil {
			return err
		}
	}
	out.WriteByte(shut)
	return nil
}

func text(out *bytes.Buffer, s string) {
	out.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\t':
			out.WriteString(`\t`)
		case r == '\r':
			out.WriteString(`\r`)
		case r < ' ' || 0x7f <= r && r < 0xa0 || r == 0x61c || r == 0x200e || r == 0x200f || 0x2028 <= r && r <= 0x202e ||
			0x2066 <= r && r <= 0x2069:
			fmt.Fprintf(out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
}

// Package value reads and writes JSON without loss: members keep their order, and numbers their
// notation.
package value

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/fault"
)

// maxDepth is the deepest nesting of a value that is read.
const maxDepth = 100

// Object is a JSON object: its members, in order. Other JSON values are []any, string, [json.Number], bool and nil.
type Object []Member

// Member is a key with its value.
type Member struct {
	Key   string
	Value any
}

// Get returns the value at a path of keys, and reports whether it exists.
func Get(v any, path ...string) (any, bool) {
	for _, key := range path {
		o, _ := v.(Object)
		i := slices.IndexFunc(o, func(m Member) bool { return m.Key == key })
		if i < 0 {
			return nil, false
		}
		v = o[i].Value
	}
	return v, true
}

// Set returns o with a value at a path of keys. On the path, it replaces a value that is not an
// object by an object.
func Set(o Object, v any, path ...string) Object {
	i := slices.IndexFunc(o, func(m Member) bool { return m.Key == path[0] })
	if i < 0 {
		i, o = len(o), append(slices.Clip(o), Member{Key: path[0]})
	} else {
		o = slices.Clone(o)
	}
	if len(path) > 1 {
		below, _ := o[i].Value.(Object)
		v = Set(below, v, path[1:]...)
	}
	o[i].Value = v
	return o
}

// Over returns o merged with top. If both have a key, two objects are merged; any other value is that of top.
func Over(o, top Object) Object {
	for _, m := range top {
		have, _ := Get(o, m.Key)
		below, ok := have.(Object)
		if above, both := m.Value.(Object); ok && both {
			m.Value = Over(below, above)
		}
		o = Set(o, m.Value, m.Key)
	}
	return o
}

// Equal reports whether two values are the same. The order of members does not matter; the notation
// of numbers does.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case Object:
		other, ok := b.(Object)
		if !ok || len(a) != len(other) {
			return false
		}
		for _, m := range a {
			if v, have := Get(other, m.Key); !have || !Equal(m.Value, v) {
				return false
			}
		}
		return true
	case []any:
		other, ok := b.([]any)
		return ok && slices.EqualFunc(a, other, Equal)
	}
	switch b.(type) {
	case Object, []any:
		return false
	}
	return a == b
}

// Parse parses JSON. An error names the line and the column.
func Parse(src []byte) (any, error) {
	if at := invalid(src); at >= 0 {
		return nil, wrong(src, at, "this is not UTF-8")
	}
	var checked json.RawMessage
	if err := json.Unmarshal(src, &checked); err != nil {
		if e, ok := err.(*json.SyntaxError); ok {
			return nil, wrong(src, int(e.Offset)-1, e.Error())
		}
		return nil, fault.New(fault.Invalid, "%w", err)
	}
	r := reader{src: src, in: json.NewDecoder(bytes.NewReader(src))}
	r.in.UseNumber()
	r.replaced = bytes.Contains(src, []byte("\uFFFD")) || bytes.Contains(bytes.ToLower(src), []byte(`\ufffd`))
	v, err := r.value(0)
	if err != nil && fault.KindOf(err) != fault.Invalid {
		err = fault.New(fault.Invalid, "%w", err)
	}
	return v, err
}

// invalid returns the offset of the first byte that is not valid UTF-8, or -1.
func invalid(src []byte) int {
	if utf8.Valid(src) {
		return -1
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
}

// wrong returns an error with the line and column of an offset.
func wrong(src []byte, at int, what string) error {
	at = max(0, min(at, len(src)))
	line := 1 + bytes.Count(src[:at], []byte("\n"))
	column := 1 + utf8.RuneCount(src[bytes.LastIndexByte(src[:at], '\n')+1:at])
	return fault.New(fault.Invalid, "line %d, column %d: %s", line, column, what)
}

// reader builds the value of a text that is valid JSON.
type reader struct {
	src      []byte
	in       *json.Decoder
	replaced bool // src has U+FFFD, so that one in a value does not mean half a surrogate pair
}

func (r *reader) value(depth int) (any, error) {
	t, err := r.in.Token()
	if err != nil {
		return nil, err
	}
	at := int(r.in.InputOffset()) - 1
	if depth > maxDepth {
		return nil, wrong(r.src, at, fmt.Sprintf("nested deeper than %d", maxDepth))
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '[' {
			list := []any{}
			for r.in.More() {
				v, err := r.value(depth + 1)
				if err != nil {
					return nil, err
				}
				list = append(list, v)
			}
			_, err := r.in.Token()
			return list, err
		}
		return r.object(depth)
	case string:
		return r.text(t)
	}
	return t, nil
}

func (r *reader) object(depth int) (any, error) {
	o := Object{}
	known := map[string]bool{}
	for r.in.More() {
		t, err := r.in.Token()
		if err != nil {
			return nil, err
		}
		key, err := r.text(t.(string))
		if err != nil {
			return nil, err
		}
		if known[key] {
			return nil, wrong(r.src, int(r.in.InputOffset())-1, "the key \""+key+"\" stands here a second time")
		}
		known[key] = true
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		o = append(o, Member{key, v})
	}
	_, err := r.in.Token()
	return o, err
}

// text returns s. It refuses half a surrogate pair, which encodes no character and would be lost.
func (r *reader) text(s string) (string, error) {
	if !r.replaced && strings.ContainsRune(s, utf8.RuneError) {
		return "", wrong(r.src, int(r.in.InputOffset())-1, "this text holds half a surrogate pair")
	}
	return s, nil
}

// Without returns o without a member.
func Without(o Object, key string) Object {
	return slices.DeleteFunc(slices.Clone(o), func(m Member) bool { return m.Key == key })
}

package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"example.com/ckpt/internal/fault"
)

// node is a JSON value with its place in the text: an edit replaces bytes, and nothing
// encodes a file again.
type node struct {
	kind       byte // '{', '[', '"', or the first byte of a number or a literal
	start, end int
	key        string // the name of a member of an object
	keyStart   int
	children   []*node
}

// from returns the offset at which the entry begins, with its key.
func (n *node) from() int {
	if n.keyStart > 0 {
		return n.keyStart
	}
	return n.start
}

// last returns the last entry of an object or a list that is not empty.
func (n *node) last() *node { return n.children[len(n.children)-1] }

// member returns the member with a name, or nil.
func (n *node) member(name string) *node {
	if n == nil || n.kind != '{' {
		return nil
	}
	for _, c := range n.children {
		if c.key == name {
			return c
		}
	}
	return nil
}

// text returns the value of a string, and the empty string for any other kind.
func (n *node) text(src []byte) string {
	var s string
	if n == nil || n.kind != '"' || json.Unmarshal(src[n.start:n.end], &s) != nil {
		return ""
	}
	return s
}

var bom = []byte("\xef\xbb\xbf")

// isBlank reports whether a file is missing, or has no content.
func isBlank(src []byte) bool {
	return len(bytes.Trim(bytes.TrimPrefix(src, bom), " \t\r\n")) == 0
}

// parse parses JSON, and JSON with comments and commas after the last entry if lenient is true. It
// also returns the text with spaces in their place, which has the same offsets.
func parse(src []byte, lenient bool) (*node, []byte, error) {
	skip := len(src) - len(bytes.TrimPrefix(src, bom))
	text := src
	err := check(src, skip)
	if err != nil && lenient {
		plain, lenientErr := hujson.Standardize(bytes.Clone(src[skip:]))
		if lenientErr == nil {
			text = slices.Concat(src[:skip], plain)
			err = check(text, skip)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	r := reader{src: text, at: skip}
	return r.value(), text, nil
}

// check returns an error if the text after the first skip bytes is not JSON.
func check(src []byte, skip int) error {
	var checked json.RawMessage
	err := json.Unmarshal(src[skip:], &checked)
	if err == nil {
		return nil
	}
	wrong, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return fault.New(fault.Invalid, "invalid JSON: %w", err)
	}
	at := skip + max(int(wrong.Offset)-1, 0)
	if at < len(src) && src[at] == '/' {
		return invalid(src, at, "a comment is not valid JSON")
	}
	return invalid(src, at, "%w", err)
}

// reader makes nodes from a text that is valid JSON.
type reader struct {
	src []byte
	at  int
}

func (r *reader) value() *node {
	r.space()
	n := &node{kind: r.src[r.at], start: r.at}
	switch n.kind {
	case '{', '[':
		r.at++
		for r.space(); r.src[r.at] != '}' && r.src[r.at] != ']'; r.space() {
			switch {
			case r.src[r.at] == ',':
				r.at++
			case n.kind == '[':
				n.children = append(n.children, r.value())
			default:
				key := r.value()
				r.space()
				r.at++ // skip the colon
				c := r.value()
				c.key, c.keyStart = key.text(r.src), key.start
				n.children = append(n.children, c)
			}
		}
		r.at++
	case '"':
		for r.at++; r.src[r.at] != '"'; r.at++ {
			if r.src[r.at] == '\\' {
				r.at++
			}
		}
		r.at++
	default:
		for r.at < len(r.src) && !strings.ContainsRune(" \t\r\n,]}", rune(r.src[r.at])) {
			r.at++
		}
	}
	n.end = r.at
	return n
}

func (r *reader) space() {
	for r.at < len(r.src) && strings.IndexByte(" \t\r\n", r.src[r.at]) >= 0 {
		r.at++
	}
}

// skipComments returns the offset of the first byte from an offset on that is neither space nor part
// of a comment.
func skipComments(src []byte, at int) int {
	for {
		switch {
		case strings.IndexByte(" \t\r\n", src[at]) >= 0:
			at++
		case bytes.HasPrefix(src[at:], []byte("//")):
			at += bytes.IndexByte(src[at:], '\n')
		case bytes.HasPrefix(src[at:], []byte("/*")):
			at += bytes.Index(src[at:], []byte("*/")) + 2
		default:
			return at
		}
	}
}

// Broken is the error for a file that its agent cannot read either. A caller who knows
// the file's name puts it before the line.
type Broken struct {
	Line int
	Err  error
}

func (b *Broken) Error() string { return b.Err.Error() }
func (b *Broken) Unwrap() error { return b.Err }

func invalid(src []byte, at int, format string, args ...any) error {
	return &Broken{1 + bytes.Count(src[:min(at, len(src))], []byte("\n")), fault.New(fault.Invalid, format, args...)}
}

// edit replaces the bytes between two offsets.
type edit struct {
	from, to int
	text     string
}

// splice returns a text with edits applied; they must not overlap.
func splice(src []byte, edits ...edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	out, at := make([]byte, 0, len(src)+1024), 0
	for _, e := range edits {
		out = append(append(out, src[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, src[at:]...)
}

// Value returns the JSON of the value at the path keys, and the empty string if the text does not
// have it.
func Value(src []byte, keys ...string) string {
	if isBlank(src) {
		return ""
	}
	n, _, err := parse(src, true)
	if err != nil {
		return ""
	}
	for _, key := range keys {
		n = n.member(key)
	}
	if n == nil {
		return ""
	}
	return string(src[n.start:n.end])
}

// HasPlugin reports whether the settings of Claude Code switch on a plugin of ckpt, which
// brings the same hooks.
func HasPlugin(src []byte) bool {
	root, _, err := parse(src, false)
	if err != nil {
		return false
	}
	plugins := root.member("enabledPlugins")
	return plugins != nil && slices.ContainsFunc(plugins.children, func(c *node) bool {
		return strings.HasPrefix(c.key, "ckpt@") && c.kind == 't'
	})
}

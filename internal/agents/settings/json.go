package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/fault"
)

// node is a JSON value with its place in the text: an edit replaces spans, nobody
// renders a file again.
type node struct {
	kind       byte // '{', '[', '"', or the first byte of a number or a literal
	start, end int
	key        string // in an object: the name of this member
	keyStart   int
	children   []*node
}

// from is where the entry begins, its key included.
func (n *node) from() int {
	if n.keyStart > 0 {
		return n.keyStart
	}
	return n.start
}

// member is the member of an object that has a name; nil where there is none.
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

// text is the string that the node is, "" for anything else.
func (n *node) text(src []byte) string {
	var s string
	if n == nil || n.kind != '"' || json.Unmarshal(src[n.start:n.end], &s) != nil {
		return ""
	}
	return s
}

var bom = []byte("\xef\xbb\xbf")

// parse reads JSON as strictly as agents do.
func parse(src []byte) (*node, error) {
	skip := len(src) - len(bytes.TrimPrefix(src, bom))
	var checked json.RawMessage
	if err := json.Unmarshal(src[skip:], &checked); err != nil {
		wrong, ok := errors.AsType[*json.SyntaxError](err)
		if !ok {
			return nil, fault.New(fault.Invalid, "it is no JSON: %w", err)
		}
		at := skip + max(int(wrong.Offset)-1, 0)
		if at < len(src) && src[at] == '/' {
			return nil, invalid(src, at, "a comment stands here, which is no JSON, and an edit could tear it from its place")
		}
		return nil, invalid(src, at, "%w", err)
	}
	r := reader{src: src, at: skip}
	return r.value(), nil
}

// reader walks over text that is known to be JSON.
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
			if r.src[r.at] == ',' {
				r.at++
				continue
			}
			n.children = append(n.children, r.entry(n.kind))
		}
		r.at++
	case '"':
		r.quoted()
	default:
		for r.at < len(r.src) && !strings.ContainsRune(" \t\r\n,]}", rune(r.src[r.at])) {
			r.at++
		}
	}
	n.end = r.at
	return n
}

// entry is a value, behind its key where it stands in an object.
func (r *reader) entry(in byte) *node {
	if in == '[' {
		return r.value()
	}
	start := r.at
	r.quoted()
	name := (&node{kind: '"', start: start, end: r.at}).text(r.src)
	r.space()
	r.at++ // the colon
	n := r.value()
	n.key, n.keyStart = name, start
	return n
}

func (r *reader) quoted() {
	for r.at++; r.src[r.at] != '"'; r.at++ {
		if r.src[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
}

func (r *reader) space() {
	for r.at < len(r.src) && strings.IndexByte(" \t\r\n", r.src[r.at]) >= 0 {
		r.at++
	}
}

// unique refuses an object in which a key stands twice: agents take one of the two,
// and not all the same.
func unique(src []byte, object *node) error {
	seen := map[string]bool{}
	for _, c := range object.children {
		if seen[c.key] {
			return invalid(src, c.keyStart, "the key %q stands here a second time", c.key)
		}
		seen[c.key] = true
	}
	return nil
}

// Broken is a file that is not what its agent can read. Whoever knows the file's name
// puts it before the line.
type Broken struct {
	Line int
	Err  error
}

func (b *Broken) Error() string { return b.Err.Error() }
func (b *Broken) Unwrap() error { return b.Err }

func invalid(src []byte, at int, format string, args ...any) error {
	return &Broken{1 + bytes.Count(src[:min(at, len(src))], []byte("\n")), fault.New(fault.Invalid, format, args...)}
}

// splice is one edit: the text between two offsets is to become another one.
type splice struct {
	from, to int
	text     string
}

// apply does all edits, which are in order and do not overlap.
func apply(src []byte, edits []splice) []byte {
	out, at := make([]byte, 0, len(src)+1024), 0
	for _, e := range edits {
		out = append(append(out, src[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, src[at:]...)
}

// Value is the text of a value in settings, by the keys that lead to it; "" where
// there is none.
func Value(src []byte, keys ...string) string {
	if blank(src) {
		return ""
	}
	n, err := parse(src)
	if err != nil {
		return ""
	}
	for _, key := range keys {
		if n = n.member(key); n == nil {
			return ""
		}
	}
	return string(src[n.start:n.end])
}

// Plugin says whether the settings of Claude Code switch a plugin of ckpt's on, which
// brings the same hooks.
func Plugin(src []byte) bool {
	n, err := parse(src)
	if err != nil {
		return false
	}
	plugins := n.member("enabledPlugins")
	return plugins != nil && slices.ContainsFunc(plugins.children, func(c *node) bool {
		return strings.HasPrefix(c.key, "ckpt@") && c.kind == 't'
	})
}

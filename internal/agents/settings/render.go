package settings

import (
	"bytes"
	"fmt"
	"strings"
)

// layout is how new text is to look, so that it looks like what is around it.
type layout struct {
	newline string // between entries; "" puts all on one line
	unit    string // one step of indent
	colon   string // ":" or ": "
}

// layoutOf is the layout of a file.
func layoutOf(src []byte, root *node) layout {
	l := layout{newline: newline(src), unit: "  ", colon: ": "}
	if root == nil || len(root.children) == 0 {
		return l
	}
	first := root.children[0]
	between := string(src[root.start+1 : first.from()])
	if indent := between[strings.LastIndexByte(between, '\n')+1:]; indent != "" && strings.Contains(between, "\n") {
		l.unit = indent
	}
	if !strings.Contains(between, "\n") {
		l.newline = ""
	}
	name := string(src[first.keyStart:first.start])
	if strings.HasSuffix(name, ":") {
		l.colon = ":"
	}
	return l
}

// newline is how the lines of a text end.
func newline(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// item writes one entry at a margin.
type item func(l layout, margin string) string

// member is an item with its key.
func member(key string, value item) item {
	return func(l layout, margin string) string { return literal(key) + l.colon + value(l, margin) }
}

// scalar is a text or a number.
func scalar(value any) item {
	return func(layout, string) string { return literal(value) }
}

func literal(value any) string {
	if s, ok := value.(string); ok {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	return fmt.Sprint(value)
}

// list and object hold items.
func list(items ...item) item { return bracketed("[", "]", items) }

func object(items ...item) item { return bracketed("{", "}", items) }

func bracketed(open, shut string, items []item) item {
	return func(l layout, margin string) string {
		if l.newline == "" {
			return open + l.items(items, "", strings.TrimPrefix(l.colon, ":")) + shut
		}
		inner := l.newline + margin + l.unit
		return open + inner + l.items(items, margin+l.unit, inner) + l.newline + margin + shut
	}
}

// items are entries with commas, and what stands behind each comma, between them.
func (l layout) items(items []item, margin, between string) string {
	texts := make([]string, len(items))
	for i, it := range items {
		texts[i] = it(l, margin)
	}
	return strings.Join(texts, ","+between)
}

// hook is the entry of one hook in the list of its event.
func (a Agent) hook(h handler) item {
	var keys []item
	for _, f := range a.fields(h) {
		keys = append(keys, member(f[0].(string), scalar(f[1])))
	}
	if a.form.grouped {
		group := []item{member("hooks", list(object(keys...)))}
		if h.matcher != "" {
			group = append([]item{member("matcher", scalar(h.matcher))}, group...)
		}
		return object(group...)
	}
	return object(keys...)
}

// event is the member of "hooks" for one event.
func (a Agent) event(h handler) item { return member(h.native, list(a.hook(h))) }

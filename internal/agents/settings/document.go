package settings

import (
	"bytes"
	"fmt"
	"strings"
)

// document is a JSON file that is edited as text. New entries get the layout of those
// around them, and what else is in the file stays as it is, comments included.
//
// An object or a list that is empty without the entries of ckpt is removed with them, unless it was
// there before. The text shows whether it was: if ckpt adds to an empty object or list, it leaves a
// space before the closing bracket. If ckpt adds to a blank file, it indents by two spaces; in a
// file with an empty object, by four.
type document struct {
	src   []byte
	plain []byte // src with spaces in place of comments and of commas after the last entry
	root  *node  // nil if the file is blank
}

// open parses a file, and refuses settings that are not an object. With lenient the file may have
// comments.
func open(src []byte, lenient bool) (document, error) {
	d := document{src: src, plain: src}
	if isBlank(src) {
		return d, nil
	}
	root, plain, err := parse(src, lenient)
	if err != nil {
		return d, err
	}
	d.root, d.plain = root, plain
	_, err = d.find('{')
	return d, err
}

// find returns the value at the path keys, and nil if the file does not have it. It refuses a value
// of another kind. On the way it refuses anything but objects without duplicate keys: agents
// disagree which of two equal keys counts.
func (d document) find(kind byte, keys ...string) (*node, error) {
	at := d.root
	for i := 0; at != nil; i++ {
		want := byte('{')
		if i == len(keys) {
			want = kind
		}
		if at.kind != want {
			name := "the file"
			if i > 0 {
				name = quote(strings.Join(keys[:i], "."))
			}
			return nil, invalid(d.src, at.from(), "%s is %s, not %s", name, kindName(at.kind), kindName(want))
		}
		seen := map[string]bool{}
		for _, c := range at.children {
			if want == '{' && seen[c.key] {
				return nil, invalid(d.src, c.keyStart, "duplicate key %q", c.key)
			}
			seen[c.key] = true
		}
		if i == len(keys) {
			return at, nil
		}
		at = at.member(keys[i])
	}
	return nil, nil
}

func kindName(kind byte) string {
	switch kind {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	}
	return "a number"
}

// Values to add: an object lists its members in order; any other value is encoded as it is.
type (
	object []member
	member struct {
		key   string
		value any
	}
	list []any
)

// layout describes how added text is formatted.
type layout struct {
	newline string // between entries; empty puts all on one line
	unit    string // one step of indent
	colon   string // ":" or ": "
}

// layout returns the layout of the file.
func (d document) layout() layout {
	l := layout{newline: newline(d.src), unit: "  ", colon: ": "}
	if d.root == nil || len(d.root.children) == 0 {
		return l
	}
	first := d.root.children[0]
	_, indent, spread := strings.Cut(string(d.plain[d.root.start+1:first.from()]), "\n")
	indent = indent[strings.LastIndexByte(indent, '\n')+1:]
	switch {
	case !spread:
		l.newline = ""
	case indent != "":
		l.unit = indent
	}
	if d.src[first.start-1] == ':' {
		l.colon = ":"
	}
	return l
}

// newline returns the line end of a text.
func newline(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// encode returns the JSON of a value at a margin.
func (l layout) encode(value any, margin string) string {
	switch v := value.(type) {
	case object:
		items := list{}
		for _, m := range v {
			items = append(items, m)
		}
		return l.brackets("{", "}", items, margin)
	case list:
		return l.brackets("[", "]", v, margin)
	case member:
		return quote(v.key) + l.colon + l.encode(v.value, margin)
	case string:
		return quote(v)
	}
	return fmt.Sprint(value)
}

func (l layout) brackets(begin, end string, items list, margin string) string {
	switch {
	case len(items) == 0:
		return begin + end
	case l.newline == "":
		return begin + l.join(items, "", l.space()) + end
	}
	inner := l.newline + margin + l.unit
	return begin + inner + l.join(items, margin+l.unit, inner) + l.newline + margin + end
}

// join returns items with commas, and with between after each comma.
func (l layout) join(items list, margin, between string) string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = l.encode(item, margin)
	}
	return strings.Join(texts, ","+between)
}

// space returns what separates entries on one line.
func (l layout) space() string { return strings.TrimPrefix(l.colon, ":") }

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// append returns the edits that put items at the end of the object or list at the path keys, which
// it creates if necessary.
func (d document) append(items list, keys ...string) []edit {
	at := d.root
	for i, key := range keys {
		next := at.member(key)
		if next == nil {
			var value any = items
			if _, ok := items[0].(member); ok {
				value = membersOf(items)
			}
			for k := len(keys) - 1; k > i; k-- {
				value = object{{keys[k], value}}
			}
			items = list{member{key, value}}
			break
		}
		at = next
	}
	l := d.layout()
	switch {
	case at == nil:
		text := l.encode(membersOf(items), "")
		if d.src == nil {
			text += "\n"
		}
		return []edit{{len(d.src), len(d.src), text}}
	case len(at.children) > 0:
		return d.appendAfter(at, items, l)
	case at == d.root:
		l.unit = "    "
		inner := l.newline + l.unit
		return []edit{{at.start + 1, at.start + 1, inner + l.join(items, l.unit, inner) + l.newline}}
	case l.newline == "":
		return []edit{{at.start + 1, at.start + 1, l.join(items, "", l.space()) + " "}}
	default:
		margin := d.marginAt(at.start) + l.unit
		inner := l.newline + margin
		return []edit{{at.start + 1, at.start + 1, inner + l.join(items, margin, inner) + " "}}
	}
}

// appendAfter returns the edits that put items after the last entry of an object or a list. A comment
// after that entry stays beside it.
func (d document) appendAfter(at *node, items list, l layout) []edit {
	last, start := at.last(), at.start+1
	if n := len(at.children); n > 1 {
		start = at.children[n-2].end
	}
	between := string(d.plain[start:last.from()])
	between = between[strings.IndexByte(between, ',')+1:]
	_, margin, spread := strings.Cut(between, "\n")
	margin = margin[strings.LastIndexByte(margin, '\n')+1:]
	if !spread {
		l.newline = ""
		if len(at.children) == 1 { // the first entry has no comma whose space could be copied
			between = l.space()
		}
	}
	end := last.end + len(bytes.TrimRight(d.src[last.end:at.end-1], " \t\r\n"))
	if end == last.end {
		return []edit{{end, end, "," + between + l.join(items, margin, between)}}
	}
	// A comment or a comma follows. The new line keeps the items out of a comment.
	margin = d.marginAt(last.from())
	l.newline = newline(d.src)
	between = l.newline + margin
	text := between + l.join(items, margin, between)
	if d.endsInComma(at) {
		return []edit{{end, end, text + ","}}
	}
	return []edit{{last.end, last.end, ","}, {end, end, text}}
}

// endsInComma reports whether a comma follows the last entry of an object or a list.
func (d document) endsInComma(at *node) bool {
	return d.src[skipComments(d.src, at.last().end)] == ','
}

func membersOf(items list) object {
	var all object
	for _, item := range items {
		all = append(all, item.(member))
	}
	return all
}

// marginAt returns the indent of the line that an offset is in.
func (d document) marginAt(at int) string {
	line := d.src[bytes.LastIndexByte(d.src[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// without returns the file without the given entries, and without the objects and lists that ckpt
// created for them. Beside is a member that ckpt adds and removes together with the one before it.
func (d document) without(gone map[*node]bool, beside member) []byte {
	c := cut{src: d.src, plain: d.plain, gone: gone, beside: beside}
	c.sweep(d.root, true)
	if c.isEmpty(d.root) {
		return c.root(d.root)
	}
	c.take(d.root)
	return splice(d.src, c.edits...)
}

// cut removes entries from a text.
type cut struct {
	src    []byte
	plain  []byte
	gone   map[*node]bool
	beside member
	edits  []edit
}

// isEmpty reports whether all entries of an object or a list are removed.
func (c *cut) isEmpty(in *node) bool {
	for _, child := range in.children {
		if !c.gone[child] {
			return false
		}
	}
	return len(in.children) > 0
}

// sweep marks the objects and lists that ckpt created for the removed entries, and the members
// created beside them.
func (c *cut) sweep(n *node, isRoot bool) {
	for _, child := range n.children {
		if !c.gone[child] {
			c.sweep(child, false)
		}
	}
	if len(n.children) == 2 && c.gone[n.children[0]] {
		next := n.children[1]
		text := strings.Join(strings.Fields(string(c.src[next.start:next.end])), "")
		if next.key != "" && next.key == c.beside.key && text == (layout{}).encode(c.beside.value, "") {
			c.gone[next] = true
		}
	}
	if !isRoot && c.isEmpty(n) && c.src[n.last().end] != ' ' {
		c.gone[n] = true
	}
}

// take cuts the removed entries out of an object or a list that stays.
func (c *cut) take(in *node) {
	if c.isEmpty(in) { // the empty object or list was there before
		c.edits = append(c.edits, edit{from: in.start + 1, to: in.last().end + 1})
		return
	}
	for i := 0; i < len(in.children); i++ {
		if !c.gone[in.children[i]] {
			c.take(in.children[i])
			continue
		}
		first := i
		for i+1 < len(in.children) && c.gone[in.children[i+1]] {
			i++
		}
		c.takeRun(in, first, i)
	}
}

// takeRun cuts the entries first to last of an object or a list, and one comma. Comments beside them
// stay.
func (c *cut) takeRun(in *node, first, last int) {
	from, to := in.children[first].from(), in.children[last].end
	before, after := in.start+1, in.end-1
	if first > 0 {
		before = in.children[first-1].end
	}
	if last+1 < len(in.children) {
		after = in.children[last+1].from()
	}
	switch {
	case !bytes.Equal(c.src[before:after], c.plain[before:after]):
		begin := before + len(bytes.TrimRight(c.src[before:from], " \t\r\n"))
		c.edits = append(c.edits, edit{from: begin, to: to})
		comma := skipComments(c.src, to)
		switch {
		case c.src[comma] == ',':
			c.edits = append(c.edits, edit{from: comma, to: comma + 1})
		case first > 0:
			comma = skipComments(c.src, before)
			space := before + len(bytes.TrimRight(c.src[before:comma], " "))
			c.edits = append(c.edits, edit{from: space, to: comma + 1})
		}
	case first > 0:
		c.edits = append(c.edits, edit{from: before, to: to})
	default:
		c.edits = append(c.edits, edit{from: from, to: after})
	}
}

// root returns the text without the content of its outermost object. It returns nil if ckpt made
// the file, the old text if the file was blank, and otherwise an empty object.
func (c *cut) root(root *node) []byte {
	before, after := c.src[:root.start], c.src[root.end:]
	inside := string(c.src[root.start+1 : root.children[0].from()])
	comments := ""
	if strings.TrimSpace(inside) != "" {
		comments = inside
	}
	if inside == "\n  " || inside == "\r\n  " {
		switch {
		case len(after) == 0:
			return bytes.Clone(before)
		case len(before) == 0 && string(after) == "\n":
			return nil
		}
	}
	rest := string(c.src[root.last().end : root.end-1])
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "\r"), "\n")
	return []byte(string(before) + "{" + comments + rest + "}" + string(after))
}

package settings

import (
	"bytes"
	"slices"
	"strings"
)

// Drop implements [Piece]. A list or an object that is empty without our hooks goes,
// too, unless it was there before: Add left a space as its last character. A file
// that Add began goes as a whole. One that cannot be read is refused only where it names
// a hook of ours.
func (s settings) Drop(src []byte) ([]byte, error) {
	if blank(src) {
		return src, nil
	}
	root, err := s.read(src)
	if err != nil && !bytes.Contains(src, []byte(strings.TrimSpace(s.agent.Mark()))) {
		return src, nil
	}
	if err != nil {
		return nil, err
	}
	all := s.agent.ours(src, root)
	if len(all) == 0 {
		return src, nil
	}
	return s.without(src, root, all), nil
}

// without is the file with some of our hooks taken out.
func (s settings) without(src []byte, root *node, those []found) []byte {
	c := cut{src: src, gone: map[*node]bool{}}
	for _, f := range those {
		c.gone[f.entry] = true
	}
	hooks := root.member("hooks")
	for _, event := range hooks.children {
		if event.kind != '[' {
			continue
		}
		for _, group := range event.children {
			if list := group.member("hooks"); list != nil && c.all(list) {
				c.gone[group] = true
			}
		}
		c.emptied(event)
	}
	c.emptied(hooks)
	if c.gone[hooks] && s.agent.form.version && len(root.children) == 2 && root.children[0] == hooks && root.children[1].key == "version" {
		c.gone[root.children[1]] = true
	}
	return c.result(root)
}

// cut takes entries out of a text.
type cut struct {
	src   []byte
	gone  map[*node]bool
	edits []splice
}

// result returns the text without what goes.
func (c *cut) result(root *node) []byte {
	if c.all(root) {
		return c.root(root)
	}
	c.take(root)
	slices.SortFunc(c.edits, func(a, b splice) int { return a.from - b.from })
	return apply(c.src, c.edits)
}

// all says whether nothing of a list or an object stays.
func (c *cut) all(in *node) bool {
	for _, child := range in.children {
		if !c.gone[child] {
			return false
		}
	}
	return len(in.children) > 0
}

// emptied lets a list or an object go where nothing of it stays, and only its content
// where it was there before.
func (c *cut) emptied(in *node) {
	if c.all(in) && c.src[in.children[len(in.children)-1].end] != ' ' {
		c.gone[in] = true
	}
}

// take cuts what goes out of what stays, from the top.
func (c *cut) take(in *node) {
	if in == nil || in.kind != '{' && in.kind != '[' {
		return
	}
	if c.all(in) { // it was there, and empty
		c.edits = append(c.edits, splice{from: in.start + 1, to: in.children[len(in.children)-1].end + 1})
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
		if first > 0 {
			c.edits = append(c.edits, splice{from: in.children[first-1].end, to: in.children[i].end})
		} else {
			c.edits = append(c.edits, splice{from: in.children[0].from(), to: in.children[i+1].from()})
		}
	}
}

// root is the text without anything in its object: no file where Add made it, what
// little was in the file where it filled it, else an empty object.
func (c *cut) root(root *node) []byte {
	before, after := c.src[:root.start], c.src[root.end:]
	inside := string(c.src[root.start+1 : root.children[0].from()])
	if inside == "\n  " || inside == "\r\n  " {
		switch {
		case len(after) == 0:
			return bytes.Clone(before)
		case len(before) == 0 && string(after) == "\n":
			return nil
		}
	}
	rest := string(c.src[root.children[len(root.children)-1].end : root.end-1])
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "\r"), "\n")
	return []byte(string(before) + "{" + rest + "}" + string(after))
}

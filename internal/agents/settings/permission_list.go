package settings

import (
	"bytes"
	"slices"
	"strings"
)

// allowList is entries in the list permissions.allow of a settings file in JSON.
type allowList struct {
	place
	ours   []string // every entry that setup may have written, in its order
	wanted int      // how many of them are wanted, from the front
	denies bool     // an object "permissions" of ours has an empty list "deny", too
}

// The keys of the objects and lists in the settings.
const (
	permissionsKey = "permissions"
	allowKey       = "allow"
	denyKey        = "deny"
	askKey         = "ask"
)

// allowed are the parts of a file that an allowList edits; nil where the file lacks them.
type allowed struct {
	root, permissions, list *node
	entries                 []*node // those of ours, in the file's order
}

// read parses the file and refuses what an edit could not be sure of.
func (l allowList) read(src []byte) (a allowed, err error) {
	if a.root, err = parse(src); err != nil {
		return a, err
	}
	if a.root.kind != '{' {
		return a, invalid(src, a.root.start, "the settings are %s and no object", kindName(a.root))
	}
	if err := unique(src, a.root); err != nil {
		return a, err
	}
	if a.permissions = a.root.member(permissionsKey); a.permissions == nil {
		return a, nil
	}
	if a.permissions.kind != '{' {
		return a, invalid(src, a.permissions.keyStart, "%q is %s and no object", permissionsKey, kindName(a.permissions))
	}
	if err := unique(src, a.permissions); err != nil {
		return a, err
	}
	if a.list = a.permissions.member(allowKey); a.list == nil {
		return a, nil
	}
	if a.list.kind != '[' {
		return a, invalid(src, a.list.keyStart, "%q is %s and no list", permissionsKey+"."+allowKey, kindName(a.list))
	}
	for _, entry := range a.list.children {
		if slices.Contains(l.ours, entry.text(src)) {
			a.entries = append(a.entries, entry)
		}
	}
	return a, nil
}

// missing returns the wanted entries that a list lacks.
func (l allowList) missing(src []byte, a allowed) []string {
	return slices.DeleteFunc(slices.Clone(l.ours[:l.wanted]), func(want string) bool {
		return slices.ContainsFunc(a.entries, func(n *node) bool { return n.text(src) == want })
	})
}

// written returns the entries that setup wrote: those after the last space before a
// comma, which Add puts there, else all. If they are few, the user wrote them.
func (l allowList) written(src []byte, a allowed) []*node {
	if a.list == nil {
		return nil
	}
	many := len(granted) / 2
	for first := len(a.entries) - many - 1; first > 0; first-- {
		i := slices.Index(a.list.children, a.entries[first])
		if src[a.list.children[i-1].end] == ' ' {
			return a.entries[first:]
		}
	}
	if len(a.entries) > many {
		return a.entries
	}
	return nil
}

// State implements [Piece].
func (l allowList) State(src []byte) (State, string, error) {
	if blank(src) {
		return Absent, "", nil
	}
	a, err := l.read(src)
	if err != nil {
		return Absent, "", err
	}
	missing := l.missing(src, a)
	switch {
	case len(missing) == 0:
		return Present, "", nil
	case len(l.written(src, a)) == 0:
		return Absent, "", nil
	}
	return Stale, "missing: " + strings.Join(missing, ", "), nil
}

// Add implements [Piece]: what is missing comes last in the list.
func (l allowList) Add(src []byte) ([]byte, error) {
	state, _, err := l.State(src)
	if err != nil || state == Present {
		return src, err
	}
	if blank(src) {
		return verified(l, src, begun(src, l.object(l.ours[:l.wanted])), state)
	}
	a, err := l.read(src)
	if err != nil {
		return nil, err
	}
	return verified(l, src, apply(src, []splice{l.addition(src, a, state)}), state)
}

// addition puts the missing entries where they belong. A space before the comma
// marks the entries before it as the user's own: see [allowList.written].
func (l allowList) addition(src []byte, a allowed, state State) splice {
	layout, missing := layoutOf(src, a.root), l.missing(src, a)
	switch {
	case a.permissions == nil:
		return appended(src, a.root, a.root, layout, []item{l.object(missing)})
	case a.list == nil:
		return appended(src, a.root, a.permissions, layout, []item{member(allowKey, list(scalars(missing)...))})
	}
	s := appended(src, a.root, a.list, layout, scalars(missing))
	if state == Absent && len(a.entries) > 0 {
		s.text = " " + s.text
	}
	return s
}

// object is the member "permissions" with entries of ours. The list of denied commands
// comes last: a user who wrote it has it before.
func (l allowList) object(entries []string) item {
	members := []item{member(allowKey, list(scalars(entries)...))}
	if l.denies {
		members = append(members, member(denyKey, func(layout, string) string { return "[]" }))
	}
	return member(permissionsKey, object(members...))
}

// Drop implements [Piece]. What is empty without our entries goes as [settings.Drop]
// has it.
func (l allowList) Drop(src []byte) ([]byte, error) {
	if blank(src) {
		return src, nil
	}
	a, err := l.read(src)
	if err != nil && !slices.ContainsFunc(l.ours, func(entry string) bool { return bytes.Contains(src, []byte(literal(entry))) }) {
		return src, nil
	}
	ours := l.written(src, a)
	if err != nil || len(ours) == 0 {
		return src, err
	}
	c := cut{src: src, gone: map[*node]bool{}}
	for _, entry := range ours {
		c.gone[entry] = true
	}
	c.emptied(a.list)
	if l.denies && c.gone[a.list] {
		if all := a.permissions.children; len(all) == 2 && all[1].key == denyKey && all[1].kind == '[' && len(all[1].children) == 0 {
			c.gone[all[1]] = true
		}
	}
	c.emptied(a.permissions)
	return c.result(a.root), nil
}

// Overruled returns the user's own entries that win over what a piece allows: those that
// deny commands of ckpt, or make the agent ask.
func Overruled(p Piece, src []byte) []string {
	l, ok := p.(allowList)
	if !ok || blank(src) {
		return nil
	}
	a, err := l.read(src)
	if err != nil {
		return nil
	}
	tool, _, _ := strings.Cut(l.ours[0], "(") // "Bash"
	var all []string
	for _, key := range []string{denyKey, askKey} {
		list := a.permissions.member(key)
		if list == nil || list.kind != '[' {
			continue
		}
		for _, entry := range list.children {
			switch text := entry.text(src); {
			case text == tool, text == tool+"(*)", strings.HasPrefix(text, tool+"(ckpt"):
				all = append(all, permissionsKey+"."+key+" has "+text)
			}
		}
	}
	return all
}

// scalars returns texts as items.
func scalars(texts []string) []item {
	var all []item
	for _, text := range texts {
		all = append(all, scalar(text))
	}
	return all
}

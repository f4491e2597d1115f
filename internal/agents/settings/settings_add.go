package settings

import (
	"bytes"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/fault"
)

// Add implements [Piece]: each hook that is not there comes last in its list, since
// Codex knows the hooks that a user trusts by their position.
func (s settings) Add(src []byte) ([]byte, error) {
	state, _, err := s.State(src)
	if err != nil || state == Present {
		return src, err
	}
	now, err := s.withoutSuperfluous(src)
	if err != nil {
		return nil, err
	}
	if blank(now) {
		now = begun(now, s.whole()...)
	} else {
		root, err := s.read(now)
		if err != nil {
			return nil, err
		}
		edits := append(s.updates(now, root), s.additions(now, root)...)
		slices.SortStableFunc(edits, func(a, b splice) int { return a.from - b.from })
		now = apply(now, edits)
	}
	return verified(s, src, now, state)
}

// verified returns the edited text of a file. It refuses an edit that does not add the
// piece, or that Drop does not undo where the piece was absent before: a mistake of ours
// must not reach the user's settings.
func verified(p Piece, src, now []byte, before State) ([]byte, error) {
	state, said, err := p.State(now)
	if err == nil && state != Present {
		err = fault.New(fault.Failed, "the edited settings would not do: %s", said)
	}
	if err != nil || before != Absent {
		return now, err
	}
	back, err := p.Drop(now)
	if err == nil && (!bytes.Equal(back, src) || (back == nil) != (src == nil)) {
		err = fault.New(fault.Failed, "the edit of the settings could not be taken back")
	}
	return now, err
}

// begun returns a blank file with an object of these members. Its indent distinguishes
// it from an object that was there and empty: see [settings.Drop].
func begun(src []byte, members ...item) []byte {
	text := object(members...)(layoutOf(src, nil), "")
	if src == nil {
		text += "\n"
	}
	return append(bytes.Clone(src), text...)
}

// whole are the members of a file that is ours. The hooks come first: whoever wrote
// the version himself has it before them.
func (s settings) whole() []item {
	var events []item
	for _, h := range s.agent.handlers {
		events = append(events, s.agent.event(h))
	}
	all := []item{member("hooks", object(events...))}
	if s.agent.form.version {
		all = append(all, member("version", scalar(1)))
	}
	return all
}

// withoutSuperfluous takes out what this version does not write: hooks under events
// that it has none for, those without their matcher, and all but the first of an event.
func (s settings) withoutSuperfluous(src []byte) ([]byte, error) {
	if blank(src) {
		return src, nil
	}
	root, err := s.read(src)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var superfluous []found
	for _, f := range s.agent.ours(src, root) {
		if _, known := s.agent.wanted(f.native, ""); !known || seen[f.native] || s.agent.isUnmatched(f) {
			superfluous = append(superfluous, f)
		}
		seen[f.native] = true
	}
	if len(superfluous) == 0 {
		return src, nil
	}
	return s.without(src, root, superfluous), nil
}

// updates are the commands of ours that another version wrote.
func (s settings) updates(src []byte, root *node) []splice {
	var edits []splice
	for _, f := range s.agent.ours(src, root) {
		for _, c := range f.commands {
			if want, ok := s.agent.wanted(f.native, c.key); ok && want != c.text(src) {
				edits = append(edits, splice{c.start, c.end, literal(want)})
			}
		}
	}
	return edits
}

// additions are the hooks that are missing.
func (s settings) additions(src []byte, root *node) []splice {
	l, have := layoutOf(src, root), map[string]bool{}
	for _, f := range s.agent.ours(src, root) {
		have[f.native] = true
	}
	hooks := root.member("hooks")
	switch {
	case len(root.children) == 0:
		return []splice{appended(src, root, root, l, s.whole())}
	case hooks == nil:
		return []splice{appended(src, root, root, l, s.whole()[:1])}
	}
	var edits []splice
	var events []item
	for _, h := range s.agent.handlers {
		switch event := hooks.member(h.native); {
		case have[h.native]:
		case event == nil:
			events = append(events, s.agent.event(h))
		default:
			edits = append(edits, appended(src, root, event, l, []item{s.agent.hook(h)}))
		}
	}
	if len(events) > 0 {
		edits = append(edits, appended(src, root, hooks, l, events))
	}
	return edits
}

// appended puts items behind the last entry of a list or an object, looking like it.
// One that is empty keeps what stands between its brackets; a single space before
// that tells that it was there: see [settings.Drop].
func appended(src []byte, root, in *node, l layout, items []item) splice {
	n := len(in.children)
	switch {
	case n > 0:
		last, start := in.children[n-1], in.start+1
		if n > 1 {
			start = in.children[n-2].end
		}
		between := string(src[start:last.from()])
		between = between[strings.IndexByte(between, ',')+1:]
		margin := ""
		if at := strings.LastIndexByte(between, '\n'); at >= 0 {
			margin = between[at+1:]
		} else if l.newline = ""; n == 1 { // nobody has put a comma there yet
			between = strings.TrimPrefix(l.colon, ":")
		}
		return splice{last.end, last.end, "," + between + l.items(items, margin, between)}
	case in == root:
		l.unit = "    "
		inner := l.newline + l.unit
		return splice{in.start + 1, in.start + 1, inner + l.items(items, l.unit, inner) + l.newline}
	case l.newline == "":
		return splice{in.start + 1, in.start + 1, l.items(items, "", strings.TrimPrefix(l.colon, ":")) + " "}
	default:
		margin := marginAt(src, in.start) + l.unit
		inner := l.newline + margin
		return splice{in.start + 1, in.start + 1, inner + l.items(items, margin, inner) + " "}
	}
}

// marginAt is the indent of the line that an offset is in.
func marginAt(src []byte, at int) string {
	line := src[bytes.LastIndexByte(src[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

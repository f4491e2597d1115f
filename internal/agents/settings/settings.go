package settings

import (
	"bytes"
	"slices"
	"strings"

	"example.com/ckpt/internal/agents/protocol"
)

// handler is one hook that is wanted: which event of ours, what the agent calls it,
// after how many seconds it is to be given up.
type handler struct {
	event   protocol.Event
	native  string
	matcher string // of what the event is about: a tool's name, a trigger. Empty means all.
	seconds int
}

// on returns the hook of an event that has five seconds.
func on(event protocol.Event, native string) handler { return handler{event, native, "", 5} }

// of limits a hook to what a pattern matches.
func (h handler) of(matcher string) handler {
	h.matcher = matcher
	return h
}

// within limits the time of a hook.
func (h handler) within(seconds int) handler {
	h.seconds = seconds
	return h
}

// form is how an agent's file says a hook.
type form struct {
	grouped bool   // a list of {"hooks": [...]} instead of a list of handlers
	version bool   // a file of its own begins life with "version": 1
	typed   bool   // "type": "command"
	command string // the key of the command
	windows string // the key of the command for Windows, where it has another shell
	timeout string // the key of the timeout
	millis  bool   // which is in milliseconds
}

// settings is the hooks in an agent's settings file.
type settings struct {
	place
	agent Agent
}

// Mark is how a command of ours is known, whoever wrote the rest of it.
func (a Agent) Mark() string { return "ckpt hook " + a.Name + " " }

// call is the command of a hook: silent where ckpt is not installed, as in the clone
// of somebody who does not use it.
func (a Agent) call(e protocol.Event) string {
	return "command -v ckpt >/dev/null 2>&1 || exit 0; " + a.Mark() + string(e)
}

// callWindows is the same for Windows, from cmd.exe and from PowerShell.
func (a Agent) callWindows(e protocol.Event) string {
	return `cmd /d /c "where /q ckpt && ` + a.Mark() + string(e) + ` || exit 0"`
}

// fields are the keys and values of a handler, in order.
func (a Agent) fields(h handler) [][2]any {
	d := a.form
	var all [][2]any
	if d.typed {
		all = append(all, [2]any{"type", "command"})
	}
	if h.matcher != "" && !d.grouped {
		all = append(all, [2]any{"matcher", h.matcher})
	}
	all = append(all, [2]any{d.command, a.call(h.event)})
	if d.windows != "" {
		all = append(all, [2]any{d.windows, a.callWindows(h.event)})
	}
	limit := h.seconds
	if d.millis {
		limit *= 1000
	}
	return append(all, [2]any{d.timeout, limit})
}

// found is a hook of ours that stands in a file.
type found struct {
	native   string  // the event that it stands under
	entry    *node   // the handler
	group    *node   // the group that it stands in; nil where there are none
	commands []*node // the commands in it that are ours
}

// ours finds the hooks that call ckpt for this agent, under whatever event.
func (a Agent) ours(src []byte, root *node) []found {
	var all []found
	hooks := root.member("hooks")
	if hooks == nil {
		return nil
	}
	for _, event := range hooks.children {
		if event.kind != '[' {
			continue
		}
		for _, e := range event.children {
			if list := e.member("hooks"); a.form.grouped && list != nil && list.kind == '[' {
				for _, h := range list.children {
					if commands := a.commands(src, h); len(commands) > 0 {
						all = append(all, found{event.key, h, e, commands})
					}
				}
			} else if commands := a.commands(src, e); len(commands) > 0 {
				all = append(all, found{event.key, e, nil, commands})
			}
		}
	}
	return all
}

func (a Agent) commands(src []byte, handler *node) []*node {
	var all []*node
	for _, key := range []string{a.form.command, a.form.windows} {
		if c := handler.member(key); key != "" && strings.Contains(c.text(src)+" ", a.Mark()) {
			all = append(all, c)
		}
	}
	return all
}

// wanted is the text of a command that is found under an event: what it should be.
func (a Agent) wanted(native, key string) (string, bool) {
	for _, h := range a.handlers {
		if h.native != native {
			continue
		}
		if key == a.form.windows && key != "" {
			return a.callWindows(h.event), true
		}
		return a.call(h.event), true
	}
	return "", false
}

// isUnmatched reports whether a hook of ours lacks the matcher that this version writes.
// Earlier versions wrote none; a matcher that is there is the user's choice. A group
// that also has hooks of others is left alone.
func (a Agent) isUnmatched(f found) bool {
	in := f.group
	if in == nil {
		in = f.entry
	} else if len(in.member("hooks").children) > 1 {
		return false
	}
	for _, h := range a.handlers {
		if h.native == f.native {
			return h.matcher != "" && in.member("matcher") == nil
		}
	}
	return false
}

// State implements [Piece].
func (s settings) State(src []byte) (State, string, error) {
	if blank(src) {
		return Absent, "", nil
	}
	root, err := s.read(src)
	if err != nil {
		return Absent, "", err
	}
	var missing, stale, twice []string
	have := map[string]int{}
	all := s.agent.ours(src, root)
	for _, f := range all {
		have[f.native]++
		if have[f.native] == 2 {
			twice = append(twice, f.native)
		}
		if s.agent.isUnmatched(f) || slices.ContainsFunc(f.commands, func(c *node) bool {
			want, ok := s.agent.wanted(f.native, c.key)
			return !ok || c.text(src) != want
		}) {
			stale = append(stale, f.native)
		}
	}
	for _, h := range s.agent.handlers {
		if have[h.native] == 0 {
			missing = append(missing, h.native)
		}
	}
	var said []string
	for _, part := range []struct {
		what   string
		events []string
	}{{"missing", missing}, {"not as this version writes it", stale}, {"twice", twice}} {
		if len(part.events) > 0 {
			said = append(said, part.what+": "+strings.Join(part.events, ", "))
		}
	}
	switch {
	case len(all) == 0:
		return Absent, "", nil
	case len(said) > 0:
		return Stale, strings.Join(said, "; "), nil
	}
	return Present, "", nil
}

// read parses the file and refuses what an edit could not be sure of.
func (s settings) read(src []byte) (*node, error) {
	root, err := parse(src)
	if err != nil {
		return nil, err
	}
	if root.kind != '{' {
		return nil, invalid(src, root.start, "the settings are %s and no object", kindName(root))
	}
	if err := unique(src, root); err != nil {
		return nil, err
	}
	hooks := root.member("hooks")
	if hooks == nil {
		return root, nil
	}
	if hooks.kind != '{' {
		return nil, invalid(src, hooks.keyStart, `"hooks" is %s and no object`, kindName(hooks))
	}
	if err := unique(src, hooks); err != nil {
		return nil, err
	}
	for _, h := range s.agent.handlers {
		if event := hooks.member(h.native); event != nil && event.kind != '[' {
			return nil, invalid(src, event.keyStart, "the hooks of %q are %s and no list", h.native, kindName(event))
		}
	}
	return root, nil
}

func kindName(n *node) string {
	switch n.kind {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 'n':
		return "null"
	case 't', 'f':
		return "a truth value"
	}
	return "a number"
}

// blank says whether a file holds nothing, or is not there.
func blank(src []byte) bool {
	return len(bytes.Trim(bytes.TrimPrefix(src, bom), " \t\r\n")) == 0
}

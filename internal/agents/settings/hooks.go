package settings

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/agents/protocol"
)

// hook is one hook that setup writes into an agent's settings.
type hook struct {
	event   protocol.Event
	native  string // what the agent calls the event
	matcher string // the tool's name or trigger that the hook is for, as a pattern; empty means all
}

// form is how an agent's settings describe a hook.
type form struct {
	grouped    bool   // the list has objects {"hooks": [...]} instead of handlers
	version    bool   // a file made by setup has "version": 1
	typed      bool   // a handler has "type": "command"
	command    string // the key of the command
	windows    string // the key of the command for Windows, if the agent uses another shell there
	timeout    string // the key of the timeout
	millis     bool   // the timeout is in milliseconds
	endSeconds int    // the timeout of the hook at a session's end, if the agent limits it
}

// Mark returns the part of a command that identifies a hook of ckpt, even if the rest was edited.
func (a Agent) Mark() string { return "ckpt hook " + a.Name + " " }

// call returns the command of a hook. It does nothing where ckpt is not installed, as in the clone
// of a person who does not use it.
func (a Agent) call(e protocol.Event) string {
	return "command -v ckpt >/dev/null 2>&1 || exit 0; " + a.Mark() + string(e)
}

// callWindows returns the same command for Windows, for cmd.exe and PowerShell.
func (a Agent) callWindows(e protocol.Event) string {
	return `cmd /d /c "where /q ckpt && ` + a.Mark() + string(e) + ` || exit 0"`
}

// hookFor returns the agent's hook for an event, by the agent's own name of the event.
func (a Agent) hookFor(native string) (hook, bool) {
	i := slices.IndexFunc(a.hooks, func(h hook) bool { return h.native == native })
	if i < 0 {
		return hook{}, false
	}
	return a.hooks[i], true
}

// entry returns the entry of a hook in the list of its event.
func (a Agent) entry(h hook) object {
	f := a.form
	var matcher, handler object
	if h.matcher != "" {
		matcher = object{{"matcher", h.matcher}}
	}
	if f.typed {
		handler = append(handler, member{"type", "command"})
	}
	if !f.grouped {
		handler = append(handler, matcher...)
	}
	handler = append(handler, member{f.command, a.call(h.event)})
	if f.windows != "" {
		handler = append(handler, member{f.windows, a.callWindows(h.event)})
	}
	seconds := 5 // more than the two seconds that a hook of ckpt takes at most
	if h.event == protocol.SessionEnd && f.endSeconds > 0 {
		seconds = f.endSeconds
	}
	if f.millis {
		seconds *= 1000
	}
	handler = append(handler, member{f.timeout, seconds})
	if f.grouped {
		return append(matcher, member{"hooks", list{handler}})
	}
	return handler
}

// hooks is the part that has all hooks of an agent.
type hooks struct{ agent Agent }

// found is a hook of ckpt in a file.
type found struct {
	native   string  // the event under which it is listed, as the agent names it
	handler  *node   // the handler object
	group    *node   // the entry of the event's list that contains the handler, or is the handler
	commands []*node // those of its commands that call ckpt
	at       [2]int  // the index of the group in its list, and of the handler in the group
}

// read parses the file, and finds the hooks of ckpt under all events.
func (h hooks) read(src []byte) (d document, ours []found, err error) {
	d, err = open(src, h.agent.lenient)
	if err != nil {
		return d, nil, err
	}
	events, err := d.find('{', "hooks")
	if events == nil || err != nil {
		return d, nil, err
	}
	for _, want := range h.agent.hooks {
		if _, err := d.find('[', "hooks", want.native); err != nil {
			return d, nil, err
		}
	}
	for _, event := range events.children {
		if event.kind != '[' {
			continue
		}
		for i, group := range event.children {
			handlers := []*node{group}
			if all := group.member("hooks"); h.agent.form.grouped && all != nil && all.kind == '[' {
				handlers = all.children
			}
			for k, handler := range handlers {
				f := found{native: event.key, handler: handler, group: group, at: [2]int{i, k}}
				for _, key := range []string{h.agent.form.command, h.agent.form.windows} {
					if c := handler.member(key); key != "" && strings.Contains(c.text(src)+" ", h.agent.Mark()) {
						f.commands = append(f.commands, c)
					}
				}
				if len(f.commands) > 0 {
					ours = append(ours, f)
				}
			}
		}
	}
	return d, ours, nil
}

// lacksMatcher reports whether a hook lacks the matcher that this version writes. Earlier versions
// wrote none; another matcher is the user's choice. A group with hooks of others is left alone.
func (h hooks) lacksMatcher(f found) bool {
	if f.group != f.handler && len(f.group.member("hooks").children) > 1 {
		return false
	}
	want, _ := h.agent.hookFor(f.native)
	return want.matcher != "" && f.group.member("matcher") == nil
}

// updates returns the edits of a hook's commands that another version wrote. It reports
// false if this version has no hook under the event.
func (h hooks) updates(src []byte, f found) (edits []edit, known bool) {
	hook, known := h.agent.hookFor(f.native)
	for _, c := range f.commands {
		want := h.agent.call(hook.event)
		if c.key == h.agent.form.windows {
			want = h.agent.callWindows(hook.event)
		}
		if known && c.text(src) != want {
			edits = append(edits, edit{c.start, c.end, quote(want)})
		}
	}
	return edits, known
}

func (h hooks) state(src []byte) (State, string, error) {
	_, ours, err := h.read(src)
	if err != nil || len(ours) == 0 {
		return Absent, "", err
	}
	count := map[string]int{}
	var missing, stale, twice []string
	for _, f := range ours {
		count[f.native]++
		if count[f.native] == 2 {
			twice = append(twice, f.native)
		}
		if edits, known := h.updates(src, f); !known || len(edits) > 0 || h.lacksMatcher(f) {
			stale = append(stale, f.native)
		}
	}
	for _, want := range h.agent.hooks {
		if count[want.native] == 0 {
			missing = append(missing, want.native)
		}
	}
	var remarks []string
	lists := map[string][]string{"missing": missing, "not as this version writes it": stale, "twice": twice}
	for what, events := range lists {
		if len(events) > 0 {
			remarks = append(remarks, what+": "+strings.Join(events, ", "))
		}
	}
	if len(remarks) == 0 {
		return Present, "", nil
	}
	slices.Sort(remarks)
	return Stale, strings.Join(remarks, "; "), nil
}

// add first removes what this version does not write: hooks under other events, hooks without their
// matcher, and all but the first hook of an event. It then appends each missing hook to its list,
// since Codex identifies trusted hooks by their position.
func (h hooks) add(src []byte) ([]byte, error) {
	d, ours, err := h.read(src)
	if err != nil {
		return nil, err
	}
	have := map[string]bool{}
	var superfluous []found
	for _, f := range ours {
		if _, known := h.updates(src, f); !known || have[f.native] || h.lacksMatcher(f) {
			superfluous = append(superfluous, f)
		}
		have[f.native] = true
	}
	if len(superfluous) > 0 {
		src = h.without(d, superfluous)
		d, ours, err = h.read(src)
		if err != nil {
			return nil, err
		}
	}
	clear(have)
	var edits []edit
	for _, f := range ours {
		updates, _ := h.updates(src, f)
		edits = append(edits, updates...)
		have[f.native] = true
	}
	var events list
	all := d.root.member("hooks")
	for _, want := range h.agent.hooks {
		switch {
		case have[want.native]:
		case all.member(want.native) != nil:
			edits = append(edits, d.append(list{h.agent.entry(want)}, "hooks", want.native)...)
		default:
			events = append(events, member{want.native, list{h.agent.entry(want)}})
		}
	}
	switch {
	case len(events) > 0 && h.agent.form.version && (d.root == nil || len(d.root.children) == 0):
		edits = append(edits, d.append(list{member{"hooks", membersOf(events)}, version})...)
	case len(events) > 0:
		edits = append(edits, d.append(events, "hooks")...)
	}
	return splice(src, edits...), nil
}

// version is a member that some agents require in a file of hooks. Ckpt puts it after the hooks:
// users put it before them, so its place shows who wrote it.
var version = member{"version", 1}

func (h hooks) drop(src []byte) ([]byte, error) {
	d, ours, err := h.read(src)
	if err != nil {
		return nil, err
	}
	return h.without(d, ours), nil
}

// without returns the file without the hooks of ckpt, and without the groups that had only such
// hooks.
func (h hooks) without(d document, those []found) []byte {
	gone := map[*node]bool{}
	for _, f := range those {
		gone[f.handler] = true
	}
	for _, f := range those {
		if f.group == f.handler {
			continue
		}
		all := f.group.member("hooks").children
		if !slices.ContainsFunc(all, func(n *node) bool { return !gone[n] }) {
			gone[f.group] = true
		}
	}
	if h.agent.form.version {
		return d.without(gone, version)
	}
	return d.without(gone, member{})
}

func (h hooks) mayBeIn(src []byte) bool {
	return bytes.Contains(src, []byte(strings.TrimSpace(h.agent.Mark())))
}

// UntrustedHooks returns the events of the hooks in a file that the user of Codex has not
// trusted, according to config. Codex identifies a hook by its file and its position there.
func UntrustedHooks(config []byte, file string, src []byte) []string {
	codex, _ := Find("codex")
	_, ours, _ := hooks{codex}.read(src)
	values, _ := parseTOML(config) // in a file that Codex cannot read nothing is trusted
	var untrusted []string
	for _, f := range ours {
		key := fmt.Sprintf("%s:%s:%d:%d", file, snake(f.native), f.at[0], f.at[1])
		if textAt(values, "hooks", "state", key, "trusted_hash") == "" {
			untrusted = append(untrusted, f.native)
		}
	}
	return untrusted
}

// snake returns the name of an event as Codex writes it in a key: "session_start".
func snake(native string) string {
	var b strings.Builder
	for i, r := range native {
		if r >= 'A' && r <= 'Z' && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

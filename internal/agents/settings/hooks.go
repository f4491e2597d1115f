package settings

import (
	"maps"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

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
	endSeconds int    // the timeout in seconds of the hook at a session's end; 0 if the agent does not limit it
}

// Mark returns the part of a command that identifies a hook of ckpt, even if the rest was edited.
func (a Agent) Mark() string { return "ckpt hook " + a.Name + " " }

// call returns the command of a hook. The command does nothing if ckpt is not installed: a colleague who has
// the same settings may not use ckpt.
func (a Agent) call(e protocol.Event) string {
	return "command -v ckpt >/dev/null 2>&1 || exit 0; " + a.Mark() + string(e)
}

// commands returns the commands of an agent's hook, by their keys in the agent's settings. The command for
// Windows works in cmd.exe and in PowerShell.
func (a Agent) commands(e protocol.Event) map[string]string {
	all := map[string]string{a.form.command: a.call(e)}
	if a.form.windows != "" {
		all[a.form.windows] = `cmd /d /c "where /q ckpt && ` + a.Mark() + string(e) + ` || exit 0"`
	}
	return all
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
	commands := a.commands(h.event)
	for _, key := range slices.Sorted(maps.Keys(commands)) {
		handler = append(handler, member{key, commands[key]})
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

// hooks is the part of a file that has all hooks of an agent.
type hooks struct{ agent Agent }

// found is a hook of ckpt in a file.
type found struct {
	native  string // the event under which it is listed, as the agent names it
	handler *hujson.Value
}

// read parses the file, and finds the hooks of ckpt under all events.
func (h hooks) read(src []byte) (d *document, ours []found, err error) {
	d, err = open(src, h.agent.lenient)
	if err != nil {
		return nil, nil, err
	}
	events, err := d.find('{', "hooks")
	if err != nil {
		return nil, nil, err
	}
	for _, want := range h.agent.hooks {
		if _, err := d.find('[', "hooks", want.native); err != nil {
			return nil, nil, err
		}
	}
	for _, event := range entriesOf(events) {
		for _, group := range entriesOf(event.value) {
			handlers := []entry{group}
			if h.agent.form.grouped {
				handlers = entriesOf(memberOf(group.value, "hooks"))
			}
			for _, handler := range handlers {
				if h.isOurs(handler.value) {
					ours = append(ours, found{textOf(event.name), handler.value})
				}
			}
		}
	}
	return d, ours, nil
}

// isOurs reports whether a handler calls ckpt.
func (h hooks) isOurs(handler *hujson.Value) bool {
	for key := range h.agent.commands("") {
		if strings.Contains(textOf(memberOf(handler, key))+" ", h.agent.Mark()) {
			return true
		}
	}
	return false
}

// update makes a hook call ckpt as this version does, and reports whether that changed the hook.
func (h hooks) update(f found, e protocol.Event) (isStale bool) {
	for key, want := range h.agent.commands(e) {
		if command := memberOf(f.handler, key); command != nil && textOf(command) != want {
			command.Value = hujson.String(want)
			isStale = true
		}
	}
	return isStale
}

// renew updates the hooks in a file, and removes those that this version does not write. It returns the
// events with hooks that it changed or removed, and the hooks that are missing. A hook keeps its place,
// because Codex identifies trusted hooks by their position.
func (h hooks) renew(d *document, ours []found) (stale []string, missing []hook) {
	missing = slices.Clone(h.agent.hooks)
	var superfluous []*hujson.Value
	for _, f := range ours {
		isStale := true
		i := slices.IndexFunc(missing, func(h hook) bool { return h.native == f.native })
		if i < 0 { // this version has no hook for the event, or one was found already
			superfluous = append(superfluous, f.handler)
		} else {
			isStale = h.update(f, missing[i].event)
			missing = slices.Delete(missing, i, i+1)
		}
		if isStale && !slices.Contains(stale, f.native) {
			stale = append(stale, f.native)
		}
	}
	prune(&d.root, superfluous...)
	return stale, missing
}

func (h hooks) state(src []byte) (State, string, error) {
	d, ours, err := h.read(src)
	if err != nil || len(ours) == 0 {
		return Absent, "", err
	}
	stale, missing := h.renew(d, ours)
	var remarks, names []string
	for _, hook := range missing {
		names = append(names, hook.native)
	}
	if len(names) > 0 {
		remarks = append(remarks, "missing: "+strings.Join(names, ", "))
	}
	if len(stale) > 0 {
		remarks = append(remarks, "not as this version writes it: "+strings.Join(stale, ", "))
	}
	if len(remarks) == 0 {
		return Present, "", nil
	}
	return Stale, strings.Join(remarks, "; "), nil
}

func (h hooks) add(src []byte) ([]byte, error) {
	d, ours, err := h.read(src)
	if err != nil {
		return nil, err
	}
	isNew := len(entriesOf(&d.root)) == 0
	_, missing := h.renew(d, ours)
	for _, want := range missing {
		d.add([]string{"hooks", want.native}, "", h.agent.entry(want))
	}
	if isNew && h.agent.form.version {
		d.add(nil, "version", 1)
	}
	return d.bytes(), nil
}

func (h hooks) drop(src []byte) ([]byte, error) {
	d, ours, err := h.read(src)
	if err != nil {
		return nil, err
	}
	var gone []*hujson.Value
	for _, f := range ours {
		gone = append(gone, f.handler)
	}
	prune(&d.root, gone...)
	if h.agent.form.version && len(entriesOf(&d.root)) == 1 { // perhaps only the version that add wrote is left
		prune(&d.root, memberOf(&d.root, "version"))
	}
	return d.bytes(), nil
}

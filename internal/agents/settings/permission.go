package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Granted are the commands that setup lets an agent run without asking: they read
// checkpoints, or write to them. They do not run other programs, use the network, or
// undo what a person did.
var Granted = []string{
	"resume", "status", "show", "list", "log", "search", "decisions", "learnings", "drift",
	"new", "use", "note", "next", "done", "delta", "archive", "mark", "rewind", "validate",
}

// GrantedTools are the tools of `ckpt mcp` that setup lets an agent call without asking.
var GrantedTools = []string{
	"checkpoint_resume", "checkpoint_load", "checkpoint_list", "checkpoint_validate", "checkpoint_save",
	"checkpoint_delta", "checkpoint_archive", "checkpoint", "rewind",
}

// permissions describes how an agent is allowed to run commands without asking.
type permissions struct {
	in      files  // the file with the permissions; empty if the agent has no such file
	text    string // the whole file, if setup alone writes it
	command string // the format of a list entry for a command, if text is empty
	tool    string // the format of a list entry for a tool of `ckpt mcp`
	denies  bool   // the agent also requires a list of denied commands
}

// permissionPart returns the agent's permissions as a part of a file. With tools it also permits the tools
// of `ckpt mcp`.
func (a Agent) permissionPart(tools bool) part {
	p := a.permits
	if p.text != "" {
		return whole(sealed(p.text))
	}
	l := allowList{denies: p.denies, lenient: a.lenient}
	for _, name := range Granted {
		l.ours = append(l.ours, fmt.Sprintf(p.command, name))
	}
	l.wanted = len(l.ours)
	for _, name := range GrantedTools {
		l.ours = append(l.ours, fmt.Sprintf(p.tool, name))
	}
	if tools {
		l.wanted = len(l.ours)
	}
	return l
}

// codexRules returns the permissions of Codex. A command that a rule allows runs outside of Codex's sandbox, in which
// .git is read-only. A rule matches only a plain command: one without here-document, pipe, redirection or variable.
func codexRules() string {
	return `# %SEAL%
# What Codex may run outside of its sandbox without asking: it keeps .git read-only, and
# these commands commit what they write below the checkpoints folder.
prefix_rule(
    pattern = ["ckpt", ["` + strings.Join(Granted, `", "`) + `"]],
    decision = "allow",
)
`
}

// geminiPolicy returns the permissions of Gemini CLI, which reads them only from the user's own settings. Their
// priority is the lowest, so that the user's own rules win. For Gemini CLI a here-document is a redirection, which
// could write any file. The policy allows one only if nothing else is redirected and no command follows it.
func geminiPolicy() string {
	return `# %SEAL%
# What Gemini CLI may run without asking. Rules of your own win, unless their priority is 0.
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["ckpt ` + strings.Join(Granted, `", "ckpt `) + `"]
decision = "allow"
priority = 1

# The same with a text behind <<'EOF', and nothing behind that.
[[rule]]
toolName = "run_shell_command"
commandRegex = '''(?!.*\\nEOF\\n[^"])ckpt (` + strings.Join(Granted, "|") + `) [^<>]*<<'EOF'\\n.*\\nEOF[\\n]*"'''
decision = "allow"
priority = 2
allowRedirection = true
`
}

// HasTools reports whether a piece lets an agent call the tools of `ckpt mcp`, too.
func HasTools(p Piece) bool {
	l, ok := p.part.(allowList)
	return ok && l.wanted == len(l.ours)
}

// allowList is the part of a file that consists of entries in the list permissions.allow of JSON settings.
// The user may have written equal entries, so unsetup removes only one of each.
type allowList struct {
	ours    []string // every entry that setup may have written, in its order
	wanted  int      // how many of them are wanted, from the front
	denies  bool     // an object "permissions" that ckpt creates has an empty list "deny", too
	lenient bool     // the file may have comments
}

// read parses the file, and finds the entries that setup may have written: the last one of each.
func (l allowList) read(src []byte) (d *document, ours map[string]*hujson.Value, err error) {
	d, err = open(src, l.lenient)
	if err != nil {
		return nil, nil, err
	}
	allowed, err := d.find('[', "permissions", "allow")
	ours = map[string]*hujson.Value{}
	for _, e := range entriesOf(allowed) {
		if text := textOf(e.value); slices.Contains(l.ours, text) {
			ours[text] = e.value
		}
	}
	return d, ours, err
}

// missing returns the wanted entries that a list lacks.
func (l allowList) missing(ours map[string]*hujson.Value) []string {
	return slices.DeleteFunc(slices.Clone(l.ours[:l.wanted]), func(want string) bool { return ours[want] != nil })
}

// isUsers reports whether the user, and not setup, wrote the found entries: setup writes more than half of Granted.
func (l allowList) isUsers(found map[string]*hujson.Value) bool { return len(found) <= len(Granted)/2 }

func (l allowList) state(src []byte) (State, string, error) {
	_, ours, err := l.read(src)
	missing := l.missing(ours)
	switch {
	case err != nil, l.isUsers(ours):
		return Absent, "", err
	case len(missing) == 0:
		return Present, "", nil
	}
	return Stale, "missing: " + strings.Join(missing, ", "), nil
}

func (l allowList) add(src []byte) ([]byte, error) {
	d, ours, err := l.read(src)
	if err != nil {
		return nil, err
	}
	wanted := l.ours[:l.wanted]
	if !l.isUsers(ours) {
		wanted = l.missing(ours)
	}
	isNew := memberOf(&d.root, "permissions") == nil
	for _, entry := range wanted {
		d.add([]string{"permissions", "allow"}, "", entry)
	}
	if isNew && l.denies {
		d.add([]string{"permissions"}, "deny", list{})
	}
	return d.bytes(), nil
}

func (l allowList) drop(src []byte) ([]byte, error) {
	d, ours, err := l.read(src)
	if err != nil {
		return nil, err
	}
	prune(&d.root, slices.Collect(maps.Values(ours))...)
	return d.bytes(), nil
}

package settings

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// granted are the commands that setup lets an agent run without asking: they read
// checkpoints, or write to them. They do not run other programs, use the network, or
// undo what a person did.
var granted = []string{
	"resume", "status", "show", "list", "log", "search", "decisions", "learnings", "drift",
	"new", "use", "note", "next", "done", "delta", "archive", "mark", "rewind", "validate",
}

// grantedTools are the tools of `ckpt mcp` that setup lets an agent call without asking.
var grantedTools = []string{
	"checkpoint_resume", "checkpoint_load", "checkpoint_list", "checkpoint_validate", "checkpoint_save",
	"checkpoint_delta",
	"checkpoint_archive", "checkpoint", "rewind",
}

// Granted returns the commands that setup lets an agent run without asking.
func Granted() []string { return granted }

// GrantedTools returns the tools of `ckpt mcp` that setup lets an agent call without asking.
func GrantedTools() []string { return grantedTools }

// permissions describes how an agent is allowed to run commands without asking.
type permissions struct {
	in      files  // the file with the permissions; empty if the agent has no such file
	text    string // the whole file, if setup alone writes it
	command string // the format of a list entry for a command, if text is empty
	tool    string // the format of a list entry for a tool of `ckpt mcp`
	denies  bool   // the agent also requires a list of denied commands
}

// permissionPart returns the agent's permissions as a part of a file. With tools it includes those of
// `ckpt mcp`.
func (a Agent) permissionPart(tools bool) part {
	p := a.permits
	if p.text != "" {
		return whole(sealed(p.text))
	}
	l := allowList{denies: p.denies, lenient: a.lenient}
	for _, name := range granted {
		l.ours = append(l.ours, fmt.Sprintf(p.command, name))
	}
	l.wanted = len(l.ours)
	for _, name := range grantedTools {
		l.ours = append(l.ours, fmt.Sprintf(p.tool, name))
	}
	if tools {
		l.wanted = len(l.ours)
	}
	return l
}

// codexRules returns the permissions of Codex. A command that a rule allows runs outside of Codex's
// sandbox, in which .git is read-only. A rule matches the words of a plain command only: no
// here-document, pipe, redirection or variable.
func codexRules() string {
	return `# %SEAL%
# What Codex may run outside of its sandbox without asking: it keeps .git read-only, and
# these commands commit what they write below the checkpoints folder.
prefix_rule(
    pattern = ["ckpt", ["` + strings.Join(granted, `", "`) + `"]],
    decision = "allow",
)
`
}

// geminiPolicy returns the permissions of Gemini CLI, which takes them from the user
// alone. Their priority is the lowest, so that the user's own rules win. A here-document
// counts as a redirection, which could write any file: it is allowed only if nothing else
// is redirected and no command follows it.
func geminiPolicy() string {
	return `# %SEAL%
# What Gemini CLI may run without asking. Rules of your own win, unless their priority is 0.
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["ckpt ` + strings.Join(granted, `", "ckpt `) + `"]
decision = "allow"
priority = 1

# The same with a text behind <<'EOF', and nothing behind that.
[[rule]]
toolName = "run_shell_command"
commandRegex = '''(?!.*\\nEOF\\n[^"])ckpt (` + strings.Join(granted, "|") + `) [^<>]*<<'EOF'\\n.*\\nEOF[\\n]*"'''
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

// allowList is the part that consists of entries in the list permissions.allow of JSON settings.
type allowList struct {
	ours   []string // every entry that setup may have written, in its order
	wanted int      // how many of them are wanted, from the front
	denies bool     // an object "permissions" that ckpt creates has an empty list "deny", too
	// lenient means that the file may have comments: see [parse].
	lenient bool
}

// denied is the member that comes last in an object that ckpt created: users put it before "allow",
// so its place shows who wrote it.
var denied = member{"deny", list{}}

// read parses the file. Ours has the entries that setup may have written, in the file's order; all
// has the whole list.
func (l allowList) read(src []byte) (d document, ours, all []*node, err error) {
	d, err = open(src, l.lenient)
	if err != nil {
		return d, nil, nil, err
	}
	allowed, err := d.find('[', "permissions", "allow")
	if allowed == nil || err != nil {
		return d, nil, nil, err
	}
	for _, entry := range allowed.children {
		if slices.Contains(l.ours, entry.text(src)) {
			ours = append(ours, entry)
		}
	}
	return d, ours, allowed.children, nil
}

// missing returns the wanted entries that a list lacks.
func (l allowList) missing(src []byte, ours []*node) []string {
	return slices.DeleteFunc(slices.Clone(l.ours[:l.wanted]), func(want string) bool {
		return slices.ContainsFunc(ours, func(n *node) bool { return n.text(src) == want })
	})
}

// written returns the entries that setup wrote: those after the last space before a comma, which
// add puts there, or else all. Less than half of what setup grants is the user's own choice.
func (l allowList) written(src []byte, ours, all []*node) []*node {
	few := len(granted) / 2
	for first := len(ours) - few - 1; first > 0; first-- {
		i := slices.Index(all, ours[first])
		if src[all[i-1].end] == ' ' {
			return ours[first:]
		}
	}
	if len(ours) > few {
		return ours
	}
	return nil
}

func (l allowList) state(src []byte) (State, string, error) {
	_, ours, all, err := l.read(src)
	missing := l.missing(src, ours)
	switch {
	case err != nil:
		return Absent, "", err
	case len(missing) == 0:
		return Present, "", nil
	case len(l.written(src, ours, all)) == 0:
		return Absent, "", nil
	}
	return Stale, "missing: " + strings.Join(missing, ", "), nil
}

// add appends the missing entries to the list. A space before the comma marks the entries before it
// as the user's own: see [allowList.written].
func (l allowList) add(src []byte) ([]byte, error) {
	d, ours, all, err := l.read(src)
	if err != nil {
		return nil, err
	}
	var missing list
	for _, entry := range l.missing(src, ours) {
		missing = append(missing, entry)
	}
	if l.denies && d.root.member("permissions") == nil {
		return splice(src, d.append(list{member{"permissions", object{{"allow", missing}, denied}}})...), nil
	}
	edits := d.append(missing, "permissions", "allow")
	if len(ours) > 0 && len(l.written(src, ours, all)) == 0 {
		edits[0].text = " " + edits[0].text
	}
	return splice(src, edits...), nil
}

func (l allowList) drop(src []byte) ([]byte, error) {
	d, ours, all, err := l.read(src)
	if err != nil {
		return nil, err
	}
	gone := map[*node]bool{}
	for _, entry := range l.written(src, ours, all) {
		gone[entry] = true
	}
	switch {
	case len(gone) == 0:
		return src, nil
	case l.denies:
		return d.without(gone, denied), nil
	}
	return d.without(gone, member{}), nil
}

func (l allowList) mayBeIn(src []byte) bool {
	return slices.ContainsFunc(l.ours, func(entry string) bool { return bytes.Contains(src, []byte(quote(entry))) })
}

// Overruled returns the user's own entries that take precedence over what a piece allows: those
// that deny commands of ckpt, or make the agent ask.
func Overruled(p Piece, src []byte) []string {
	l, ok := p.part.(allowList)
	if !ok {
		return nil
	}
	d, _, _, err := l.read(src)
	if err != nil {
		return nil
	}
	tool, _, _ := strings.Cut(l.ours[0], "(") // the tool in Bash(ckpt:*)
	var all []string
	for _, key := range []string{denied.key, "ask"} {
		entries := d.root.member("permissions").member(key)
		if entries == nil {
			continue
		}
		for _, entry := range entries.children {
			text := entry.text(src)
			if text == tool || text == tool+"(*)" || strings.HasPrefix(text, tool+"(ckpt") {
				all = append(all, "permissions."+key+" has "+text)
			}
		}
	}
	return all
}

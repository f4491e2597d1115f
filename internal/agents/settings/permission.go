package settings

import (
	"fmt"
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
	"checkpoint_resume", "checkpoint_load", "checkpoint_list", "checkpoint_validate", "checkpoint_save", "checkpoint_delta",
	"checkpoint_archive", "checkpoint", "rewind",
}

// Granted returns the commands that setup lets an agent run without asking.
func Granted() []string { return granted }

// GrantedTools returns the tools of `ckpt mcp` that setup lets an agent call without asking.
func GrantedTools() []string { return grantedTools }

// PermissionPiece is the name of the piece that lets an agent run ckpt.
const PermissionPiece = "permissions"

// IsPermission reports whether a piece lets an agent run commands of ckpt.
func IsPermission(p Piece) bool { return p.What() == PermissionPiece }

// permissions describes how an agent is allowed to run commands without asking.
type permissions struct {
	in      map[Scope]string // the file, as for hooks; none where the agent has no such file
	text    string           // the whole file, where setup alone writes it
	command string           // else the format of a list's entry for a command
	tool    string           // and for a tool of `ckpt mcp`
	denies  bool             // the agent also requires a list of denied commands
}

// piece returns the permissions at a place. With tools it includes those of `ckpt mcp`.
func (p permissions) piece(at place, tools bool) Piece {
	if p.text != "" {
		return whole{at, sealed(p.text)}
	}
	l := allowList{place: at, denies: p.denies}
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

// codexRules returns the permissions of Codex. A command that a rule allows runs outside
// of its sandbox, in which .git is read-only. It matches the words of a plain command
// only: no here-document, pipe, redirection or variable.
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
	l, ok := p.(allowList)
	return ok && l.wanted == len(l.ours)
}

// Package settings knows what each coding agent, and git, reads from which file: hooks,
// permissions, servers, skills and instructions.
//
// It adds ckpt's part to the bytes of a file, and removes that part again. Nothing else in a file changes: not the
// order of keys, the indent, the line ends, the comments, nor what other tools wrote. The package refuses a file that
// the agent itself could not read, for example one with a duplicate key. With ckpt's part it also removes an object, a
// list or a file that is empty without that part. The package does no I/O.
package settings

import (
	"bytes"
	"cmp"
	_ "embed"
	"slices"
	"strings"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/fault"
)

// Scope determines for whom an agent is set up.
type Scope string

// The scopes: everyone who works in the repository, one person in all repositories, one person in
// this repository.
const (
	Project Scope = "project"
	User    Scope = "user"
	Local   Scope = "local"
)

// files has the paths of a file by scope. A path is empty if the agent has no such scope. The paths
// of Project and Local start at the repository's root; those of User start at the agent's folder of
// settings, or, with "~/", at the user's home.
type files struct{ project, local, user string }

func (f files) in(scope Scope) string {
	switch scope {
	case Project:
		return f.project
	case Local:
		return f.local
	}
	return f.user
}

// folder is a folder of settings. If the environment variable is set, its path is the value of the variable followed
// by inside. Otherwise it is at the path home below the user's home.
type folder struct{ variable, inside, home string }

// paths returns the path of the folder as dir. Top is dir or a folder above dir, and is never removed.
func (f folder) paths(getenv func(string) string) (top, dir string) {
	top = pathIn(getenv, f.variable)
	if f.variable != "" && top != "" {
		return top, top + f.inside
	}
	return home(getenv), home(getenv) + "/" + f.home
}

// home returns the user's home, and the empty string if the environment has none.
func home(getenv func(string) string) string {
	return cmp.Or(pathIn(getenv, "HOME"), pathIn(getenv, "USERPROFILE"))
}

// pathIn returns a folder that a variable names, as a slash path.
func pathIn(getenv func(string) string, variable string) string {
	return strings.TrimRight(strings.ReplaceAll(getenv(variable), `\`, "/"), "/")
}

// Agent is one coding agent.
type Agent struct {
	Name  string // as users type it: "claude"
	Title string // "Claude Code"

	// Distrust describes what the agent does with a project until its user has trusted the folder. It is empty if the
	// agent does not ask for trust.
	Distrust string

	home     folder      // the folder of the user's settings
	settings files       // the file with its hooks
	hooks    []hook      // the hooks that it calls; none if a plugin calls ckpt
	form     form        // how its settings describe a hook
	lenient  bool        // its JSON files may have comments
	skills   files       // the folder of its skills
	servers  servers     // where it finds MCP servers
	permits  permissions // how it is allowed to run ckpt without asking
	memory   string      // the file of instructions that it reads
}

// servers is where an agent looks for servers of the Model Context Protocol.
type servers struct {
	in      files
	key     string // the key of the object with the servers; empty for TOML
	oneList bool   // the program and its arguments are one list, and an entry has a type
}

// All returns the agents that can be set up, described as they were observed to behave. Claude Code
// comes first, because Copilot CLI also reads the settings of Claude Code.
func All() []Agent {
	const shell, events = "Bash|PowerShell", protocol.Tool
	commonSkills := files{project: ".agents/skills", user: "~/.agents/skills"}
	return []Agent{{
		Name: "claude", Title: "Claude Code",
		Distrust: "ignores what a project allows until you have trusted its folder: start claude here once and accept",
		home:     folder{"CLAUDE_CONFIG_DIR", "", ".claude"},
		settings: files{".claude/settings.json", ".claude/settings.local.json", "settings.json"},
		form:     form{grouped: true, typed: true, command: "command", timeout: "timeout"},
		hooks: []hook{
			{protocol.SessionStart, "SessionStart", ""}, {protocol.Prompt, "UserPromptSubmit", ""},
			{events, "PostToolUse", shell + "|Write|Edit|MultiEdit|NotebookEdit"}, {events, "PostToolUseFailure", shell},
			{protocol.PreCompact, "PreCompact", ""}, {protocol.Stop, "Stop", ""}, {protocol.SessionEnd, "SessionEnd", ""},
		},
		skills:  files{project: ".claude/skills", user: "skills"},
		servers: servers{in: files{project: ".mcp.json"}, key: "mcpServers"},
		permits: permissions{
			in:      files{".claude/settings.json", ".claude/settings.local.json", "settings.json"},
			command: "Bash(ckpt %s:*)", tool: "mcp__ckpt__%s",
		},
		memory: claudeMemory,
	}, { // Codex's hooks have no matchers: if a matcher changed, the user would have to trust the hook again
		Name: "codex", Title: "Codex",
		Distrust: "ignores .codex and each hook until you have trusted them: start codex here once and accept, then /hooks",
		home:     folder{"CODEX_HOME", "", ".codex"},
		settings: files{project: ".codex/hooks.json", user: "hooks.json"},
		form: form{grouped: true, typed: true, command: "command", windows: "commandWindows", timeout: "timeout",
			endSeconds: 3},
		hooks: []hook{
			{protocol.SessionStart, "SessionStart", ""}, {protocol.Prompt, "UserPromptSubmit", ""}, {events, "PostToolUse", ""},
			{protocol.PreCompact, "PreCompact", ""}, {protocol.Stop, "Stop", ""}, {protocol.SessionEnd, "SessionEnd", ""},
		},
		skills:  commonSkills,
		servers: servers{in: files{project: ".codex/config.toml", user: "config.toml"}},
		permits: permissions{in: files{project: ".codex/rules/ckpt.rules", user: "rules/ckpt.rules"}, text: codexRules()},
		memory:  commonMemory,
	}, { // Gemini CLI calls PreCompress with the trigger auto in every turn, so its hook is only for manual compactions
		Name: "gemini", Title: "Gemini CLI", lenient: true,
		Distrust: "ignores .gemini until you have trusted the folder: start gemini here once and accept",
		home:     folder{"", "", ".gemini"},
		settings: files{project: ".gemini/settings.json", user: "settings.json"},
		form:     form{grouped: true, typed: true, command: "command", timeout: "timeout", millis: true},
		hooks: []hook{
			{protocol.SessionStart, "SessionStart", ""}, {protocol.Prompt, "BeforeAgent", ""},
			{events, "AfterTool", "run_shell_command|write_file|replace"},
			{protocol.PreCompact, "PreCompress", "manual"}, {protocol.Stop, "AfterAgent", ""},
			{protocol.SessionEnd, "SessionEnd", ""},
		},
		skills:  commonSkills,
		servers: servers{in: files{project: ".gemini/settings.json", user: "settings.json"}, key: "mcpServers"},
		permits: permissions{in: files{user: "policies/ckpt.toml"}, text: geminiPolicy()},
		memory:  commonMemory,
	}, { // Copilot CLI also reads the settings of Claude Code
		Name: "copilot", Title: "Copilot CLI",
		Distrust: "runs no hooks until you have trusted the folder: start copilot here once and accept",
		home:     folder{"COPILOT_HOME", "", ".copilot"},
		settings: files{project: ".github/hooks/ckpt.json", user: "hooks/ckpt.json"},
		form:     form{version: true, typed: true, command: "bash", windows: "powershell", timeout: "timeoutSec"},
		hooks: []hook{
			{protocol.SessionStart, "sessionStart", ""}, {protocol.Prompt, "userPromptSubmitted", ""},
			{events, "postToolUse", "bash|powershell|create|edit|apply_patch"},
			{protocol.PreCompact, "preCompact", ""}, {protocol.Stop, "agentStop", ""}, {protocol.SessionEnd, "sessionEnd", ""},
		},
		skills:  commonSkills,
		servers: servers{in: files{project: ".mcp.json"}, key: "mcpServers"},
		memory:  commonMemory,
	}, {
		Name: "opencode", Title: "OpenCode", lenient: true,
		home:     folder{"XDG_CONFIG_HOME", "/opencode", ".config/opencode"},
		settings: files{project: ".opencode/plugins/ckpt.js", user: "plugins/ckpt.js"},
		skills:   commonSkills,
		servers:  servers{in: files{project: "opencode.json", user: "opencode.json"}, key: "mcp", oneList: true},
		memory:   commonMemory,
	}, {
		Name: "cursor", Title: "Cursor", lenient: true,
		home:     folder{"", "", ".cursor"},
		settings: files{project: ".cursor/hooks.json", user: "hooks.json"},
		form:     form{version: true, command: "command", timeout: "timeout"},
		hooks: []hook{
			{protocol.SessionStart, "sessionStart", ""}, {protocol.PreCompact, "preCompact", ""},
			{protocol.Stop, "stop", ""}, {protocol.SessionEnd, "sessionEnd", ""},
		},
		skills:  commonSkills,
		servers: servers{in: files{project: ".cursor/mcp.json", user: "mcp.json"}, key: "mcpServers"},
		permits: permissions{in: files{project: ".cursor/cli.json"}, command: "Shell(ckpt:%s*)", tool: "Mcp(ckpt:%s)",
			denies: true},
		memory: commonMemory,
	}}
}

// The files of instructions. All agents but Claude Code read AGENTS.md.
const (
	claudeMemory = "CLAUDE.md"
	commonMemory = "AGENTS.md"
)

// Memories returns the files of instructions that agents read.
func Memories() []string { return []string{claudeMemory, commonMemory} }

// Find returns the agent with a name.
func Find(name string) (Agent, error) {
	var names []string
	for _, a := range All() {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	return Agent{}, fault.New(fault.Usage, "unknown agent %q", name).
		WithHint("ckpt setup %s", strings.Join(names, "|"))
}

// Target determines where and for whom an agent is set up.
type Target struct {
	Scope  Scope
	Folder string              // the checkpoints folder, from the repository's root
	Memory string              // the file of instructions that the agent reads: see [Agent.Memory]
	Tools  bool                // the agent has, or is to have, the tools of ckpt mcp
	Getenv func(string) string // required for the scope User
}

// The names of pieces.
const (
	HooksPiece        = "hooks" // an agent's first piece is either this or a plugin
	ServerPiece       = "mcp"
	PermissionPiece   = "permissions"
	pluginPiece       = "plugin"
	skillPiece        = "skill"
	instructionsPiece = "instructions"
)

// IsOptional reports whether a piece is added only on request.
func (p Piece) IsOptional() bool { return p.What == ServerPiece }

// Pieces returns the pieces that connect the agent with ckpt in a scope: its hooks or plugin, and its
// skills, MCP server and permissions if it has files for them in that scope. In the scope Project
// they include the instructions.
func (a Agent) Pieces(at Target) ([]Piece, error) {
	file := a.settings.in(at.Scope)
	if file == "" {
		return nil, fault.New(fault.Usage, "%s has no settings for one person in one repository", a.Title).
			WithHint("ckpt setup %s, or ckpt setup %s --user", a.Name, a.Name)
	}
	if at.Scope == User && home(at.Getenv) == "" {
		return nil, fault.New(fault.Usage, "HOME is not set: the user's settings of %s cannot be found", a.Title)
	}
	var all []Piece
	add := func(what, path string, part part) {
		top := ""
		rest, inHome := strings.CutPrefix(path, "~/")
		switch {
		case at.Scope != User:
		case inHome:
			top = home(at.Getenv)
			path = top + "/" + rest
		default:
			var dir string
			top, dir = a.home.paths(at.Getenv)
			path = dir + "/" + path
		}
		all = append(all, Piece{What: what, Path: path, Top: top, part: part})
	}
	if len(a.hooks) == 0 {
		add(pluginPiece, file, whole(sealed(openCodeText)))
	} else {
		add(HooksPiece, file, hooks{a})
	}
	if dir := a.skills.in(at.Scope); dir != "" {
		add(skillPiece, dir+"/checkpoint/SKILL.md", whole(inFolder(skillText, at.Folder)))
		add(skillPiece, dir+"/handoff/SKILL.md", whole(sealed(handoffText)))
	}
	servers := a.servers.in.in(at.Scope)
	switch {
	case servers == "":
	case a.servers.key == "":
		add(ServerPiece, servers, newTOMLServer())
	default:
		add(ServerPiece, servers, newServer(a))
	}
	if file := a.permits.in.in(at.Scope); file != "" {
		add(PermissionPiece, file, a.permissionPart(at.Tools))
	}
	if at.Scope == Project {
		add(instructionsPiece, at.Memory, instructions(at.Folder, at.Memory == claudeMemory))
	}
	return all, nil
}

// Memory returns the file for the agent's instructions. Claude Code ignores AGENTS.md as soon as a CLAUDE.md exists
// that does not name it, so no CLAUDE.md is created beside an AGENTS.md. If same is true, both names lead to one file.
func (a Agent) Memory(read func(name string) []byte, same bool) string {
	if a.memory == commonMemory || same {
		return commonMemory
	}
	own := read(claudeMemory)
	imports := slices.ContainsFunc(bytes.Split(own, []byte("\n")), func(line []byte) bool {
		return string(bytes.TrimSpace(line)) == "@"+commonMemory
	})
	if imports || own == nil && read(commonMemory) != nil {
		return commonMemory
	}
	return a.memory
}

//go:embed text/block.md
var blockText string

//go:embed text/skill.md
var skillText string

//go:embed text/handoff.md
var handoffText string

//go:embed text/opencode.js
var openCodeText string

// inFolder returns a sealed text that names the given checkpoints folder.
func inFolder(text, folder string) string {
	return sealed(strings.ReplaceAll(text, "%FOLDER%", folder))
}

// instructions returns the block for a file that agents read. With imports, it names LEARNINGS.md with
// an @: Claude Code, unlike other agents, then reads that file, too.
func instructions(folder string, imports bool) block {
	b := block{begin: "<!-- ckpt:begin -->", end: "<!-- ckpt:end -->"}
	text := blockText
	if imports {
		text += "\nLessons of earlier work: @%FOLDER%/LEARNINGS.md\n"
	}
	b.text = inFolder(text+b.end, folder)
	return b
}

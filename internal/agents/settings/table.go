package settings

import "example.com/ckpt/internal/agents/protocol"

// The agents that ckpt knows, as they were seen to behave. Timeouts are longer than
// the two seconds that a hook of ckpt gives itself; Codex stops a session's end after
// three whatever it is told.

func claude() Agent {
	return Agent{
		Name: "claude", Title: "Claude Code",
		home:    folder{"CLAUDE_CONFIG_DIR", "", ".claude"},
		hooks:   map[Scope]string{Project: ".claude/settings.json", Local: ".claude/settings.local.json", User: "settings.json"},
		skill:   map[Scope]string{Project: ".claude/skills", User: "skills"},
		status:  map[Scope]string{Project: ".claude/settings.local.json", Local: ".claude/settings.local.json", User: "settings.json"},
		servers: servers{in: map[Scope]string{Project: ".mcp.json"}, key: "mcpServers"},
		permits: permissions{
			in:      map[Scope]string{Project: ".claude/settings.json", Local: ".claude/settings.local.json", User: "settings.json"},
			command: "Bash(ckpt %s:*)", tool: "mcp__ckpt__%s",
		},
		memory: claudeMemory,
		form:   form{grouped: true, typed: true, command: "command", timeout: "timeout"},
		handlers: []handler{
			on(protocol.SessionStart, "SessionStart"), on(protocol.Prompt, "UserPromptSubmit"),
			on(protocol.Tool, "PostToolUse").of("Bash|PowerShell|Write|Edit|MultiEdit|NotebookEdit"), on(protocol.Tool, "PostToolUseFailure").of("Bash|PowerShell"),
			on(protocol.PreCompact, "PreCompact"), on(protocol.Stop, "Stop"), on(protocol.SessionEnd, "SessionEnd"),
		},
	}
}

// codex has hooks without matchers: a hook that changes must be trusted again.
func codex() Agent {
	return Agent{
		Name: "codex", Title: "Codex",
		home:    folder{"CODEX_HOME", "", ".codex"},
		hooks:   map[Scope]string{Project: ".codex/hooks.json", User: "hooks.json"},
		skill:   commonSkill(),
		servers: servers{in: map[Scope]string{Project: ".codex/config.toml", User: "config.toml"}},
		permits: permissions{in: map[Scope]string{Project: ".codex/rules/ckpt.rules", User: "rules/ckpt.rules"}, text: codexRules()},
		memory:  commonMemory,
		form:    form{grouped: true, typed: true, command: "command", windows: "commandWindows", timeout: "timeout"},
		handlers: []handler{
			on(protocol.SessionStart, "SessionStart"), on(protocol.Prompt, "UserPromptSubmit"), on(protocol.Tool, "PostToolUse"),
			on(protocol.PreCompact, "PreCompact"), on(protocol.Stop, "Stop"), on(protocol.SessionEnd, "SessionEnd").within(3),
		},
	}
}

// gemini calls PreCompress in every turn with the trigger auto, whether it compacts or
// not: only a compaction that the user asked for is known.
func gemini() Agent {
	return Agent{
		Name: "gemini", Title: "Gemini CLI",
		home:    folder{"", "", ".gemini"},
		hooks:   map[Scope]string{Project: ".gemini/settings.json", User: "settings.json"},
		skill:   commonSkill(),
		servers: servers{in: map[Scope]string{Project: ".gemini/settings.json", User: "settings.json"}, key: "mcpServers"},
		permits: permissions{in: map[Scope]string{User: "policies/ckpt.toml"}, text: geminiPolicy()},
		memory:  commonMemory,
		form:    form{grouped: true, typed: true, command: "command", timeout: "timeout", millis: true},
		handlers: []handler{
			on(protocol.SessionStart, "SessionStart"), on(protocol.Prompt, "BeforeAgent"), on(protocol.Tool, "AfterTool").of("run_shell_command|write_file|replace"),
			on(protocol.PreCompact, "PreCompress").of("manual"), on(protocol.Stop, "AfterAgent"), on(protocol.SessionEnd, "SessionEnd"),
		},
	}
}

// copilot reads the settings of Claude Code besides its own.
func copilot() Agent {
	return Agent{
		Name: "copilot", Title: "Copilot CLI",
		home:    folder{"COPILOT_HOME", "", ".copilot"},
		hooks:   map[Scope]string{Project: ".github/hooks/ckpt.json", User: "hooks/ckpt.json"},
		skill:   commonSkill(),
		servers: servers{in: map[Scope]string{Project: ".mcp.json"}, key: "mcpServers"},
		memory:  commonMemory,
		form:    form{version: true, typed: true, command: "bash", windows: "powershell", timeout: "timeoutSec"},
		handlers: []handler{
			on(protocol.SessionStart, "sessionStart"), on(protocol.Prompt, "userPromptSubmitted"), on(protocol.Tool, "postToolUse").of("bash|powershell|create|edit|apply_patch"),
			on(protocol.PreCompact, "preCompact"), on(protocol.Stop, "agentStop"), on(protocol.SessionEnd, "sessionEnd"),
		},
	}
}

func openCode() Agent {
	return Agent{
		Name: "opencode", Title: "OpenCode",
		home:    folder{"XDG_CONFIG_HOME", "/opencode", ".config/opencode"},
		hooks:   map[Scope]string{Project: ".opencode/plugins/ckpt.js", User: "plugins/ckpt.js"},
		plugin:  true,
		skill:   commonSkill(),
		servers: servers{in: map[Scope]string{Project: "opencode.json", User: "opencode.json"}, key: "mcp", oneList: true},
		memory:  commonMemory,
	}
}

func cursor() Agent {
	return Agent{
		Name: "cursor", Title: "Cursor",
		home:    folder{"", "", ".cursor"},
		hooks:   map[Scope]string{Project: ".cursor/hooks.json", User: "hooks.json"},
		skill:   commonSkill(),
		servers: servers{in: map[Scope]string{Project: ".cursor/mcp.json", User: "mcp.json"}, key: "mcpServers"},
		permits: permissions{in: map[Scope]string{Project: ".cursor/cli.json"}, command: "Shell(ckpt:%s*)", tool: "Mcp(ckpt:%s)", denies: true},
		memory:  commonMemory,
		form:    form{version: true, command: "command", timeout: "timeout"},
		handlers: []handler{
			on(protocol.SessionStart, "sessionStart"), on(protocol.PreCompact, "preCompact"), on(protocol.Stop, "stop"), on(protocol.SessionEnd, "sessionEnd"),
		},
	}
}

// What all but Claude Code read.
const (
	claudeMemory = "CLAUDE.md"
	commonMemory = "AGENTS.md"
)

func commonSkill() map[Scope]string {
	return map[Scope]string{Project: ".agents/skills", User: "~/.agents/skills"}
}

package agent

import "example.com/ckpt/internal/core/dialect"

// The agents that ckpt knows, as they were seen to behave. Timeouts are longer than
// the two seconds that a hook of ckpt gives itself; Codex stops a session's end after
// three whatever it is told.

func claude() Agent {
	return Agent{
		Name: "claude", Title: "Claude Code",
		home:    folder{"CLAUDE_CONFIG_DIR", "", ".claude"},
		hooks:   map[Scope]string{Project: ".claude/settings.json", Local: ".claude/settings.local.json", User: "settings.json"},
		skill:   map[Scope]string{Project: ".claude/skills", User: "skills"},
		servers: servers{in: map[Scope]string{Project: ".mcp.json"}, key: "mcpServers"},
		memory:  claudeMemory,
		form:    form{grouped: true, typed: true, command: "command", timeout: "timeout"},
		handlers: []handler{
			{dialect.SessionStart, "SessionStart", 5}, {dialect.Prompt, "UserPromptSubmit", 5}, {dialect.Tool, "PostToolUse", 5},
			{dialect.PreCompact, "PreCompact", 5}, {dialect.Stop, "Stop", 5}, {dialect.SessionEnd, "SessionEnd", 5},
		},
	}
}

func codex() Agent {
	return Agent{
		Name: "codex", Title: "Codex",
		home:    folder{"CODEX_HOME", "", ".codex"},
		hooks:   map[Scope]string{Project: ".codex/hooks.json", User: "hooks.json"},
		skill:   commonSkill(),
		servers: servers{in: map[Scope]string{Project: ".codex/config.toml", User: "config.toml"}},
		memory:  commonMemory,
		form:    form{grouped: true, typed: true, command: "command", windows: "commandWindows", timeout: "timeout"},
		handlers: []handler{
			{dialect.SessionStart, "SessionStart", 5}, {dialect.Prompt, "UserPromptSubmit", 5}, {dialect.Tool, "PostToolUse", 5},
			{dialect.PreCompact, "PreCompact", 5}, {dialect.Stop, "Stop", 5}, {dialect.SessionEnd, "SessionEnd", 3},
		},
	}
}

// gemini has an event PreCompress, which comes with every turn and says nothing of a
// compaction: there is no hook for it.
func gemini() Agent {
	return Agent{
		Name: "gemini", Title: "Gemini CLI",
		home:    folder{"", "", ".gemini"},
		hooks:   map[Scope]string{Project: ".gemini/settings.json", User: "settings.json"},
		skill:   commonSkill(),
		servers: servers{in: map[Scope]string{Project: ".gemini/settings.json", User: "settings.json"}, key: "mcpServers"},
		memory:  commonMemory,
		form:    form{grouped: true, typed: true, command: "command", timeout: "timeout", millis: true},
		handlers: []handler{
			{dialect.SessionStart, "SessionStart", 5}, {dialect.Prompt, "BeforeAgent", 5}, {dialect.Stop, "AfterAgent", 5}, {dialect.SessionEnd, "SessionEnd", 5},
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
			{dialect.SessionStart, "sessionStart", 5}, {dialect.PreCompact, "preCompact", 5}, {dialect.Stop, "agentStop", 5}, {dialect.SessionEnd, "sessionEnd", 5},
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
		memory:  commonMemory,
		form:    form{version: true, command: "command", timeout: "timeout"},
		handlers: []handler{
			{dialect.SessionStart, "sessionStart", 5}, {dialect.PreCompact, "preCompact", 5}, {dialect.Stop, "stop", 5}, {dialect.SessionEnd, "sessionEnd", 5},
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

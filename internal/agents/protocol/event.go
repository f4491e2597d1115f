// Package protocol is how coding agents speak with their hooks: what they tell on
// standard input, and in which words they take an answer. Bytes in, bytes out; what
// is done about an event is not decided here.
package protocol

import (
	"slices"
	"strings"
)

// Event is a moment in an agent's session at which it calls its hooks.
type Event string

// The events, by the names that `ckpt hook AGENT EVENT` takes.
const (
	SessionStart Event = "session-start"
	Prompt       Event = "prompt"
	Tool         Event = "tool"
	PreCompact   Event = "pre-compact"
	Stop         Event = "stop"
	SubagentStop Event = "subagent-stop"
	SessionEnd   Event = "session-end"
	StatusLine   Event = "status-line"
)

// Events are all events, in the order of a session.
var Events = []Event{SessionStart, Prompt, Tool, PreCompact, Stop, SubagentStop, SessionEnd, StatusLine}

// Call is one call of a hook.
type Call struct {
	Agent   string // one of Agents
	Event   Event
	Named   string // the event as the agent names it, "" where it does not say
	Session string
	Dir     string // the folder the agent works in, "" where it does not say
	Source  string // of a session start: startup, resume, clear, compact, fork, new
	Trigger string // of a compaction: manual, auto
	Prompt  string // the prompt's id. Claude Code names it since 2.1.196, Copilot CLI does not
	Again   bool   // the agent goes on because a stop hook told it to
	Inner   bool   // a subagent's, not the session's own
	Tool    ToolUse
}

// payload is what agents write to a hook's standard input, in either spelling.
type payload struct {
	Session string
	Dir     string
	Named   string
	Source  string
	Trigger string
	Again   bool
	Prompt  string
	Inner   string
	Parent  string

	tool, args, response, err, code []byte // of a tool's call, as they are written

	inString bool // the response is an object in a string
}

// maxText is how many bytes of an id, a folder or a name are read.
const maxText = 4 << 10

// Decode reads a hook's standard input; an agent that says nothing, or nothing that
// can be read, still has its event.
func Decode(agent string, event Event, input []byte) Call {
	var p payload
	p.read(input, true)
	if p.tool == nil { // Cursor has events for two tools that have no name
		switch p.Named {
		case "afterFileEdit":
			p.tool, p.args = []byte(`"Edit"`), input
		case "afterShellExecution":
			p.tool, p.args = []byte(`"Shell"`), input
		}
	}
	c := Call{Agent: agent, Event: event, Named: p.Named, Session: oneLine(p.Session), Dir: p.Dir, Source: p.Source, Trigger: p.Trigger, Prompt: p.Prompt, Again: p.Again}
	c.Inner = p.Inner != "" && p.Inner != p.Session
	if p.Parent != "" && p.Inner == p.Session { // a subagent of Copilot CLI has a session of its own
		c.Inner, c.Session = true, oneLine(p.Parent)
	}
	if event == Tool {
		c.Tool = p.use()
	}
	return c
}

// read reads the members of an object. It ignores one of an unexpected type. Outer means
// that the object is the whole input.
func (p *payload) read(input []byte, outer bool) {
	set := func(to *string, value []byte) {
		if s := text(value, maxText); s != "" {
			*to = s
		}
	}
	members(input, func(key string, value []byte) {
		switch key {
		case "session_id":
			set(&p.Session, value)
		case "sessionId", "sessionID", "conversation_id": // Copilot CLI, OpenCode, Cursor
			if p.Session == "" {
				set(&p.Session, value)
			}
		case "cwd":
			set(&p.Dir, value)
		case "workspace_roots": // Cursor
			if i := blank(value, 1); p.Dir == "" && value[0] == '[' && i < len(value) {
				set(&p.Dir, value[i:skip(value, i)])
			}
		case "hook_event_name":
			set(&p.Named, value)
		case "source":
			set(&p.Source, value)
		case "trigger":
			set(&p.Trigger, value)
		case "stop_hook_active":
			p.Again = p.Again || string(value) == "true"
		case "loop_count": // Cursor
			n := number(value)
			p.Again = p.Again || n != nil && *n > 0
		case "prompt_id":
			set(&p.Prompt, value)
		case "parent_agent_id", "parentAgentId":
			set(&p.Parent, value)
		case "agent_id", "agentId":
			set(&p.Inner, value)
		case "tool_name", "toolName", "tool":
			p.tool = value
		case "tool_input", "toolArgs", "args":
			p.args = value
		case "tool_response", "tool_result", "toolResult", "output", "metadata":
			p.response = value
		case "tool_output": // Cursor
			p.response, p.inString = value, true
		case "error":
			p.err = value
		case "exit", "exit_code", "exitCode":
			p.code = value
		case "input": // OpenCode's, with the members of a call in it
			if outer && p.tool == nil {
				p.read(value, false)
			}
		}
	})
}

// agents are the agents whose dialect is spoken, and how each is seen in the
// environment of what it starts.
var agents = []struct {
	name    string
	sign    []string // a variable that it sets for what it starts
	session []string // variables that name the session
}{
	{"claude", []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"}, []string{"CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"}},
	{"codex", []string{"CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_CI"}, []string{"CODEX_THREAD_ID", "CODEX_SESSION_ID"}},
	{"gemini", []string{"GEMINI_CLI", "GEMINI_SESSION_ID"}, []string{"GEMINI_SESSION_ID"}},
	{"copilot", []string{"COPILOT_AGENT_SESSION_ID", "COPILOT_CLI"}, []string{"COPILOT_AGENT_SESSION_ID"}},
	{"opencode", []string{"OPENCODE"}, []string{"OPENCODE_SESSION_ID"}},
	{"cursor", []string{"CURSOR_AGENT"}, []string{"CURSOR_CONVERSATION_ID"}},
}

// Agents are the names of the agents whose dialect is spoken.
func Agents() []string {
	var names []string
	for _, a := range agents {
		names = append(names, a.name)
	}
	return names
}

// Known says whether a hook can be called so.
func Known(agent string, event Event) bool {
	return slices.Contains(Agents(), agent) && slices.Contains(Events, event)
}

// Who is the agent and the session that started this process: as CKPT_AGENT and
// CKPT_SESSION say, else by the agents' own variables; "" where nobody says.
func Who(getenv func(string) string) (agent, session string) {
	agent, session = oneLine(getenv("CKPT_AGENT")), oneLine(getenv("CKPT_SESSION"))
	for _, a := range agents {
		if agent != "" && agent != a.name || !slices.ContainsFunc(a.sign, func(v string) bool { return getenv(v) != "" }) {
			continue
		}
		agent = a.name
		for _, v := range a.session {
			if session == "" {
				session = oneLine(getenv(v))
			}
		}
		break
	}
	return agent, session
}

// oneLine is a value that can stand in a frontmatter field.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.ToValidUTF8(s[:min(len(s), 100)], "")
}

// Package protocol implements what coding agents and their hooks tell each other. [Decode] reads what an
// agent writes to a hook's standard input, and [Encode] writes an answer as that agent reads it. It
// does no I/O; package hooks decides how to answer an event.
//
// Every agent has fields, tool names and exit codes of its own, which change between
// versions, so Decode looks for all of them and ignores what it does not know.
package protocol

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// Event is a moment in an agent's session at which it calls its hooks.
type Event string

// The events, named as in `ckpt hook AGENT EVENT`.
const (
	SessionStart Event = "session-start"
	Prompt       Event = "prompt"
	Tool         Event = "tool"
	PreCompact   Event = "pre-compact"
	Stop         Event = "stop"
	SessionEnd   Event = "session-end"
)

// Events lists all events in the order of a session.
var Events = []Event{SessionStart, Prompt, Tool, PreCompact, Stop, SessionEnd}

// agents lists the agents that are known, and how each is recognized in the environment
// of the programs that it starts.
var agents = []struct {
	name    string
	keeps   int      // how many bytes of a hook's output the model gets
	sign    []string // variables of which the agent sets at least one
	session []string // variables that name the session
}{
	{name: "claude", keeps: Limit, sign: []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"},
		session: []string{"CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"}},
	{name: "codex", keeps: Limit, sign: []string{"CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_CI"},
		session: []string{"CODEX_THREAD_ID", "CODEX_SESSION_ID"}},
	{name: "gemini", keeps: 60_000, sign: []string{"GEMINI_CLI", "GEMINI_SESSION_ID"},
		session: []string{"GEMINI_SESSION_ID"}},
	{name: "copilot", keeps: 60_000, sign: []string{"COPILOT_AGENT_SESSION_ID", "COPILOT_CLI"},
		session: []string{"COPILOT_AGENT_SESSION_ID"}},
	{name: "opencode", keeps: Limit, sign: []string{"OPENCODE"}, session: []string{"OPENCODE_SESSION_ID"}},
	{name: "cursor", keeps: Limit, sign: []string{"CURSOR_AGENT"}, session: []string{"CURSOR_CONVERSATION_ID"}},
}

// Limit is how many bytes of a hook's output most agents give to their model, with room
// for the words around it. Claude Code shows the model a preview of what is longer than
// 10,000 characters; Codex cuts at 2,500 tokens. Gemini CLI and Copilot CLI were seen to
// keep 60 kB, all that they were given.
const Limit = 9500

// Agents returns the names of the agents that are known.
func Agents() []string {
	var names []string
	for _, a := range agents {
		names = append(names, a.name)
	}
	return names
}

// Known reports whether a hook can be called with these names.
func Known(agent string, event Event) bool {
	return slices.Contains(Agents(), agent) && slices.Contains(Events, event)
}

// Keeps returns how many bytes of a hook's output an agent gives to its model, and whether
// the agent is known.
func Keeps(agent string) (bytes int, known bool) {
	for _, a := range agents {
		if a.name == agent {
			return a.keeps, true
		}
	}
	return 0, false
}

// Called returns the name of the agent whose MCP client calls itself name: "claude" for
// "claude-code". It returns the name of an unknown client as one line.
func Called(name string) string {
	name = oneLine(name)
	low := strings.ToLower(name)
	for _, a := range agents {
		if low == a.name || strings.HasPrefix(low, a.name+"-") || strings.HasPrefix(low, a.name+" ") {
			return a.name
		}
	}
	return name
}

// Who returns the agent and the session that started this process, from CKPT_AGENT and CKPT_SESSION,
// or else from the agents' own variables. An unknown agent or session is empty.
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

// oneLine returns s as a value for a field of the frontmatter: one line of at most 100 bytes.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.ToValidUTF8(s[:min(len(s), 100)], "")
}

// Call is one call of a hook. Fields that the agent does not give are empty.
type Call struct {
	Agent   string // one of Agents
	Event   Event
	Named   string // the event as the agent names it
	Session string
	Dir     string // the folder that the agent works in
	Source  string // how the session started: startup, resume, clear, compact, fork, new
	Trigger string // what started the compaction: manual, auto
	Prompt  string // the prompt's id, which Claude Code gives since 2.1.196
	Said    string // the text of a prompt
	Again   bool   // the agent continues because a stop hook told it to
	Inner   bool   // the call comes from a subagent
	Tool    ToolUse
	Err     error // why the input could not be read
}

// maxInput is how many bytes of the input are read.
const maxInput = 16 << 20

// Decode reads a hook's standard input only up to the end of the JSON object, because an agent may leave the
// input open. If the input is not a JSON object, the call has only Agent, Event and, for invalid input, Err.
func Decode(agent string, event Event, input io.Reader) Call {
	f, in := fields{}, bufio.NewReader(io.LimitReader(input, maxInput))
	if mark, _ := in.Peek(3); string(mark) == "\xef\xbb\xbf" { // PowerShell writes a byte order mark
		_, _ = in.Discard(3)
	}
	err := json.NewDecoder(in).Decode(&f)
	if err == io.EOF {
		err = nil
	} else if err != nil {
		err = fmt.Errorf("the input is not a JSON object: %w", err)
	}
	if f.first("tool_name", "toolName", "tool") == nil {
		maps.Copy(f, f.object("input")) // OpenCode's plugins nest the call in "input"
	}
	session := f.text("session_id", "sessionId", "sessionID", "conversation_id") // Copilot CLI, OpenCode, Cursor
	c := Call{
		Agent:   agent,
		Event:   event,
		Session: oneLine(session),
		Named:   f.text("hook_event_name"),
		Dir:     f.text("cwd"),
		Source:  f.text("source"),
		Trigger: f.text("trigger"),
		Prompt:  f.text("prompt_id"),
		Again:   f["stop_hook_active"] == true,
		Err:     err,
	}
	if roots, _ := f["workspace_roots"].([]any); c.Dir == "" && len(roots) > 0 { // Cursor's name for it
		c.Dir, _ = roots[0].(string)
	}
	if n := f.number("loop_count"); n != nil && *n > 0 { // Cursor
		c.Again = true
	}
	inner := f.text("agent_id", "agentId")
	parent := f.text("parent_agent_id", "parentAgentId")
	c.Inner = inner != "" && inner != session
	if parent != "" && inner == session { // a subagent of Copilot CLI has a session of its own
		c.Inner = true
		c.Session = oneLine(parent)
	}
	switch event {
	case Tool:
		c.Tool = toolUse(c.Named, f)
	case Prompt:
		c.Said = f.text("prompt")
	}
	return c
}

// fields are the members of an object.
type fields map[string]any

// first returns the first of the named members that exists and is not null.
func (f fields) first(names ...string) any {
	for _, name := range names {
		if f[name] != nil {
			return f[name]
		}
	}
	return nil
}

// text returns the first of the named members that is a text and not empty.
func (f fields) text(names ...string) string {
	for _, name := range names {
		if text, ok := f[name].(string); ok && text != "" {
			return text
		}
	}
	return ""
}

// object returns the first of the named members that exists and is not null, as an object. Some agents
// give an object as JSON in a text.
func (f fields) object(names ...string) fields {
	switch v := f.first(names...).(type) {
	case map[string]any:
		return v
	case string:
		inner := fields{}
		_ = json.Unmarshal([]byte(v), &inner) // stays empty if the text is not a JSON object
		return inner
	}
	return nil
}

// number returns the first of the named members that is a number without a fraction, or nil.
func (f fields) number(names ...string) *int {
	for _, name := range names {
		if n, ok := f[name].(float64); ok && n == math.Trunc(n) {
			return new(int(n))
		}
	}
	return nil
}

// has reports whether a member exists and is not null, false or empty.
func (f fields) has(name string) bool {
	switch v := f[name].(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case map[string]any:
		return len(v) > 0
	}
	return true
}

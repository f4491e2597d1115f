// Package dialect is how coding agents speak with their hooks: what they tell on
// standard input, and in which words they take an answer. Bytes in, bytes out; what
// is done about an event is not decided here.
package dialect

import (
	"bytes"
	"encoding/json"
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
)

// Events are all events, in the order of a session.
var Events = []Event{SessionStart, Prompt, Tool, PreCompact, Stop, SubagentStop, SessionEnd}

// Call is one call of a hook.
type Call struct {
	Agent   string // one of Agents
	Event   Event
	Named   string // the event as the agent names it, "" where it does not say
	Session string
	Dir     string // the folder the agent works in, "" where it does not say
	Source  string // of a session start: startup, resume, clear, compact, fork, new
	Trigger string // of a compaction: manual, auto
	Again   bool   // the agent goes on because a stop hook told it to
	Inner   bool   // a subagent's, not the session's own
}

// payload is what agents write to a hook's standard input, in either spelling.
type payload struct {
	Session      string `json:"session_id"`
	SessionCamel string `json:"sessionId"`
	Conversation string `json:"conversation_id"` // Cursor
	Dir          string `json:"cwd"`
	Roots        []any  `json:"workspace_roots"` // Cursor
	Named        string `json:"hook_event_name"`
	Source       string `json:"source"`
	Trigger      string `json:"trigger"`
	Again        bool   `json:"stop_hook_active"`
	Loops        int    `json:"loop_count"` // Cursor
	Inner        string `json:"agent_id"`
}

// Decode reads a hook's standard input; an agent that says nothing, or nothing that
// can be read, still has its event.
func Decode(agent string, event Event, input []byte) Call {
	c := Call{Agent: agent, Event: event}
	var p payload
	if json.NewDecoder(bytes.NewReader(input)).Decode(&p) != nil {
		p = forgiving(input)
	}
	c.Named, c.Dir, c.Source, c.Trigger = p.Named, p.Dir, p.Source, p.Trigger
	for _, id := range []string{p.Session, p.SessionCamel, p.Conversation} {
		if c.Session == "" {
			c.Session = id
		}
	}
	if root, ok := first(p.Roots); ok && c.Dir == "" {
		c.Dir = root
	}
	c.Again = p.Again || p.Loops > 0
	c.Inner = p.Inner != "" && p.Inner != c.Session
	return c
}

func first(list []any) (string, bool) {
	if len(list) == 0 {
		return "", false
	}
	s, ok := list[0].(string)
	return s, ok
}

// forgiving reads the fields one by one: one of an unexpected type does not spoil
// the others.
func forgiving(input []byte) (p payload) {
	var fields map[string]json.RawMessage
	if json.NewDecoder(bytes.NewReader(input)).Decode(&fields) != nil {
		return p
	}
	for name, raw := range fields {
		one, err := json.Marshal(map[string]json.RawMessage{name: raw})
		if err == nil {
			q := p
			if json.Unmarshal(one, &q) == nil {
				p = q
			}
		}
	}
	return p
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
	return s[:min(len(s), 100)]
}

// Package protocol is what coding agents and their hooks tell each other: [Decode] reads what an
// agent writes to a hook's standard input, and [Encode] writes an answer as that agent reads it. It
// does no I/O; package hooks decides how to answer an event.
//
// Every agent has fields, tool names and exit codes of its own, which change between
// versions, so Decode looks for all of them and ignores what it does not know. A payload
// can contain the whole output of a command. This package therefore locates values
// without decoding them: encoding/json takes 100 ms for an output of 5 MB, where a hook
// that runs after every tool call may take five.
package protocol

import (
	"bytes"
	"encoding/json"
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
	SubagentStop Event = "subagent-stop"
	SessionEnd   Event = "session-end"
	StatusLine   Event = "status-line"
)

// Events lists all events in the order of a session.
var Events = []Event{SessionStart, Prompt, Tool, PreCompact, Stop, SubagentStop, SessionEnd, StatusLine}

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

// Called returns the agent's name for the name that its MCP client gives: "claude" for
// "claude-code". It returns an unknown name unchanged.
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

// Who returns the agent and the session that started this process: those of CKPT_AGENT and
// CKPT_SESSION, else those of the agents' own variables. Unknown ones are empty.
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

// oneLine returns a value that can be a field of the frontmatter.
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
}

// maxText is how many bytes of an id, a folder or a name are read.
const maxText = 4 << 10

// Decode reads a hook's standard input. An input that is not JSON, or ends too early,
// gives what could be read before.
func Decode(agent string, event Event, input []byte) Call {
	f := value(input).members()
	if f.first("tool_name", "toolName", "tool") == nil {
		for name, v := range f["input"].members() { // OpenCode's plugins nest the call in "input"
			f[name] = v
		}
	}
	c := Call{
		Agent:   agent,
		Event:   event,
		Named:   f["hook_event_name"].text(maxText),
		Dir:     f["cwd"].text(maxText),
		Source:  f["source"].text(maxText),
		Trigger: f["trigger"].text(maxText),
		Prompt:  f["prompt_id"].text(maxText),
		Again:   string(f["stop_hook_active"]) == "true",
	}
	session := ""
	// Cursor, OpenCode, Copilot CLI
	for _, name := range []string{"conversation_id", "sessionID", "sessionId", "session_id"} {
		if id := f[name].text(maxText); id != "" {
			session = id
		}
	}
	c.Session = oneLine(session)
	if roots := f["workspace_roots"].list(); c.Dir == "" && len(roots) > 0 { // Cursor
		c.Dir = roots[0]
	}
	if n := f["loop_count"].number(); n != nil && *n > 0 { // Cursor
		c.Again = true
	}
	inner := f.first("agent_id", "agentId").text(maxText)
	parent := f.first("parent_agent_id", "parentAgentId").text(maxText)
	c.Inner = inner != "" && inner != session
	if parent != "" && inner == session { // a subagent of Copilot CLI has a session of its own
		c.Inner = true
		c.Session = oneLine(parent)
	}
	switch event {
	case Tool:
		c.Tool = toolUse(c.Named, f, input)
	case Prompt:
		c.Said = f["prompt"].text(1 << 20)
	}
	return c
}

// Input collects the standard input of a hook, one JSON object, from parts. It finds the
// end of the object, since an agent may leave the input open after it, and removes the
// middle of long strings: to keep 5 MB of output costs 40 ms. The zero value is ready.
type Input struct {
	src    []byte
	at     int // src was searched up to here
	depth  int
	quoted bool // at is inside a string
	begin  int  // where that string begins
}

const (
	maxInput  = 16 << 20  // how many bytes of the input are read
	maxString = 256 << 10 // how many bytes of the beginning of a string are kept
	maxTail   = 4 << 10   // how many bytes of its end are kept
)

// Bytes returns what arrived so far.
func (in *Input) Bytes() []byte { return in.src }

// Add takes the next part, and reports whether the object ends in that part.
func (in *Input) Add(part []byte) (whole bool) {
	in.src = append(in.src, part...)
	for in.at < len(in.src) {
		if in.quoted {
			end := closingQuote(in.src, in.at)
			in.quoted = end == len(in.src)
			in.at = min(end+1, len(in.src))
			continue
		}
		c := in.src[in.at]
		in.at++
		switch c {
		case '"':
			in.quoted = true
			in.begin = in.at
		case '{', '[':
			in.depth++
		case '}', ']':
			in.depth--
			if in.depth <= 0 {
				in.src = in.src[:in.at]
				return true
			}
		}
	}
	if in.quoted {
		in.shorten()
	}
	return len(in.src) >= maxInput
}

// shorten removes the middle of the string that has not ended yet, if it is long.
func (in *Input) shorten() {
	if len(in.src)-in.begin <= 2*maxString {
		return
	}
	from, to := afterEscape(in.src, in.begin+maxString), afterEscape(in.src, len(in.src)-maxTail)
	in.src = append(in.src[:from], in.src[to:]...)
	in.at = len(in.src)
}

// afterEscape returns i, or the end of the escape that i is in.
func afterEscape(src []byte, i int) int {
	for k := 1; k <= 5; k++ {
		if src[i-k] != '\\' || isEscaped(src, i-k) {
			continue
		}
		if src[i-k+1] == 'u' {
			return i - k + 6
		}
		return max(i, i-k+2)
	}
	return i
}

// value is the text of a JSON value. A value that ends too early is read up to its end.
type value []byte

// fields are the members of an object.
type fields map[string]value

// first returns the first of the members that is there.
func (f fields) first(names ...string) value {
	for _, name := range names {
		if v := f[name]; v != nil {
			return v
		}
	}
	return nil
}

// members returns the members of an object, and none for any other value.
func (v value) members() fields {
	f := fields{}
	i := v.skipBlank(0)
	if i == len(v) || v[i] != '{' {
		return f
	}
	for {
		key := v.skipBlank(i + 1)
		if key == len(v) || v[key] != '"' {
			return f
		}
		end := v.skip(key)
		colon := v.skipBlank(end)
		i = v.skipBlank(colon + 1)
		if i == len(v) || v[colon] != ':' {
			return f
		}
		name := v[key:end].text(maxText)
		end = v.skip(i)
		f[name] = v[i:end]
		i = v.skipBlank(end)
		if i == len(v) || v[i] != ',' {
			return f
		}
	}
}

// skipBlank returns the index of the first byte from i that is not blank.
func (v value) skipBlank(i int) int {
	for i < len(v) && (v[i] == ' ' || v[i] == '\n' || v[i] == '\t' || v[i] == '\r') {
		i++
	}
	return min(i, len(v))
}

// skip returns the index after the value that begins at i.
func (v value) skip(i int) int {
	depth := 0
	for i < len(v) {
		switch v[i] {
		case '"':
			i = min(closingQuote(v, i+1)+1, len(v))
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\n', '\t', '\r':
			i++
			continue
		default: // a number, true, false or null
			for i < len(v) && strings.IndexByte(",:]}{[\" \n\t\r", v[i]) < 0 {
				i++
			}
		}
		if depth <= 0 {
			return i
		}
	}
	return len(v)
}

// closingQuote returns the index of the quote that ends the string around i. It returns the length
// of src if that quote is missing.
func closingQuote(src []byte, i int) int {
	for i < len(src) {
		n := bytes.IndexByte(src[i:], '"')
		if n < 0 {
			break
		}
		i += n
		if !isEscaped(src, i) {
			return i
		}
		i++
	}
	return len(src)
}

// isEscaped reports whether the byte at i has an odd number of backslashes before it.
func isEscaped(src []byte, i int) bool {
	from := i
	for from > 0 && src[from-1] == '\\' {
		from--
	}
	return (i-from)%2 == 1
}

// text decodes at most the first most bytes of a string. It returns the empty string for any other
// value.
func (v value) text(most int) string {
	body := v.body()
	return unquote(body[:min(len(body), most)])
}

// tail decodes at most the last most bytes of a string.
func (v value) tail(most int) string {
	body := v.body()
	from := max(0, len(body)-most)
	if from > 0 && isEscaped(body, from) {
		from++
	}
	return unquote(body[from:])
}

// body returns the text between the quotes of a string. The last quote may be missing.
func (v value) body() []byte {
	if len(v) == 0 || v[0] != '"' {
		return nil
	}
	return v[1:closingQuote(v, 1)]
}

// unquote decodes the inside of a string, without an incomplete escape at its end.
func unquote(body []byte) string {
	if bytes.IndexByte(body, '\\') < 0 {
		return string(bytes.ToValidUTF8(body, nil))
	}
	for n := 0; n < 6 && len(body) > 0; n++ { // the length of an escape sequence
		var s string
		if json.Unmarshal(slices.Concat([]byte{'"'}, body, []byte{'"'}), &s) == nil {
			return s
		}
		body = body[:len(body)-1]
	}
	return ""
}

// list returns the strings in a list, and none for any other value.
func (v value) list() []string {
	var all []any
	if json.Unmarshal(v, &all) != nil {
		return nil
	}
	texts := []string{}
	for _, e := range all {
		if text, ok := e.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// number returns a number without a fraction, and nil for any other value.
func (v value) number() *int {
	var n *int
	if json.Unmarshal(v, &n) != nil {
		return nil
	}
	return n
}

// isTold reports whether a value exists and is not null, false or empty.
func (v value) isTold() bool {
	return len(v) > 0 && !slices.Contains([]string{"null", "false", `""`, "{}"}, string(v))
}

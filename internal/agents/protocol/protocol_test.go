package protocol_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"example.com/ckpt/internal/agents/protocol"
)

func TestDecode(t *testing.T) {
	tests := []struct {
		name, input string
		want        protocol.Call
	}{
		{"nothing", "", protocol.Call{}},
		{"no JSON", "hello {", protocol.Call{Err: errors.New("")}},
		{"a list", `["session_id"]`, protocol.Call{Err: errors.New("")}},
		{"Claude", `{"session_id":"s","cwd":"/w","hook_event_name":"SessionStart","source":"compact"}`,
			protocol.Call{Session: "s", Dir: "/w", Named: "SessionStart", Source: "compact"}},
		{"Claude stops again", `{"session_id":"s","stop_hook_active":true}`, protocol.Call{Session: "s", Again: true}},
		{"Claude's subagent", `{"session_id":"s","agent_id":"a1","agent_type":"Explore"}`, protocol.Call{Session: "s", Inner: true}},
		{"an agent that is the session", `{"session_id":"s","agent_id":"s"}`, protocol.Call{Session: "s"}},
		{"Copilot's subagent, by its own hooks", `{"sessionId":"a1","agentId":"a1","agentType":"x","parentAgentId":"s"}`, protocol.Call{Session: "s", Inner: true}},
		{"Copilot's subagent", `{"session_id":"a1","agent_id":"a1","parent_agent_id":"s"}`, protocol.Call{Session: "s", Inner: true}},
		{"Copilot", `{"sessionId":"s","cwd":"/w","source":"new"}`, protocol.Call{Session: "s", Dir: "/w", Source: "new"}},
		{"Cursor", `{"conversation_id":"c","workspace_roots":["/w","/v"],"loop_count":2}`, protocol.Call{Session: "c", Dir: "/w", Again: true}},
		{"one field of another type", `{"session_id":"s","source":7,"cwd":"/w"}`, protocol.Call{Session: "s", Dir: "/w"}},
		{"more behind it", `{"session_id":"s"}{"session_id":"t"}`, protocol.Call{Session: "s"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := protocol.Decode("", "", strings.NewReader(tt.input))
			if (got.Err == nil) == (tt.want.Err == nil) {
				got.Err = tt.want.Err
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestEncode(t *testing.T) {
	const text = "# <go> & \"on\"\n"
	tests := []struct {
		agent  string
		event  protocol.Event
		answer protocol.Answer
		want   string
	}{
		{"claude", protocol.SessionStart, protocol.Answer{}, ""},
		{"claude", protocol.SessionStart, protocol.Answer{Context: "x"}, `{"additionalContext":"x","hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"x"}}`},
		{"claude", protocol.Prompt, protocol.Answer{Context: "x"}, `{"additionalContext":"x","hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"x"}}`},
		{"claude", protocol.PreCompact, protocol.Answer{Context: "x"}, "x"},
		{"claude", protocol.Stop, protocol.Answer{Context: "x"}, ""},
		{"claude", protocol.Stop, protocol.Answer{Block: "x"}, `{"decision":"block","reason":"x"}`},
		{"claude p1", protocol.Stop, protocol.Answer{Block: "x"}, `{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"x"}}`},
		{"claude", protocol.SessionStart, protocol.Answer{Block: "x"}, ""},
		{"codex", protocol.SessionStart, protocol.Answer{Context: "x"}, `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"x"}}`},
		{"codex", protocol.PreCompact, protocol.Answer{Context: "x"}, ""},
		{"gemini", protocol.Prompt, protocol.Answer{Context: "x"}, `{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"x"}}`},
		{"gemini", protocol.Stop, protocol.Answer{Block: "x"}, `{"decision":"deny","reason":"x"}`},
		{"copilot", protocol.SessionStart, protocol.Answer{Context: "x"}, `{"additionalContext":"x"}`},
		{"cursor", protocol.SessionStart, protocol.Answer{Context: "x"}, `{"additional_context":"x"}`},
		{"cursor", protocol.Stop, protocol.Answer{Block: "x"}, `{"followup_message":"x"}`},
		{"opencode", protocol.SessionStart, protocol.Answer{Context: text}, text},
		{"opencode", protocol.Stop, protocol.Answer{Block: "x"}, `{"decision":"block","reason":"x"}`},
		{"opencode", protocol.Stop, protocol.Answer{Notice: "x"}, `{"systemMessage":"x"}`},
		{"claude", protocol.SessionEnd, protocol.Answer{Context: "x", Block: "x"}, ""},
	}
	for _, tt := range tests {
		agent, prompt, _ := strings.Cut(tt.agent, " ")
		got := string(protocol.Encode(protocol.Call{Agent: agent, Event: tt.event, Prompt: prompt}, tt.answer))
		if strings.TrimSuffix(got, "\n") != strings.TrimSuffix(tt.want, "\n") {
			t.Errorf("%s %s: got %s, want %s", tt.agent, tt.event, got, tt.want)
		}
	}
}

func TestWho(t *testing.T) {
	tests := []struct{ env, want string }{
		{"", " "},
		{"CLAUDECODE=1", "claude "},
		{"CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=s", "claude s"},
		{"CODEX_THREAD_ID=t", "codex t"},
		{"CKPT_AGENT=me", "me "},
		{"CKPT_AGENT=me CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=s", "me "},
		{"CKPT_AGENT=claude CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=s", "claude s"},
		{"CKPT_SESSION=mine CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=s", "claude mine"},
		{"CURSOR_AGENT=1 CLAUDE_CODE_SESSION_ID=s", "cursor "},
	}
	for _, tt := range tests {
		env := map[string]string{}
		for _, v := range strings.Fields(tt.env) {
			name, value, _ := strings.Cut(v, "=")
			env[name] = value
		}
		agent, session := protocol.Who(func(name string) string { return env[name] })
		if got := agent + " " + session; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.env, got, tt.want)
		}
	}
}

// FuzzEncode checks that for any call and any answer the output is one JSON value, or
// text if the agent takes text.
func FuzzEncode(f *testing.F) {
	f.Add(`{"session_id":"s"}`, "text \x00 \xff \"")
	f.Fuzz(func(t *testing.T, input, text string) {
		for _, agent := range protocol.Agents() {
			for _, event := range protocol.Events {
				call := protocol.Decode(agent, event, strings.NewReader(input))
				out := protocol.Encode(call, protocol.Answer{Context: text, Block: text})
				plain := agent == "opencode" || agent == "claude" && event == protocol.PreCompact
				if len(out) > 0 && !plain && !json.Valid(out) {
					t.Errorf("%s %s: %q", agent, event, out)
				}
			}
		}
	})
}

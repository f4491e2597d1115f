package protocol_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"example.com/ckpt/internal/agents/protocol"
)

func code(n int) *int { return &n }

// TestTool reads payloads as the agents send them.
func TestTool(t *testing.T) {
	const claude = `{"session_id":"s","cwd":"/w","hook_event_name":"PostToolUse",`
	const copilot = `{"sessionId":"s","timestamp":1795369786182,"cwd":"/w",`
	const gemini = `{"session_id":"s","cwd":"/w","hook_event_name":"AfterTool","timestamp":"2026-11-22T17:49:45.111Z",`
	const answered = `"tool_response":{"stdout":"hi\na.txt","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false},"tool_use_id":"t","duration_ms":31}`
	tests := []struct {
		name, input string
		want        protocol.ToolUse
	}{
		{"Claude Bash", claude + `"tool_name":"Bash","tool_input":{"command":"go test ./...","description":"test"},` + answered,
			protocol.ToolUse{Name: "Bash", Command: "go test ./...", Exit: code(0)}},
		{"Claude Bash fails", `{"session_id":"s","hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"false"},"error":"Exit code 3\nout\nerr","is_interrupt":false}`,
			protocol.ToolUse{Name: "Bash", Command: "false", Exit: code(3)}},
		{"Claude Bash is interrupted", claude + `"tool_name":"Bash","tool_input":{"command":"sleep 9"},"tool_response":{"stdout":"","interrupted":true}}`,
			protocol.ToolUse{Name: "Bash", Command: "sleep 9"}},
		{"Claude Bash goes on behind", claude + `"tool_name":"Bash","tool_input":{"command":"npm start"},"tool_response":{"stdout":"","interrupted":false,"backgroundTaskId":"b1"}}`,
			protocol.ToolUse{Name: "Bash", Command: "npm start"}},
		{"Claude grep finds nothing", claude + `"tool_name":"Bash","tool_input":{"command":"grep x y"},"tool_response":{"stdout":"","interrupted":false,"returnCodeInterpretation":"No matches found"}}`,
			protocol.ToolUse{Name: "Bash", Command: "grep x y"}},
		{"Claude Write", claude + `"tool_name":"Write","tool_input":{"file_path":"/w/new.txt","content":"one\n"},"tool_response":{"type":"create","filePath":"/w/new.txt","content":"one\n","structuredPatch":[],"originalFile":null}}`,
			protocol.ToolUse{Name: "Write", Files: []string{"/w/new.txt"}}},
		{"Claude Edit", claude + `"tool_name":"Edit","tool_input":{"file_path":"/w/a \"b\".txt","old_string":"hello","new_string":"world"},"tool_response":{"filePath":"/w/a.txt"}}`,
			protocol.ToolUse{Name: "Edit", Files: []string{`/w/a "b".txt`}}},
		{"Claude Edit fails", `{"session_id":"s","hook_event_name":"PostToolUseFailure","tool_name":"Edit","tool_input":{"file_path":"/w/a.txt"},"error":"String to replace not found"}`,
			protocol.ToolUse{Name: "Edit"}},
		{"Claude NotebookEdit", claude + `"tool_name":"NotebookEdit","tool_input":{"notebook_path":"/w/n.ipynb","new_source":""}}`,
			protocol.ToolUse{Name: "NotebookEdit", Files: []string{"/w/n.ipynb"}}},
		{"Claude Read", claude + `"tool_name":"Read","tool_input":{"file_path":"/w/a.txt"},"tool_response":{"type":"text"}}`,
			protocol.ToolUse{Name: "Read"}},
		{"a tool of a server", claude + `"tool_name":"mcp__files__write_file","tool_input":{"path":"a.txt","content":"x"}}`,
			protocol.ToolUse{Name: "mcp__files__write_file", Files: []string{"a.txt"}}},
		{"Codex Bash", claude + `"tool_name":"Bash","tool_input":{"command":"exit 3"},"tool_response":"{\"exit_code\":7}\n","tool_use_id":"call_14_0"}`,
			protocol.ToolUse{Name: "Bash", Command: "exit 3"}},
		{"Codex words", claude + `"tool_name":"shell","tool_input":{"command":["bash","-lc","cd x && make"]},"tool_response":"ok"}`,
			protocol.ToolUse{Name: "shell", Command: "cd x && make"}},
		{"words", claude + `"tool_name":"shell","tool_input":{"command":[ "git" , "log", 7, null, "-1"]}}`,
			protocol.ToolUse{Name: "shell", Command: "git log -1"}},
		{"Codex apply_patch", claude + `"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: new.txt\n+one\n+*** Add File: no.txt\n*** Update File: a.txt\n*** Move to: b/a.txt\n@@\n-hello\n+world\n*** Delete File: old.txt\n*** End Patch\n"},"tool_response":"Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess."}`,
			protocol.ToolUse{Name: "apply_patch", Files: []string{"new.txt", "a.txt", "b/a.txt", "old.txt"}}},
		{"Codex apply_patch fails", claude + `"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: new.txt\n+one\n*** End Patch\n"},"tool_response":"Exit code: 1\nOutput:\nno such line"}`,
			protocol.ToolUse{Name: "apply_patch"}},
		{"a patch in a command", claude + `"tool_name":"Bash","tool_input":{"command":"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: x.go\n+one\n*** End Patch\nEOF\n"},"tool_response":""}`,
			protocol.ToolUse{Name: "Bash", Files: []string{"x.go"}, Command: "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: x.go\n+one\n*** End Patch\nEOF\n"}},
		{"Copilot bash", copilot + `"toolName":"bash","toolArgs":{"command":"make","description":"d"},"toolResult":{"resultType":"success","textResultForLlm":"<shellId: 9 completed with exit code 9>\nout\n<shellId: 1 completed with exit code 3>"}}`,
			protocol.ToolUse{Name: "bash", Command: "make", Exit: code(3)}},
		{"Copilot bash by Claude's settings", claude + `"tool_name":"bash","tool_input":{"command":"make"},"tool_result":{"result_type":"success","text_result_for_llm":"out\n<shellId: 0 completed with exit code 0>"}}`,
			protocol.ToolUse{Name: "bash", Command: "make", Exit: code(0)}},
		{"Copilot's arguments in a string", copilot + `"toolName":"bash","toolArgs":"{\"command\":\"make \\\"x\\\"\"}"}`,
			protocol.ToolUse{Name: "bash", Command: `make "x"`}},
		{"Copilot create", copilot + `"toolName":"create","toolArgs":{"path":"/w/new.txt","file_text":"one\n"},"toolResult":{"resultType":"success","textResultForLlm":"Created file"}}`,
			protocol.ToolUse{Name: "create", Files: []string{"/w/new.txt"}}},
		{"Copilot edit is denied", copilot + `"toolName":"edit","toolArgs":{"path":"/w/a.txt"},"toolResult":{"resultType":"denied","textResultForLlm":"no"}}`,
			protocol.ToolUse{Name: "edit"}},
		{"Copilot edit fails", copilot + `"toolName":"edit","toolArgs":{"path":"/w/a.txt","old_str":"absent","new_str":"world"},"error":"No match found"}`,
			protocol.ToolUse{Name: "edit"}},
		{"Copilot's editor looks", copilot + `"toolName":"str_replace_editor","toolArgs":{"command":"view","path":"/w/a.txt"}}`,
			protocol.ToolUse{Name: "str_replace_editor"}},
		{"Copilot's editor writes", copilot + `"toolName":"str_replace_editor","toolArgs":{"command":"create","path":"/w/a.txt"}}`,
			protocol.ToolUse{Name: "str_replace_editor", Files: []string{"/w/a.txt"}}},
		{"Copilot apply_patch", copilot + `"toolName":"apply_patch","toolArgs":"*** Begin Patch\n*** Update File: a.txt\n@@\n*** End Patch"}`,
			protocol.ToolUse{Name: "apply_patch", Files: []string{"a.txt"}}},
		{"Gemini write_file", gemini + `"tool_name":"write_file","tool_input":{"file_path":"/w/new.txt","content":"one\n"},"tool_response":{"llmContent":"Successfully created"}}`,
			protocol.ToolUse{Name: "write_file", Files: []string{"/w/new.txt"}}},
		{"Gemini replace fails", gemini + `"tool_name":"replace","tool_input":{"file_path":"/w/a.txt"},"tool_response":{"llmContent":"Could not","error":{"message":"m","type":"edit_no_occurrence_found"}}}`,
			protocol.ToolUse{Name: "replace"}},
		{"Gemini shell", gemini + `"tool_name":"run_shell_command","tool_input":{"command":"ls"},"tool_response":{"llmContent":"<untrusted_context>\nOutput: Exit Code: 7\nProcess Group PGID: 12652\n</untrusted_context>"}}`,
			protocol.ToolUse{Name: "run_shell_command", Command: "ls", Exit: code(0)}},
		{"Gemini shell fails", gemini + `"tool_name":"run_shell_command","tool_input":{"command":"ls"},"tool_response":{"llmContent":"<untrusted_context>\nOutput: out\nerr\nExit Code: 3\nBackground PIDs: 1, 2\nProcess Group PGID: 12667\n</untrusted_context>"}}`,
			protocol.ToolUse{Name: "run_shell_command", Command: "ls", Exit: code(3)}},
		{"Gemini shell is killed", gemini + `"tool_name":"run_shell_command","tool_input":{"command":"ls"},"tool_response":{"llmContent":"Output: out\nSignal: 9\nProcess Group PGID: 12667"}}`,
			protocol.ToolUse{Name: "run_shell_command", Command: "ls"}},
		{"Gemini shell goes on behind", gemini + `"tool_name":"run_shell_command","tool_input":{"command":"npm start"},"tool_response":{"llmContent":"Command moved to background (PID: 7). Output hidden."}}`,
			protocol.ToolUse{Name: "run_shell_command", Command: "npm start"}},
		{"OpenCode bash", `{"session_id":"s","tool_name":"bash","tool_input":{"command":"make","description":"d"},"exit":2}`,
			protocol.ToolUse{Name: "bash", Command: "make", Exit: code(2)}},
		{"OpenCode as its plugins see it", `{"input":{"tool":"bash","sessionID":"s","callID":"c","args":{"command":"make"}},"output":{"title":"make","metadata":{"output":"out\n","exit":3},"output":"out\n"}}`,
			protocol.ToolUse{Name: "bash", Command: "make", Exit: code(3)}},
		{"OpenCode is killed", `{"session_id":"s","tool_name":"bash","tool_input":{"command":"make"},"exit":null}`,
			protocol.ToolUse{Name: "bash", Command: "make"}},
		{"OpenCode write", `{"session_id":"s","tool_name":"write","tool_input":{"filePath":"/w/new.txt","content":"one"}}`,
			protocol.ToolUse{Name: "write", Files: []string{"/w/new.txt"}}},
		{"OpenCode patch", `{"session_id":"s","tool_name":"patch","tool_input":{"patchText":"*** Begin Patch\n*** Add File: n.txt\n+x\n*** End Patch"}}`,
			protocol.ToolUse{Name: "patch", Files: []string{"n.txt"}}},
		{"other types", claude + `"tool_name":["Bash"],"tool_input":[{"command":"x"}],"tool_response":7}`, protocol.ToolUse{}},
		{"a number for a command", claude + `"tool_name":"Bash","tool_input":{"command":7}}`, protocol.ToolUse{Name: "Bash"}},
		{"no tool", claude + `"prompt":"x"}`, protocol.ToolUse{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := protocol.Decode("claude", protocol.Tool, strings.NewReader(tt.input))
			got.Tool.End = "" // TestEnd checks it
			if !reflect.DeepEqual(got.Tool, tt.want) || got.Session != "s" {
				t.Errorf("session %q, tool %+v\nwant %+v", got.Session, got.Tool, tt.want)
			}
		})
	}
}

// TestEnd reads the last lines that a command printed.
func TestEnd(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for _, tt := range []struct{ name, rest, want string }{
		{"Claude", `"tool_response":{"stdout":"one\ntwo\n","stderr":"","interrupted":false}`, "one\ntwo"},
		{"Claude, on standard error", `"tool_response":{"stdout":"","stderr":"OK","interrupted":false}`, "OK"},
		{"Claude fails", `"error":"Exit code 1\nout\nFAILED (failures=1)"`, "Exit code 1\nout\nFAILED (failures=1)"},
		{"Claude fails and prints nothing", `"error":"Exit code 1"`, ""},
		{"Codex", `"tool_response":"Exit code: 1\nWall time: 0 seconds\nOutput:\nno such file\n"`,
			"Exit code: 1\nWall time: 0 seconds\nOutput:\nno such file"},
		{"Codex prints nothing", `"tool_response":"Exit code: 1\nWall time: 0 seconds\nOutput:\n"`, ""},
		{"Copilot CLI", `"tool_result":{"text_result_for_llm":"bad\n<shellId: 1 completed with exit code 3>"}`, "bad"},
		{"Gemini CLI", `"tool_response":{"llmContent":"Output: bad\nExit Code: 1\nProcess Group PGID: 77"}`, "Output: bad"},
		{"OpenCode", `"metadata":{"exit":1,"output":"bad\n"}`, "bad"},
		{"a long output", `"tool_response":{"stdout":"` + long + `\nlast"}`, "last"},
		{"a long line", `"tool_response":{"stdout":"` + long + `"}`, ""},
	} {
		input := `{"session_id":"s","tool_name":"Bash","tool_input":{"command":"make"},` + tt.rest + `}`
		if got := protocol.Decode("claude", protocol.Tool, strings.NewReader(input)); got.Tool.End != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got.Tool.End, tt.want)
		}
	}
}

// TestLargePayload checks that Input keeps the beginning and the end of a long string, in whatever
// parts it arrives, and everything beside it.
func TestLargePayload(t *testing.T) {
	large, _ := json.Marshal(strings.Repeat("x \"\\\n\u00e9\\\\", 1<<18) + "\n<shellId: 0 completed with exit code 4>")
	input := []byte(`{"session_id":"s","tool_name":"bash","tool_input":{"command":` + string(large) +
		`},"tool_result":{"other":[` + string(large) + `],"text_result_for_llm":` + string(large) + `},"tool_use_id":"t"}`)
	u := protocol.Decode("claude", protocol.Tool, bytes.NewReader(input)).Tool
	if u.Name != "bash" || !strings.HasPrefix(u.Command, "x \"\\\n\u00e9\\\\x") || len(u.Command) > 16<<10 {
		t.Errorf("%d bytes: %q, a command of %d bytes", len(input), u.Name, len(u.Command))
	}
	if u.Exit == nil || *u.Exit != 4 {
		t.Errorf("%d bytes: exit %v", len(input), u.Exit)
	}
}

// FuzzDecode checks that no input breaks a hook, and that a whole object arrives whole.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"session_id":"s","tool_name":"Bash","tool_input":{"command":["bash","-lc","x"]},"tool_response":{"llmContent":"Exit Code: 1"}}`))
	f.Add([]byte(`{"sessionId":"\u00e9\\","cwd":"/w","toolName":"apply_patch","toolArgs":"*** Begin Patch\n*** Add File: x","toolResult":{"textResultForLlm":"completed with exit code 1"}}`))
	f.Add([]byte(`{"input":{"input":{},"tool":"x","args":{"command":"\ud83d"}},"output":{"metadata":{"exit":1}},"workspace_roots":["/w"],"loop_count":1e400}`))
	f.Add([]byte(`{"a":,"b":}]"`))
	f.Fuzz(func(t *testing.T, input []byte) {
		c := protocol.Decode("claude", protocol.Tool, bytes.NewReader(input))
		if len(c.Tool.Command) > 3*16<<10 || len(c.Session) > 3*4<<10 {
			t.Fatalf("%d bytes of a command, %d of a session", len(c.Tool.Command), len(c.Session))
		}
	})
}

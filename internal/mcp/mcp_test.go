package mcp

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/agents/settings"
)

const protocolArguments = `{"summary": {"goal": "Research coordination", "completed": ["Found 3 docs"], "pending": ["Format report"], "decisions": ["Use SQS: it is there"]},
  "resumePointer": {"nextAction": "Read a.md", "phase": "research"}, "tokensUsed": 45000}`

const stateArguments = `{"sessionId": "session-1", "description": "Before the API calls", "state": {"query": "Find competitors", "currentStepIndex": 1, "results": [{"stepId": "s1", "output": "ok", "durationMs": 1.50e3}],
  "plan": [{"id": "s1", "description": "Identify", "action": "search", "parameters": {}, "status": "completed"}, {"id": "s2", "description": "Fetch", "action": "http", "parameters": {"n": 12345678901234567890123}, "status": "pending"}], "context": {}}}`

const agentArguments = `{"workflow_id": "wf_1", "step_name": "Phase 1 Complete", "state": {"current_phase": "2", "completed_phases": ["1"], "pending_phases": ["3"], "todos": [{"content": "Write tests", "status": "in_progress"}], "agent_outputs": {"architect": {"done": true}}}}`

func TestTools(t *testing.T) {
	c := connect(t)
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	reading := []string{"checkpoint_list", "checkpoint_load", "checkpoint_resume", "checkpoint_validate"}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		a := tool.Annotations
		if a.ReadOnlyHint != slices.Contains(reading, tool.Name) || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
		src, _ := json.Marshal(tool.InputSchema)
		if !bytes.Contains(src, []byte(`"type":"object"`)) || bytes.Contains(src, []byte(`"null"`)) {
			t.Errorf("%s: schema %s", tool.Name, src)
		}
		var in struct {
			Properties map[string]struct{ Description string }
		}
		if err := json.Unmarshal(src, &in); err != nil {
			t.Fatal(err)
		}
		c.has(c.refused(tool.Name, `{"nonsense": 1}`), tool.Name+` has no argument "nonsense"`)
		for name, p := range in.Properties {
			if p.Description == "" {
				t.Errorf("%s: %s is not described", tool.Name, name)
			}
		}
	}
	slices.Sort(names)
	want := []string{"checkpoint", "checkpoint_archive", "checkpoint_delta", "checkpoint_list", "checkpoint_load", "checkpoint_resume", "checkpoint_save", "checkpoint_validate", "rewind"}
	if !slices.Equal(names, want) {
		t.Errorf("tools %v", names)
	}
	// setup lets agents call every tool without asking. An exception would have to be made here.
	if granted := slices.Sorted(slices.Values(settings.GrantedTools)); !slices.Equal(granted, names) {
		t.Errorf("granted are %v", granted)
	}
}

func TestTheProtocolsSession(t *testing.T) {
	c := connect(t)
	text, v := c.must("checkpoint_save", protocolArguments)
	id, _ := v["checkpointId"].(string)
	c.has(text, "Checkpoint saved.", "Checkpoint ID: "+id, "Next action: Read a.md", "Resume with:")
	if v["agentId"] != "claude" || v["createdAt"] != "2026-01-02T10:00:00Z" || v["op"] != "new" || v["committed"] != true {
		t.Errorf("saved: %v", v)
	}
	brief, _ := c.must("checkpoint_resume", `{}`)
	c.has(brief, "Research coordination", "Read a.md", "**Use SQS**: it is there")

	// The next save is a delta of what is new.
	_, v = c.must("checkpoint_save", strings.Replace(protocolArguments, `"Found 3 docs"`, `"Found 3 docs", "Read a.md"`, 1))
	if v["op"] != "delta" || v["checkpointId"] != id {
		t.Errorf("saved again: %v", v)
	}
	c.has(c.file("active/"+id+".md"), "### What Changed\n\nRead a.md\n")
	_, v = c.must("checkpoint_load", `{}`)
	got, _ := json.Marshal(v["checkpoint"])
	c.has(string(got), `"completed":["Found 3 docs","Read a.md"]`, `"tokensUsed":45000`)

	// Record progress with checkpoint_delta.
	_, v = c.must("checkpoint_delta", `{"changed": "It works", "decisions": [{"what": "No retry", "why": "it hides the error"}], "next": ["Ship it"], "artifacts": [{"path": "a.go", "action": "created"}], "state": null, "done": []}`)
	if v["op"] != "delta" || v["commit"] == "" {
		t.Errorf("delta: %v", v)
	}
	c.has(c.file("active/"+id+".md"), "- **No retry**: it hides the error", "1. Ship it", "| `a.go` | created |")
	text, _ = c.must("checkpoint_validate", `{}`)
	c.has(text, "0 errors")
	text, v = c.must("checkpoint_list", `{}`)
	c.has(text, id)
	if len(v["checkpoints"].([]any)) != 1 {
		t.Errorf("list: %v", v)
	}
	c.must("checkpoint_archive", `{"outcome": "Done", "learnings": ["Ask first"]}`)
	c.has(c.file("LEARNINGS.md"), "- Ask first")
	text, _ = c.must("checkpoint_resume", `{}`)
	c.has(text, "no checkpoint is active", "checkpoint_save begins one")
}

func TestAnExecutorsSession(t *testing.T) {
	c := connect(t)
	_, v := c.must("checkpoint_load", `{"sessionId": "session-1"}`)
	if v["found"] != false {
		t.Errorf("loaded %v", v)
	}
	_, v = c.must("checkpoint_save", stateArguments)
	if v["checkpointId"] != "chk-session-1" || v["sessionId"] != "session-1" {
		t.Errorf("saved %v", v)
	}
	if _, v = c.must("checkpoint_save", stateArguments); v["committed"] != false {
		t.Errorf("the same save again %v", v)
	}
	c.must("checkpoint_save", agentArguments) // another piece of work
	_, v = c.must("checkpoint_save", strings.Replace(stateArguments, `"pending"`, `"completed"`, 1))
	if v["checkpointId"] != "chk-session-1" || v["op"] != "delta" {
		t.Errorf("saved again %v", v)
	}
	text, v := c.must("checkpoint_load", `{"sessionId": "session-1"}`)
	c.has(text, "12345678901234567890123", "1.50e3", `"description": "Before the API calls"`)
	if v["schema"] != "state" {
		t.Errorf("loaded %v", v)
	}
	c.must("checkpoint_save", `{"sessionId": "session-1", "state": {"currentStepIndex": 2}}`) // a part of the state
	text, _ = c.must("checkpoint_load", `{"sessionId": "session-1"}`)
	c.has(text, "12345678901234567890123", "1.50e3", `"currentStepIndex": 2`)
	text, _ = c.must("checkpoint_load", `{"workflow_id": "wf_1"}`)
	c.has(text, `"architect"`, `"in_progress"`)
	_, v = c.must("checkpoint_list", `{"sessionId": "session-1"}`)
	if all := v["checkpoints"].([]any); len(all) != 1 || all[0].(map[string]any)["id"] != "chk-session-1" {
		t.Errorf("list %v", v)
	}

	// The same end of another checkpoint is not a repeated request.
	for _, id := range []string{"chk-one", "chk-two"} {
		c.must("checkpoint_save", `{"checkpointId": "`+id+`", `+strings.TrimPrefix(protocolArguments, "{"))
		for _, unchanged := range []bool{false, true} {
			if _, v = c.must("checkpoint_archive", `{"outcome": "Done"}`); v["id"] != id || v["unchanged"] != unchanged {
				t.Errorf("archived %v", v)
			}
		}
	}
}

func TestAnExploration(t *testing.T) {
	c := connect(t)
	c.must("checkpoint_save", protocolArguments)
	if got := c.refused("rewind", `{"report": "x"}`); !strings.HasPrefix(got, "No active checkpoint.\nhint: ") {
		t.Errorf("rewind: %q", got)
	}
	text, v := c.must("checkpoint", `{"goal": "Why retries double"}`)
	if text != "Checkpoint created.\nGoal: Why retries double\nRun your investigation, then call rewind with a concise report." || v["startedAt"] != "2026-01-02T10:00:00Z" {
		t.Errorf("checkpoint: %q %v", text, v)
	}
	if got := c.refused("checkpoint", `{"goal": "Another"}`); !strings.HasPrefix(got, "Checkpoint already active.\n") {
		t.Errorf("checkpoint: %q", got)
	}
	if got := c.refused("rewind", `{"report": " "}`); !strings.HasPrefix(got, "Report cannot be empty.\n") {
		t.Errorf("rewind: %q", got)
	}
	text, v = c.must("rewind", `{"report": "Both retry"}`)
	if text != "Rewind requested.\nReport captured for context replacement." || v["rewound"] != true || v["report"] != "Both retry" {
		t.Errorf("rewind: %q %v", text, v)
	}
}

func TestRefusals(t *testing.T) {
	c := connect(t)
	for _, test := range []struct{ tool, arguments, says string }{
		{"checkpoint_save", `{}`, "protocol needs summary.goal and resumePointer.nextAction"},
		{"checkpoint_save", `{"sumary": {}}`, "checkpoint_save has no argument \"sumary\"\nhint: it takes agentId, checkpointId, checkpoint_id, createdAt,"},
		{"checkpoint_save", `{"summary": "x", "resumePointer": {"nextAction": "x"}}`, "summary"},
		{"checkpoint_delta", `{"changed": "x"}`, "no checkpoint is active\nhint: ckpt new"},
		{"checkpoint_delta", `{}`, "changed"},
		{"checkpoint_delta", `{"changed": "x", "nxt": ["y"]}`, "checkpoint_delta has no argument \"nxt\"\nhint: it takes addNext, artifacts, "},
		{"checkpoint_load", `{"checkpointId": "nope"}`, "nope"},
		{"checkpoint_load", `{"schema": "yaml"}`, "schema"},
		{"checkpoint_resume", `{"id": "nope"}`, "nope"},
		{"checkpoint_list", `{"limit": -1}`, "limit"},
		{"checkpoint_archive", `{"outcome": "x"}`, "no checkpoint is active"},
		{"checkpoint_validate", `{"id": "nope"}`, "nope"},
	} {
		c.has(c.refused(test.tool, test.arguments), test.says)
	}
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "checkpoint_explode"}); err == nil {
		t.Error("a tool that is not there was called")
	}
	c.must("checkpoint_save", protocolArguments)
	c.has(c.refused("checkpoint_delta", `{"changed": "the token is gh`+`p_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`), "\nhint: remove it; if it is not a secret, write ckpt:allow in the line")
	c.has(c.refused("checkpoint_delta", `{"changed": "a\u0000b"}`), "a zero byte: this is not text")
	nowhere := connectIn(t, t.TempDir())
	c.has(nowhere.refused("checkpoint_list", `{}`), "not in a git repository")
}

func TestAFileThatCannotBeRead(t *testing.T) {
	c := connect(t)
	_, v := c.must("checkpoint_save", protocolArguments)
	id := v["checkpointId"].(string)
	broken := "---\ncheckpoint: \"" + id + "\n---\n"
	if err := os.WriteFile(filepath.Join(c.dir, "checkpoints/active", id+".md"), []byte(broken), 0o666); err != nil {
		t.Fatal(err)
	}
	c.refused("checkpoint_resume", `{}`)
	text, v := c.must("checkpoint_list", `{}`)
	c.has(text, "unreadable")
	if v["checkpoints"].([]any)[0].(map[string]any)["unreadable"] == "" {
		t.Errorf("list: %v", v)
	}
	c.must("checkpoint_save", `{"checkpointId": "chk-other", `+strings.TrimPrefix(protocolArguments, "{"))
	text, _ = c.must("checkpoint_resume", `{"id": "chk-other"}`)
	c.has(text, id+".md cannot be read")
}

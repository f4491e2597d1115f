package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"example.com/ckpt/internal/agents/protocol"
)

// TestToolsAreSmall bounds the description of the tools, which every request of a client has.
func TestToolsAreSmall(t *testing.T) {
	c := connect(t)
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	sum, always := 0, 0
	for _, tool := range list.Tools {
		src, err := json.Marshal(map[string]any{"name": tool.Name, "description": tool.Description, "input_schema": tool.InputSchema})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-20s %5d bytes", tool.Name, len(src))
		sum += len(src)
		if tool.Meta["anthropic/alwaysLoad"] == true {
			always += len(src)
		}
	}
	if sum > 5800 {
		t.Errorf("the tools have %d bytes of 5,800", sum)
	}
	if always > 1600 {
		t.Errorf("the tools of every request have %d bytes of 1,600", always)
	}
}

// TestABriefIsText checks that a brief is one text within a limit, without structured content.
// Clients would show their model that content instead, which is longer.
func TestABriefIsText(t *testing.T) {
	c := connect(t)
	c.must("checkpoint_save", protocolArguments)
	for i := range 12 {
		c.must("checkpoint_delta", `{"changed": "Step `+strings.Repeat(string(rune('a'+i%26))+" ", 900)+`", "decisions": [{"what": "`+strings.Repeat(string(rune('a'+i%26))+"x ", 120)+`"}]}`)
	}
	r := c.call("checkpoint_resume", `{}`)
	if r.StructuredContent != nil || len(r.Content) != 1 {
		t.Errorf("the brief is told more than once: %v", r)
	}
	text := said(r)
	c.has(text, "# Resuming chk-", "Research coordination")
	if len(text) > protocol.Limit || len(text) < protocol.Limit*8/10 {
		t.Errorf("%d bytes of %d", len(text), protocol.Limit)
	}
	if small := said(c.call("checkpoint_resume", `{"budget": 1000}`)); len(small) > len(text)/2 {
		t.Errorf("1000 tokens are %d bytes", len(small))
	}
	small := c.call("checkpoint_resume", `{"budget": 5}`)
	if want := "needs"; !small.IsError || !strings.Contains(said(small), want) {
		t.Errorf("a budget without room for anything: %q, want an error with %q", said(small), want)
	}
	if large := said(c.call("checkpoint_resume", `{"budget": 100000}`)); len(large) < 2*len(text) {
		t.Errorf("100000 tokens are %d bytes", len(large))
	}
}

// TestUnlistedArguments checks that tools accept arguments that their schemas do not list.
func TestUnlistedArguments(t *testing.T) {
	c := connect(t)
	_, v := c.must("checkpoint_save", `{"workflow_id": "w", "workflow_type": "research", "step_name": "Search", "step_number": 3, "metadata": {"trigger": "phase"}, "state": {"current_phase": "2"}}`)
	id := v["checkpointId"].(string)
	c.must("checkpoint_delta", `{"changed": "It works", "rules": ["Don't push"], "artifacts": [{"path": "a.go", "action": "created"}], "transitions": [{"item": "Phase 1", "before": "active", "after": "done"}], "trigger": "handoff"}`)
	c.has(c.file("active/"+id+".md"), "| `a.go` | created |", "| Phase 1 | active | done |", "trigger: handoff", "## User Rules\n\n- Don't push\n")
	c.refused("checkpoint_delta", `{"changed": "x", "artifacts": "a.go"}`)
	c.must("checkpoint_archive", `{"outcome": "Done", "force": true}`)
}

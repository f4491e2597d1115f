package schema_test

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/transfer/schema"
)

// TestEditsAfterASave changes a section by hand after a save. An export has the change, and
// everything else as it was saved.
func TestEditsAfterASave(t *testing.T) {
	const state = `{"state":{"current_phase":"2","context":{"stack":"Go","odd":{"deep":[1]},"notes":["plain",["listed"]]},` +
		`"todos":[{"content":"Build it","status":"pending","id":7},{"content":"Ship it","status":"pending","id":8}],` +
		`"decisions":[{"decision":"Use Go","rationale":"it is there","by":"Ada"}]}}`
	const phases = `{"state":{"current_phase":"2","completed_phases":["0",1],"pending_phases":["3","Ship it"]}}`
	const listed = "- [x] Phase 0\n- [x] Phase 1\n- [ ] Phase 3\n- [ ] Ship it\n"
	const protocol = `{"checkpointId":"chk-a","summary":{"goal":"Sell","completed":[],"pending":[],"decisions":[]},` +
		`"resumePointer":{"nextAction":"Send","currentContext":"a\u0007b"}}`
	const pending = `{"summary":{"goal":"Sell","pending":["Pack","Send"]},"resumePointer":{"nextAction":""}}`
	for name, tt := range map[string]struct {
		json, old, new string
		as             schema.Name
		path           string
		want           string // the JSON at the path
	}{
		"nothing": {json: state, as: schema.Agent, path: "state.context",
			want: `{"stack":"Go","odd":{"deep":[1]},"notes":["plain",["listed"]]}`},
		"a fact has another value": {json: state, old: "stack: Go", new: "stack: Rust", as: schema.Agent, path: "state.context",
			want: `{"odd":{"deep":[1]},"notes":["plain",["listed"]],"stack":"Rust"}`},
		"a fact is removed": {json: state, old: "- stack: Go\n", as: schema.Agent, path: "state.context",
			want: `{"odd":{"deep":[1]},"notes":["plain",["listed"]]}`},
		"a fact is added": {json: state, old: "- stack: Go\n", new: "- stack: Go\n- port: 80\n", as: schema.Agent,
			path: "state.context", want: `{"stack":"Go","odd":{"deep":[1]},"notes":["plain",["listed"]],"port":"80"}`},
		"a note is added": {json: state, old: "- stack: Go\n", new: "- stack: Go\n- two users\n", as: schema.Agent,
			path: "state.context.notes", want: `["plain",["listed"],"two users"]`},
		"a note is removed": {json: state, old: "- plain\n", as: schema.Agent, path: "state.context.notes", want: `[["listed"]]`},
		"a task is done": {json: state, old: "[ ] Build it", new: "[x] Build it", as: schema.Agent, path: "state.todos",
			want: `[{"content":"Build it","status":"completed","id":7},{"content":"Ship it","status":"pending","id":8}]`},
		"a task is removed": {json: state, old: "1. [ ] Build it\n", as: schema.Agent, path: "state.todos",
			want: `[{"content":"Ship it","status":"pending","id":8}]`},
		"a decision is added": {json: state, old: "- **Use Go**", new: "- **Use git**: it is there\n- **Use Go**", as: schema.Agent,
			path: "state.decisions", want: `[{"decision":"Use Go","rationale":"it is there","by":"Ada"},` +
				`{"decision":"Use git","rationale":"it is there"}]`},
		"the state names no phase": {json: phases, old: listed, new: "Half of it works.\n", as: schema.Agent, path: "state",
			want: `{"current_phase":"2","completed_phases":["0",1],"pending_phases":["3","Ship it"],` +
				`"decisions":[],"files_modified":[],"todos":[]}`},
		"the state names some phases": {json: phases, old: listed, new: "- [x] Phase 3\n- [ ] Phase 4\n", as: schema.Agent, path: "state",
			want: `{"current_phase":"2","completed_phases":["0",1,"3"],"pending_phases":["Ship it","4"],` +
				`"decisions":[],"files_modified":[],"todos":[]}`},
		"the only action is removed": {json: protocol, old: "1. Send\n", as: schema.Protocol,
			path: "resumePointer.nextAction", want: `""`},
		"a pending action is done, no next one was saved": {json: pending, old: "1. Pack\n", as: schema.Protocol, path: "summary.pending",
			want: `["Send"]`},
		"all pending actions are done": {json: pending, old: "1. Pack\n2. Send\n", as: schema.Protocol, path: "summary.pending",
			want: `[]`},
		"no pending action is the next one": {json: pending, old: "1. Pack\n", as: schema.Protocol, path: "resumePointer.nextAction",
			want: `""`},
		"another action comes before the pending ones": {json: pending, old: "1. Pack\n", new: "1. Ask\n1. Pack\n", as: schema.Protocol,
			path: "resumePointer.nextAction", want: `"Ask"`},
		"the pending actions have another order": {json: pending, old: "1. Pack\n2. Send\n", new: "1. Send\n2. Pack\n",
			as: schema.Protocol, path: "resumePointer.nextAction", want: `"Send"`},
		"the state is rewritten": {json: protocol, old: "\nab\n", new: "\nIt works.\n", as: schema.Protocol,
			path: "resumePointer.currentContext", want: `"It works."`},
	} {
		t.Run(name, func(t *testing.T) {
			c := taken(t, tt.json)
			text := string(c.Doc.Bytes())
			if !strings.Contains(text, tt.old) {
				t.Fatalf("%q is not in\n%s", tt.old, text)
			}
			if tt.old != "" {
				text = strings.Replace(text, tt.old, tt.new, 1)
			}
			edited, err := checkpoint.Parse(c.Path, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			v, _ := value.Get(given(t, edited, tt.as), strings.Split(tt.path, ".")...)
			if got, _ := value.JSON(v); string(got) != tt.want {
				t.Errorf("%s, want %s\n%s", got, tt.want, text)
			}
		})
	}
}

// TestAsItCame checks that an export has the members of a save in their order, and that Further returns the
// part of the save that no section shows.
func TestAsItCame(t *testing.T) {
	const src = `{"state":{"todos":[{"id":7,"status":"pending","content":"Build it"}],"odd":[1.50],"current_phase":"2",` +
		`"context":{"stack":"Go"}},"workflow_id":"w"}`
	c := taken(t, src)
	if got := text(given(t, c, schema.Agent)); !strings.HasPrefix(got, strings.TrimSuffix(src, `},"workflow_id":"w"}`)) {
		t.Errorf("saved %s, loaded %s", src, got)
	}
	further, ok := schema.Further(c)
	for _, part := range []string{`"id": 7`, `1.50`} {
		if !ok || !strings.Contains(further, part) {
			t.Errorf("%s lacks %s", further, part)
		}
	}
	for _, part := range []string{"stack", "workflow", "phase", "metadata"} {
		if strings.Contains(further, part) {
			t.Errorf("%s is in a section, and in\n%s", part, further)
		}
	}
	replaced := strings.Replace(string(taken(t, `{"state":{"completed_phases":["1"]}}`).Doc.Bytes()), "- [x] Phase 1\n", "It works.\n", 1)
	if c, err := checkpoint.Parse(c.Path, []byte(replaced)); err != nil {
		t.Fatal(err)
	} else if further, _ := schema.Further(c); !strings.Contains(further, "completed_phases") {
		t.Errorf("the phases that no section has are not in\n%s", further)
	}
	if further, ok := schema.Further(taken(t, `{"state":{"current_phase":"2"}}`)); further != "" || !ok {
		t.Errorf("everything is in sections, but there is\n%s", further)
	}
}

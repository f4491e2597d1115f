package schema_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/transfer/schema"
)

var now = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// taken returns a JSON text as a new checkpoint.
func taken(t *testing.T, src string) *checkpoint.Checkpoint {
	t.Helper()
	im, err := schema.Read([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	text, err := im.Markdown()
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	c, err := revise.Create(revise.Spec{Fields: map[string]string{"status": "current"}}, text, now)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, src, text)
	}
	return c
}

func given(t *testing.T, c *checkpoint.Checkpoint, name schema.Name) value.Object {
	t.Helper()
	e, err := schema.Write(c, name)
	if err != nil {
		t.Fatalf("%v\n%s", err, c.Doc.Bytes())
	}
	return e.Object
}

// holds describes the first member of want that is missing or different in got, or
// returns "". Got may have more members.
func holds(got, want any, path string) string {
	o, ok := want.(value.Object)
	if !ok {
		if value.Equal(got, want) {
			return ""
		}
		g, _ := value.JSON(got)
		w, _ := value.JSON(want)
		return fmt.Sprintf("%s: %s, not %s", path, g, w)
	}
	if _, ok := got.(value.Object); !ok {
		return path + " is no object"
	}
	for _, m := range o {
		v, have := value.Get(got, m.Key)
		if !have {
			return path + "." + m.Key + " is missing"
		}
		if lost := holds(v, m.Value, path+"."+m.Key); lost != "" {
			return lost
		}
	}
	return ""
}

func TestTheSeedsOwnExamplesComeBack(t *testing.T) {
	for _, name := range schema.Names() {
		src, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		c := taken(t, string(src))
		if lost := holds(given(t, c, schema.Name(name)), must(t, string(src)), name); lost != "" {
			t.Errorf("%s\n%s", lost, c.Doc.Bytes())
		}
	}
}

// TestNothingIsLost: a JSON text of any schema has the same content after it was written
// to a checkpoint and read again.
func TestNothingIsLost(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 1_000 {
		name, o := generated(r, true)
		src, err := value.JSON(o)
		if err != nil {
			t.Fatal(err)
		}
		c := taken(t, string(src))
		if lost := holds(given(t, c, name), o, string(name)); lost != "" {
			t.Fatalf("%d: %s\n%s\n%s", i, lost, src, c.Doc.Bytes())
		}
	}
}

// TestAPartOfAState: if an executor saves only the changed fields, the others stay
// (S002-54: each of its checkpoints is shown as a few fields).
func TestAPartOfAState(t *testing.T) {
	src, err := os.ReadFile("testdata/state.json")
	if err != nil {
		t.Fatal(err)
	}
	c := taken(t, string(src))
	before := given(t, c, schema.State)
	for _, src := range []string{
		`{"currentStepIndex": 2, "lastError": {"message": "API timeout", "stepIndex": 2}}`,
		`{"sessionId": "session-1", "state": {"tried": ["a mirror"]}}`,
	} {
		c = saved(t, c, must(t, src).(value.Object), now)
	}
	after := given(t, c, schema.State)
	for path, want := range map[string]string{
		"state.currentStepIndex": `2`, "state.lastError": `{"message":"API timeout","stepIndex":2}`, "state.tried": `["a mirror"]`,
		"state.plan": "", "state.results": "", "state.context": "", "state.query": "", "stepNumber": `2`,
	} {
		keys := strings.Split(path, ".")
		is, _ := value.Get(after, keys...)
		got, _ := value.JSON(is)
		if was, _ := value.Get(before, keys...); want == "" {
			w, _ := value.JSON(was)
			want = string(w)
		}
		if string(got) != want {
			t.Errorf("%s: %s, not %s", path, got, want)
		}
	}
}

// TestAPartOfAWorkflow: if a workflow saves only the phase at its end, the other fields stay (S001-55).
func TestAPartOfAWorkflow(t *testing.T) {
	src, err := os.ReadFile("testdata/agent.json")
	if err != nil {
		t.Fatal(err)
	}
	c := taken(t, string(src))
	before := given(t, c, schema.Agent)
	for _, src := range []string{
		`{"workflow_id": "wf_xyz789", "step_name": "Phase 3 Complete", "state": {"current_phase": "3", "note": "x"}}`,
		`{"workflow_id": "wf_xyz789", "state": {"context": {"stack": "Go"}}}`,
		`{"workflow_id": "wf_xyz789", "state": {"tried": ["a mirror"]}}`,
		`{"workflow_id": "wf_xyz789", "state": {}, "metadata": {"branch": "main"}}`,
	} {
		c = saved(t, c, must(t, src).(value.Object), now)
	}
	after := given(t, c, schema.Agent)
	for _, path := range []string{"workflow_type", "state.agent_outputs", "state.todos", "state.decisions", "state.completed_phases", "state.files_modified"} {
		was, _ := value.Get(before, strings.Split(path, ".")...)
		if is, _ := value.Get(after, strings.Split(path, ".")...); was == nil || !value.Equal(is, was) {
			t.Errorf("%s: %v, not %v", path, is, was)
		}
	}
	for path, want := range map[string]string{"state.current_phase": `"3"`, "state.context": `{"stack":"Go"}`, "state.tried": `["a mirror"]`} {
		v, _ := value.Get(after, strings.Split(path, ".")...)
		if got, _ := value.JSON(v); string(got) != want {
			t.Errorf("%s: %s, not %s", path, got, want)
		}
	}
}

// TestPlainEntries: if an agent gives a text or a number in place of an object, the
// section of the brief has it, and an export has it unchanged.
func TestPlainEntries(t *testing.T) {
	const src = `{"state": {"completed_phases": [0, 1.5], "pending_phases": [true, "ship"], "decisions": ["Use SQS: it is there"], "files_modified": [7], "todos": ["Read", {"content": "Write", "status": "in_progress"}]}}`
	c := taken(t, src)
	for kind, want := range map[checkpoint.Kind]string{
		checkpoint.State:     "- [x] Phase 0\n- [x] Phase 1.5\n- [ ] true\n- [ ] ship",
		checkpoint.Decisions: "- **Use SQS**: it is there",
		checkpoint.Next:      "1. [ ] Read\n2. [~] Write",
	} {
		if got := c.Text(kind); got != want {
			t.Errorf("%s:\n%s\nnot\n%s", kind, got, want)
		}
	}
	if got := taken(t, `{"summary": {"goal": "g", "completed": "Found it", "pending": "Fix it"}, "resumePointer": {"nextAction": "Read a.md"}}`); got.Text(checkpoint.PlayByPlay) != "- Found it" || got.Text(checkpoint.Next) != "1. Read a.md\n2. Fix it" {
		t.Errorf("one text for a list:\n%s", got.Doc.Bytes())
	}
	if got := taken(t, `{"summary": {"goal": "g <\u0001!-- h"}, "resumePointer": {"nextAction": "<!\u0002-- n"}}`); got.Text(checkpoint.Intent) != `g \<!-- h` || got.Text(checkpoint.Next) != `1. \<!-- n` {
		t.Errorf("a comment with control characters in it:\n%s", got.Doc.Bytes())
	}
	for _, test := range []struct{ line, becomes, path, want string }{
		{"", "", "completed_phases", `[0,1.5]`},
		{"", "", "todos", `["Read",{"content":"Write","status":"in_progress"}]`},
		{"[ ] Read", "[x] Read", "todos", `[{"content":"Read","status":"completed"},{"content":"Write","status":"in_progress"}]`},
		{"[~] Write", "[x] Write", "todos", `["Read",{"content":"Write","status":"completed"}]`},
		{"[ ] true", "[x] true", "completed_phases", `[0,1.5,"true"]`},
		{"[ ] true", "[x] true", "pending_phases", `["ship"]`},
		{"it is there", "it is cheap", "decisions", `[{"decision":"Use SQS","rationale":"it is cheap"}]`},
	} {
		edited, err := checkpoint.Parse(c.Path, []byte(strings.Replace(string(c.Doc.Bytes()), test.line, test.becomes, 1)))
		if err != nil {
			t.Fatal(err)
		}
		list, _ := value.Get(given(t, edited, schema.Agent), "state", test.path)
		if got, _ := value.JSON(list); string(got) != test.want {
			t.Errorf("%q: %s is %s, not %s", test.becomes, test.path, got, test.want)
		}
	}
}

// TestStepNumber: an executor's checkpoint has the step number of its state (S002-08).
func TestStepNumber(t *testing.T) {
	for src, want := range map[string]string{
		`{"currentStepIndex": 4}`:                                                             "4",
		`{"stepNumber": 7, "state": {"currentStepIndex": 4}}`:                                 "7",
		`{"query": "q", "plan": [{"id": "1", "description": "Read", "status": "completed"}]}`: "1",
	} {
		got, _ := value.Get(given(t, taken(t, src), schema.State), "stepNumber")
		if text, _ := value.JSON(got); string(text) != want {
			t.Errorf("%s: step %s, not %s", src, text, want)
		}
	}
}

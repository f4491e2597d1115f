package schema_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/schema"
	"example.com/ckpt/internal/core/value"
)

var now = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// taken is a JSON text as a new checkpoint.
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
	c, err := checkpoint.Draft(checkpoint.Spec{Fields: map[string]string{"status": "current"}}, text, "", now)
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

// holds says which path of want got lacks, "" for none. A schema's own fields may
// come on top.
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
		want, err := value.Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		c := taken(t, string(src))
		if lost := holds(given(t, c, schema.Name(name)), want, name); lost != "" {
			t.Errorf("%s\n%s", lost, c.Doc.Bytes())
		}
	}
}

// TestNothingIsLost: whatever a JSON of one of the shapes holds, it comes out of the
// checkpoint as it went in.
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

// TestADeltaLosesNothing: the same for JSON of the types that the schemas have, without
// code in it, recorded on top of a checkpoint of the same schema.
func TestADeltaLosesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 600 {
		name, first := generated(r, false)
		another, o := generated(r, false)
		for another != name {
			another, o = generated(r, false)
		}
		src, _ := value.JSON(first)
		c := taken(t, string(src))
		im, err := schema.Of(o)
		if err != nil {
			t.Fatal(err)
		}
		revision := c.Revise()
		if _, err := im.Record(c, revision, checkpoint.Progress{}, now); err != nil {
			t.Fatal(err)
		}
		c, err = revision.Apply()
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		if lost := missingOf(given(t, c, name), o, string(name)); lost != "" {
			t.Fatalf("%d: %s\n%s", i, lost, c.Doc.Bytes())
		}
	}
}

// missingOf is holds where a list may hold more, and where a field that says nothing
// leaves what is there.
func missingOf(got, want any, path string) string {
	switch w := want.(type) {
	case nil:
		return ""
	case string:
		if checkpoint.IsNone(w) {
			return ""
		}
	case value.Object:
		for _, m := range w {
			v, have := value.Get(got, m.Key)
			if !have {
				return path + "." + m.Key + " is missing"
			}
			if lost := missingOf(v, m.Value, path+"."+m.Key); lost != "" {
				return lost
			}
		}
		return ""
	case []any:
		g, _ := got.([]any)
		for _, e := range w {
			found := false
			for _, h := range g {
				found = found || value.Equal(e, h)
			}
			if !found {
				text, _ := value.JSON(e)
				return fmt.Sprintf("%s lacks %s", path, text)
			}
		}
		return ""
	}
	return holds(got, want, path)
}

var words = []string{
	"Found 3 official docs", "", " ", "## Problem", "- a\n- b", "a: b", "Use `x`: it is there", "None", "n/a", "ä → 日本語 🎉", "true", "1.0", "null", "~~gone~~", "[x] done",
	"a\x00b", "tab\there", "\r\nline", "---", "```", "```yaml\nx: 1\n```", "two\nlines", "trailing ", "<!-- c -->", "| a | b |", "\"quoted\"", "\\back", "2026-01-02", "\u2028", "\u0085",
	"a; b", "Next: x", "x → done", "**bold**", "Phase 2", "2.5", "# h\n\ntext\n\n\n", "{}", "[]", "- ", "1. one", "0x10", "&anchor", "*alias", "%", "@", "\ufeffbom", "C:\\dir", "..", "~",
}

func word(r *rand.Rand) string { return words[r.IntN(len(words))] }

func anything(r *rand.Rand, depth int) any {
	switch n := r.IntN(9); {
	case n < 3 || depth > 3:
		return word(r)
	case n == 3:
		return json.Number([]string{"0", "-1", "1.50", "1e400", "45000", "0.1e-7", "12345678901234567890123"}[r.IntN(7)])
	case n == 4:
		return nil
	case n == 5:
		return r.IntN(2) == 0
	case n == 6:
		l := []any{}
		for range r.IntN(4) {
			l = append(l, anything(r, depth+1))
		}
		return l
	}
	o := value.Object{}
	for range r.IntN(4) {
		o = value.Set(o, anything(r, depth+1), word(r))
	}
	return o
}

func list(r *rand.Rand, odd bool, entry func() any) any {
	if odd && r.IntN(12) == 0 {
		return anything(r, 0)
	}
	l := []any{}
	for range r.IntN(5) {
		l = append(l, entry())
	}
	return l
}

// generated is a value of one of the shapes, with most of its fields, some of them
// odd where that is wanted, and some that no schema knows.
func generated(r *rand.Rand, odd bool) (schema.Name, value.Object) {
	text := func() any {
		if odd && r.IntN(10) == 0 {
			return anything(r, 0)
		}
		w := word(r)
		for !odd && (strings.ContainsAny(w, "`#<\u2028\u0085") || w == "---") { // what Markdown closes or escapes is another text
			w = word(r)
		}
		return w
	}
	list := func(r *rand.Rand, entry func() any) any { return list(r, odd, entry) }
	anything := func(r *rand.Rand, _ int) any {
		if !odd {
			return json.Number("1")
		}
		return anything(r, 0)
	}
	var o value.Object
	maybe := func(v any, path string) {
		if r.IntN(4) > 0 {
			o = value.Set(o, v, strings.Split(path, ".")...)
		}
	}
	record := func(keys ...string) func() any {
		return func() any {
			var e value.Object
			for _, k := range keys {
				if r.IntN(5) > 0 {
					e = value.Set(e, text(), k)
				}
			}
			if _, ok := value.Get(e, "status"); ok && r.IntN(4) > 0 {
				e = value.Set(e, []string{"pending", "in_progress", "running", "completed", "failed", "skipped"}[r.IntN(6)], "status")
			}
			return e
		}
	}
	ids := []any{"chk-1", "chk_abc123", "a b", "../x", ""}
	name := []schema.Name{schema.Protocol, schema.Agent, schema.State}[r.IntN(3)]
	switch name {
	case schema.Protocol:
		o = value.Set(o, word(r), "summary", "goal")
		o = value.Set(o, word(r), "resumePointer", "nextAction")
		maybe(ids[r.IntN(5)], "checkpointId")
		maybe(text(), "agentId")
		maybe(list(r, text), "summary.completed")
		maybe(list(r, text), "summary.pending")
		maybe(list(r, text), "summary.decisions")
		maybe(text(), "resumePointer.currentContext")
		maybe(text(), "resumePointer.phase")
		maybe(anything(r, 0), "tokensUsed")
		maybe(text(), "createdAt")
	case schema.Agent:
		o = value.Set(o, text(), "state", "current_phase")
		maybe(ids[r.IntN(5)], "checkpoint_id")
		maybe(text(), "workflow_id")
		maybe(text(), "workflow_type")
		maybe(text(), "created_at")
		maybe(anything(r, 0), "step_number")
		maybe(text(), "step_name")
		maybe(list(r, text), "state.completed_phases")
		maybe(list(r, text), "state.pending_phases")
		maybe(record("project_name", "project_path", "brd_file", "stack")(), "state.context")
		if odd {
			maybe(record("project_name", "brd_file", "spec_files", "notes")(), "state.context")
		}
		maybe(list(r, record("phase", "decision", "rationale")), "state.decisions")
		maybe(list(r, text), "state.files_modified")
		maybe(list(r, record("content", "status", "id")), "state.todos")
		maybe(anything(r, 0), "state.agent_outputs")
		maybe(ids[r.IntN(5)], "metadata.parent_checkpoint")
		maybe(text(), "metadata.branch")
		maybe(text(), "metadata.trigger")
		maybe(text(), "metadata.estimated_completion")
	default:
		o = value.Set(o, word(r), "state", "query")
		o = value.Set(o, []any{}, "state", "plan")
		if l, ok := list(r, record("id", "description", "action", "parameters", "status", "dependencies")).([]any); ok {
			o = value.Set(o, l, "state", "plan")
		}
		maybe(ids[r.IntN(5)], "id")
		maybe(text(), "sessionId")
		maybe(text(), "projectId")
		maybe(anything(r, 0), "stepNumber")
		maybe(text(), "createdAt")
		maybe(json.Number("1"), "state.currentStepIndex")
		maybe(list(r, record("stepId", "output", "completedAt", "durationMs")), "state.results")
		maybe(anything(r, 0), "state.context")
		maybe(anything(r, 0), "state.lastError")
		maybe(text(), "metadata.description")
		maybe(text(), "metadata.triggerType")
		maybe(anything(r, 0), "metadata.durationMs")
	}
	maybe(anything(r, 0), word(r))
	return name, o
}

package schema_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"

	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/transfer/schema"
)

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

// generated returns a random value of one of the schemas, with most of its fields and some
// that no schema knows. If odd is true, some fields have values of other types.
func generated(r *rand.Rand, odd bool) (schema.Name, value.Object) {
	text := func() any {
		if odd && r.IntN(10) == 0 {
			return anything(r, 0)
		}
		w := word(r)
		for !odd && (strings.ContainsAny(w, "`#<\u2028\u0085") || w == "---") { // Markdown would close or escape it
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
		o = value.Set(o, []any{word(r), word(r), ""}[r.IntN(3)], "resumePointer", "nextAction")
		maybe(ids[r.IntN(5)], "checkpointId")
		maybe(text(), "agentId")
		maybe(text(), "sessionId")
		maybe(text(), "workflow_id")
		maybe(list(r, text), "summary.completed")
		maybe(list(r, text), "summary.pending")
		pending, _ := value.Get(o, "summary", "pending")
		if all, _ := pending.([]any); len(all) > 0 && r.IntN(3) == 0 {
			if next, ok := all[r.IntN(len(all))].(string); ok {
				o = value.Set(o, next, "resumePointer", "nextAction")
			}
		}
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

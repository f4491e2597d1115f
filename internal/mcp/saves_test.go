package mcp

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/query"
	"example.com/ckpt/internal/workspace"
)

// TestEverySaveIsLoaded saves unrelated states, one after the other, in each of the three
// schemas. Each is loaded as it was saved, and so is any earlier save by its number.
func TestEverySaveIsLoaded(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	word := func() string {
		return []string{"Read it", "a: b", "Use `x`", "x → done", "one; two", "None", "ä 🎉", "- a", "3", "Phase 2", "two\nlines"}[r.IntN(11)]
	}
	words := func() []any {
		all := []any{}
		for range r.IntN(4) {
			all = append(all, word())
		}
		return all
	}
	objects := func(of func() map[string]any) []any {
		all := []any{}
		for range r.IntN(4) {
			all = append(all, of())
		}
		return all
	}
	status := func() string { return []string{"pending", "completed", "failed", "in_progress"}[r.IntN(4)] }
	for schema, make := range map[string]func(n int) map[string]any{
		"protocol": func(n int) map[string]any {
			return map[string]any{
				"checkpointId": "chk-p", "summary": map[string]any{"goal": word(), "completed": words(), "pending": words(), "decisions": words()},
				"resumePointer": map[string]any{"nextAction": word(), "phase": word(), "currentContext": word()}, "tokensUsed": json.Number(fmt.Sprint(n)),
			}
		},
		"agent": func(n int) map[string]any {
			return map[string]any{"workflow_id": "w", "step_name": word(), "step_number": json.Number(fmt.Sprint(n)), "state": map[string]any{
				"current_phase": word(), "completed_phases": words(), "pending_phases": words(), "files_modified": words(), "agent_outputs": map[string]any{word(): words()},
				"context": map[string]any{"project_name": word(), "stack": word()}, "todos": objects(func() map[string]any { return map[string]any{"content": word(), "status": status()} }),
				"decisions": objects(func() map[string]any {
					return map[string]any{"phase": "1", "decision": word(), "rationale": word()}
				}),
			}, "metadata": map[string]any{"trigger": word(), "estimated_completion": "4%"}}
		},
		"state": func(n int) map[string]any {
			return map[string]any{"sessionId": "s", "state": map[string]any{
				"query": word(), "currentStepIndex": json.Number(fmt.Sprint(n)), "context": map[string]any{word(): word()},
				"plan": objects(func() map[string]any {
					return map[string]any{"id": word(), "description": word(), "action": "x", "parameters": map[string]any{}, "status": status()}
				}),
				"results": objects(func() map[string]any { return map[string]any{"stepId": word(), "output": words()} }),
			}, "metadata": map[string]any{"description": word(), "triggerType": "manual", "durationMs": json.Number("7")}}
		},
	} {
		t.Run(schema, func(t *testing.T) {
			now := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
			c := connect(t, func(s *workspace.Settings) { s.Now = func() time.Time { return now } })
			var saves []map[string]any
			for n := range 8 {
				now = now.Add(time.Minute)
				saves = append(saves, make(n))
				arguments, _ := json.Marshal(saves[n])
				_, answer := c.must("checkpoint_save", string(arguments))
				id := answer["checkpointId"].(string)
				for back := range min(n+1, 3) {
					_, v := c.must("checkpoint_load", fmt.Sprintf(`{"checkpointId": "%s@{%d}", "schema": %q}`, id, back, schema))
					lacks(t, schema, v["checkpoint"], saves[n-back])
					if _, v = c.must("checkpoint_load", fmt.Sprintf(`{"checkpointId": "%s@{%d}"}`, id, back)); v["schema"] != schema {
						t.Errorf("%d saves ago: loaded as %s, saved as %s", back, v["schema"], schema)
					}
					lacks(t, schema, v["checkpoint"], saves[n-back])
				}
				if _, v := c.must("checkpoint_load", `{}`); v["schema"] != schema {
					t.Errorf("loaded as %s, saved as %s", v["schema"], schema)
				}
				_, v := c.must("checkpoint_load", fmt.Sprintf(`{"checkpointId": %q, "schema": %q}`, id, schema))
				lacks(t, schema, v["checkpoint"], saves[n])
			}
		})
	}
}

// lacks reports what a load lacks of a save. A load may have more.
func lacks(t *testing.T, path string, load, save any) {
	t.Helper()
	want, ok := save.(map[string]any)
	if !ok {
		is, _ := json.Marshal(load)
		was, _ := json.Marshal(save)
		if !reflect.DeepEqual(is, was) {
			t.Fatalf("%s is %s, not %s", path, is, was)
		}
		return
	}
	have, _ := load.(map[string]any)
	for key, v := range want {
		if _, there := have[key]; !there {
			t.Fatalf("%s.%s is missing", path, key)
		}
		lacks(t, path+"."+key, have[key], v)
	}
}

// TestSavesAreNumbered lists the saves of a session by the names that checkpoint_load takes.
func TestSavesAreNumbered(t *testing.T) {
	now := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	c := connect(t, func(s *workspace.Settings) { s.Now = func() time.Time { return now } })
	for n := range 3 {
		now = now.Add(time.Hour)
		metadata := ""
		if n == 1 {
			metadata = `, "metadata": {"description": "before the calls", "triggerType": "manual", "durationMs": 42, "tokenUsage": 9}`
		}
		c.must("checkpoint_save", fmt.Sprintf(`{"sessionId": "s", "state": {"query": "q", "plan": [], "currentStepIndex": %d, "results": [], "context": {}}%s}`, n, metadata))
	}
	text, v := c.must("checkpoint_list", `{"sessionId": "s"}`)
	c.has(text, "chk-s@{1}  2026-01-02T12:00:00Z, step 1, manual, before the calls")
	versions, _ := json.Marshal(v["versions"])
	var got []map[string]any
	_ = json.Unmarshal(versions, &got)
	if len(got) != 3 {
		t.Fatalf("%s", versions)
	}
	for i, want := range []map[string]any{
		{"id": "chk-s@{0}", "stepNumber": 2.0, "createdAt": "2026-01-02T13:00:00Z", "triggerType": "auto", "durationMs": 0.0, "op": "delta"},
		{"id": "chk-s@{1}", "stepNumber": 1.0, "createdAt": "2026-01-02T12:00:00Z", "triggerType": "manual", "durationMs": 42.0, "op": "delta", "description": "before the calls"},
		{"id": "chk-s@{2}", "stepNumber": 0.0, "createdAt": "2026-01-02T11:00:00Z", "triggerType": "auto", "durationMs": 0.0, "op": "new"},
	} {
		delete(got[i], "commit")
		if !reflect.DeepEqual(got[i], want) {
			t.Errorf("%v, not %v", got[i], want)
		}
	}
	if _, v := c.must("checkpoint_list", `{"sessionId": "s", "limit": 2}`); len(v["versions"].([]any)) != 2 {
		t.Errorf("2 of the versions are %v", v["versions"])
	}
	if text := c.refused("checkpoint_load", `{"checkpointId": "chk-s@{3}", "schema": "state"}`); text == "" {
		t.Error("it does not say why")
	}
	_, v = c.must("checkpoint_load", `{"sessionId": "s"}`)
	if m, _ := json.Marshal(v["checkpoint"].(map[string]any)["metadata"]); string(m) != `{"durationMs":0,"triggerType":"auto"}` {
		t.Errorf("the metadata of an older save: %s", m)
	}
}

// TestSaveAgain checks that repeating the newest save, as after a lost answer, adds no save.
func TestSaveAgain(t *testing.T) {
	c := connect(t)
	save := func(step int) {
		c.must("checkpoint_save", fmt.Sprintf(`{"sessionId": "s", "state": {"query": "q", "plan": [], "currentStepIndex": %d, "results": []}}`, step))
	}
	for _, s := range []struct{ step, saves int }{{1, 1}, {2, 2}, {2, 2}, {3, 3}, {3, 3}, {2, 4}} {
		save(s.step)
		_, v := c.must("checkpoint_list", `{"sessionId": "s"}`)
		if got := len(v["versions"].([]any)); got != s.saves {
			t.Errorf("%d saves are listed after step %d, not %d", got, s.step, s.saves)
		}
		_, v = c.must("checkpoint_load", `{"sessionId": "s"}`)
		if got, _ := json.Marshal(v["checkpoint"].(map[string]any)["state"].(map[string]any)["currentStepIndex"]); string(got) != fmt.Sprint(s.step) {
			t.Errorf("step %s is loaded, not %d", got, s.step)
		}
	}
}

// TestASaveNamesItsCheckpoint gives checkpointId in each of the three schemas, with or without chk-. It has precedence over
// the session, the workflow and the environment. The checkpoint is created if it does not exist. The id of the schema has
// the same precedence if a checkpoint has it.
func TestASaveNamesItsCheckpoint(t *testing.T) {
	shapes := map[string]string{
		"protocol": `"summary": {"goal": "Fix it"}, "resumePointer": {"nextAction": "Edit a.go"}`,
		"session":  `"sessionId": "other", "state": {"query": "q", "plan": [], "currentStepIndex": 0}`,
		"workflow": `"workflow_id": "other", "step_name": "Phase 1", "state": {"current_phase": "1"}`,
	}
	for name, shape := range shapes {
		for _, pinned := range []string{"", "chk-pin"} {
			t.Run(name+pinned, func(t *testing.T) {
				c := connect(t, func(s *workspace.Settings) { s.Pinned = pinned })
				for _, id := range []string{"chk-a", "chk-b", "a", "b"} {
					_, v := c.must("checkpoint_save", fmt.Sprintf(`{"checkpointId": %q, %s}`, id, shape))
					if v["checkpointId"] != "chk-"+strings.TrimPrefix(id, "chk-") {
						t.Errorf("the save to %s went to %s", id, v["checkpointId"])
					}
				}
				own := map[string]string{"protocol": "checkpointId", "session": "id", "workflow": "checkpoint_id"}[name]
				for _, id := range []string{"chk-a", "b"} {
					_, v := c.must("checkpoint_save", fmt.Sprintf(`{%q: %q, %s}`, own, id, shape))
					if v["checkpointId"] != "chk-"+strings.TrimPrefix(id, "chk-") {
						t.Errorf("the save with %s %s went to %s", own, id, v["checkpointId"])
					}
				}
				_, v := c.must("checkpoint_list", `{}`)
				if all := v["checkpoints"].([]any); len(all) != 2 {
					t.Errorf("%d checkpoints, not 2", len(all))
				}
				c.has(c.refused("checkpoint_save", `{"checkpointId": "a b", `+shape+`}`), `"a b"`)
			})
		}
	}
}

// TestARunHasItsCheckpoint saves for two sessions or workflows in turn, in each of the schemas. The saves of each go to
// one checkpoint.
func TestARunHasItsCheckpoint(t *testing.T) {
	for _, key := range []string{"sessionId", "workflow_id"} {
		for _, shape := range []string{
			`"summary": {"goal": "Fix %d"}, "resumePointer": {"nextAction": "Edit a.go"}`,
			`"state": {"query": "Fix %d", "plan": [], "currentStepIndex": 0}`,
			`"state": {"current_phase": "%d", "todos": []}`,
		} {
			c := connect(t)
			for n, run := range []string{"r1", "r2", "r1", "r2"} {
				_, v := c.must("checkpoint_save", fmt.Sprintf(`{%q: %q, `+shape+`}`, key, run, n))
				if v["checkpointId"] != "chk-"+run {
					t.Errorf("%s, %s: the save of %s went to %s", key, shape, run, v["checkpointId"])
				}
				_, v = c.must("checkpoint_load", fmt.Sprintf(`{%q: %q}`, key, run))
				if v["checkpointId"] != "chk-"+run || v["checkpoint"].(map[string]any)[key] != run {
					t.Errorf("%s, %s: %v is loaded for %s", key, shape, v, run)
				}
			}
		}
	}
}

// TestASaveHasItsOwnTime saves twice: each answer has the time of its save.
func TestASaveHasItsOwnTime(t *testing.T) {
	now := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	c := connect(t, func(s *workspace.Settings) { s.Now = func() time.Time { return now } })
	for _, tool := range []string{"checkpoint_save", "checkpoint"} {
		for range 2 {
			now = now.Add(time.Minute)
			_, v := c.must(tool, fmt.Sprintf(`{"summary": {"goal": "Fix it at %s"}, "resumePointer": {"nextAction": "Go"}}`, now))
			if want := now.Format(time.RFC3339); v["createdAt"] != want {
				t.Errorf("%s: createdAt is %s, not %s", tool, v["createdAt"], want)
			}
		}
	}
}

// TestASaveTellsWhatItReplaces checks that both tools that save return the remarks of the command.
func TestASaveTellsWhatItReplaces(t *testing.T) {
	c := connect(t)
	c.must("checkpoint_save", protocolArguments)
	for _, tool := range []string{"checkpoint_save", "checkpoint"} {
		text, v := c.must(tool, strings.Replace(strings.Replace(protocolArguments, "Research coordination", "Research "+tool, 1), `, "tokensUsed": 45000`, "", 1))
		const want = "replaced 1 line of Session Intent (show: ckpt show "
		c.has(fmt.Sprint(v["remarks"]), want)
		c.has(text, want)
	}
}

// TestALoadIsAResume checks that a load counts as a resume with the completed steps, and that a load
// of an older version does not count.
func TestALoadIsAResume(t *testing.T) {
	c := connect(t)
	c.must("checkpoint_save", stateArguments)
	c.must("checkpoint_load", `{"sessionId": "session-1"}`)
	c.must("checkpoint_load", `{"checkpointId": "chk-session-1@{0}", "schema": "state"}`)
	w, err := workspace.Open(t.Context(), workspace.Settings{Dir: c.dir, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	f, err := query.New(w).Stats(t.Context())
	if err != nil || f.ResumeCount != 1 || f.Steps != 1 {
		t.Errorf("%d resumes with %d steps, error %v; want 1 with 1", f.ResumeCount, f.Steps, err)
	}
}

// TestOneToolOfTwoDocuments checks that the tool checkpoint begins an exploration or saves, by its arguments.
func TestOneToolOfTwoDocuments(t *testing.T) {
	c := connect(t)
	text, v := c.must("checkpoint", `{"summary": {"goal": "Fix it", "completed": ["Read it"], "pending": [], "decisions": []}, "resumePointer": {"nextAction": "Edit a.go", "phase": "build"}, "tokensUsed": 45000}`)
	c.has(text, "Checkpoint saved.", "Next action: Edit a.go")
	id, _ := v["checkpointId"].(string)
	if id == "" || v["createdAt"] != "2026-01-02T10:00:00Z" || v["agentId"] != "claude" {
		t.Errorf("%v", v)
	}
	_, v = c.must("checkpoint_load", `{}`)
	if lacks(t, "tokensUsed", v["checkpoint"].(map[string]any)["tokensUsed"], 45000.0); v["checkpointId"] != id {
		t.Errorf("%v", v)
	}
	for _, arguments := range []string{`{}`, `{"tokensUsed": 1}`, `{"goal": "x", "summary": {"goal": "y"}, "resumePointer": {"nextAction": "z"}}`} {
		c.has(c.refused("checkpoint", arguments), "checkpoint takes either goal, or summary and resumePointer")
	}
	c.has(c.refused("checkpoint", `{"summary": {"goal": "y"}}`), "resumePointer.nextAction")
	c.refused("checkpoint", `{"goal": "x", "checkpointId": "chk-other"}`)
	_, v = c.must("checkpoint", `{"checkpointId": "chk-other", "agentId": "x", "createdAt": "2026-01-01T10:00:00Z", "summary": {"goal": "y"}, "resumePointer": {"nextAction": "z"}}`)
	if v["checkpointId"] != "chk-other" {
		t.Errorf("the save went to %v", v["checkpointId"])
	}
	if text, v := c.must("checkpoint", `{"goal": "Why", "tokensUsed": 1}`); v["goal"] != "Why" || v["checkpointId"] != nil {
		t.Errorf("%s %v", text, v)
	}
}

// TestWhoIsOfferedExplorations checks that a subagent has no tools for explorations, and that the tools
// refuse if config.yaml switches explorations off.
func TestWhoIsOfferedExplorations(t *testing.T) {
	sub := connect(t, func(s *workspace.Settings) { s.Subagent = true })
	off := connect(t)
	off.must("checkpoint_save", protocolArguments)
	(&gittest.Repo{T: t, Dir: off.dir}).Write("checkpoints/config.yaml", "checkpoint:\n  enabled: false\n")
	list, err := sub.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Name == "checkpoint" || tool.Name == "rewind" {
			t.Errorf("%s is offered", tool.Name)
		}
	}
	if len(list.Tools) != 7 {
		t.Errorf("%d tools", len(list.Tools))
	}
	off.has(off.refused("checkpoint", `{"goal": "x"}`), "explorations are turned off: config.yaml has checkpoint.enabled: false")
}

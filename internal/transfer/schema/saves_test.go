package schema_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/transfer/importing"
	"example.com/ckpt/internal/transfer/schema"
)

// saved records an import on top of a checkpoint, as ckpt delta and checkpoint_save do.
func saved(t *testing.T, c *checkpoint.Checkpoint, o value.Object, at time.Time) *checkpoint.Checkpoint {
	t.Helper()
	im, err := schema.Of(o)
	if err != nil {
		t.Fatal(err)
	}
	r := revise.Begin(c).Drop("trigger")
	if _, err := im.Record(c, r, revise.Progress{}, at); err != nil {
		t.Fatal(err)
	}
	next, err := r.Apply()
	if err != nil {
		src, _ := value.JSON(o)
		t.Fatalf("%v\n%s\n%s", err, src, c.Doc.Bytes())
	}
	return next
}

// TestWhatIsSavedIsLoaded saves unrelated states one after the other, with lines by hand around them. Each is
// loaded as it was saved, also after a fold, and the lines remain.
func TestWhatIsSavedIsLoaded(t *testing.T) {
	for _, odd := range []bool{false, true} {
		r := rand.New(rand.NewPCG(5, 6))
		for i := range 60 {
			name, o := generated(r, odd)
			src, _ := value.JSON(o)
			c := taken(t, string(src))
			var lines []string
			for n := range 5 {
				if r.IntN(3) == 0 {
					line := fmt.Sprintf("Line %d by hand.", n)
					c = withLine(t, c, r, line)
					lines = append(lines, line)
				}
				another, o := generated(r, odd)
				for another != name {
					another, o = generated(r, odd)
				}
				c = saved(t, c, o, now.Add(time.Duration(n)*time.Hour))
				load := given(t, c, name)
				src, _ := value.JSON(o)
				if lost := holds(load, o, string(name)); lost != "" {
					t.Fatalf("%d, save %d: %s\n%s\n%s", i, n, lost, src, c.Doc.Bytes())
				}
				for _, line := range lines {
					if strings.Count(string(c.Doc.Bytes()), "\n"+line+"\n") != 1 {
						t.Fatalf("%d, save %d: %q is gone\n%s", i, n, line, c.Doc.Bytes())
					}
				}
				if shown := ofAnother(c, taken(t, string(src)), o); shown != "" {
					t.Fatalf("%d, save %d: %s\n%s\n%s", i, n, shown, src, c.Doc.Bytes())
				}
				if stale := ofAnotherSave(load, o); stale != "" {
					t.Fatalf("%d, save %d: %s is of an older save\n%s\n%s", i, n, stale, src, c.Doc.Bytes())
				}
				if blocks := strings.Count("\n"+string(c.Doc.Bytes()), "\n## Further Fields\n") + strings.Count(string(c.Doc.Bytes()), "\n### Further Fields\n"); blocks > 1 {
					t.Fatalf("%d, save %d: %d times Further Fields\n%s", i, n, blocks, c.Doc.Bytes())
				}
				folded, _, err := fold.Fold(c)
				if err != nil {
					continue
				}
				if after := given(t, folded, name); !value.Equal(after, load) {
					t.Fatalf("%d, save %d: folded it loads as\n%s\nand was\n%s\n%s\n%s", i, n, text(after), text(load), c.Doc.Bytes(), folded.Doc.Bytes())
				}
				if r.IntN(3) == 0 {
					c = folded
				}
			}
		}
	}
}

// withLine returns a checkpoint with a paragraph before or behind a block of Further Fields.
func withLine(t *testing.T, c *checkpoint.Checkpoint, r *rand.Rand, line string) *checkpoint.Checkpoint {
	t.Helper()
	all := schema.Saved(c)
	span := all[r.IntN(len(all))]
	at := []int{span.Start, span.End}[r.IntN(2)]
	text := string(c.Doc.Bytes())
	c, err := checkpoint.Parse(c.Path, []byte(text[:at]+"\n"+line+"\n\n"+text[at:]))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// starts returns checkpoints that were not made by a save: by new, by import and by hand, with and without
// a section after Next Actions.
func starts(t *testing.T) map[string]*checkpoint.Checkpoint {
	t.Helper()
	const head = "---\ncheckpoint: chk-a\ncreated: 2026-01-01T10:00:00Z\n---\n\n"
	all := map[string]*checkpoint.Checkpoint{}
	for name, spec := range map[string]revise.Spec{
		"new":               {Problem: "Some problem"},
		"new with actions":  {Problem: "Some problem", Next: []string{"Do it", "Test it"}, State: "Begun", Decisions: []string{"**A**: b"}},
		"new with a rule":   {Problem: "Some problem", Next: []string{"Do it"}, Rules: []string{"Be brief"}},
		"new with a parent": {Problem: "Some problem", Fields: map[string]string{"parent": "chk-b", "status": "current"}, RulesText: "- Be brief\n"},
	} {
		spec.ID = "chk-a"
		c, err := revise.Create(spec, nil, now)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = c
	}
	for name, file := range map[string]string{
		"new from a text":     "Some problem\n",
		"new from a body":     "## Problem\n\nSome problem\n\n## Next Actions\n\n1. Do it\n",
		"new from only steps": "# A title\n\n## Next Actions\n- Do it\n",
	} {
		c, err := revise.Create(revise.Spec{ID: "chk-a"}, []byte(file), now)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = c
	}
	for name, text := range map[string]string{
		"by hand":                     head + "## Problem\nSome problem\n## Next Actions\n1. Do it\n",
		"by hand without a line end":  head + "## Problem\nSome problem\n\n## Next Actions\n- Do it",
		"by hand with CRLF":           strings.ReplaceAll(head+"## Problem\nSome problem\n\n## Next Actions\n- Do it\n", "\n", "\r\n"),
		"by hand, empty next actions": head + "## Problem\nSome problem\n\n## Next Actions\n",
		"by hand with rules":          head + "## Problem\nSome problem\n\n## Next Actions\n- Do it\n\n## User Rules\n- Be brief\n",
		"by hand with other sections": head + "## Problem\nSome problem\n\n## Next Actions\n- Do it\n\n### Later\n- Ship it\n\n## Other\n\nText\n",
		"by hand with a delta":        head + "## Problem\nSome problem\n\n## Next Actions\n- Do it\n\n---\n\n## Delta: 2026-01-01T11:00:00Z\n\n### What Changed\n- It works\n",
		"by hand with a mark":         head + "## Problem\nSome problem\n\n## Next Actions\n- Do it\n\n---\n\n## Exploration: why\n\nNotes\n",
		"by hand, state last":         head + "## Problem\nSome problem\n\n## Next Actions\n- Do it\n\n### Current State\nBegun\n",
		"by hand, problem only":       head + "## Problem\nSome problem\n",
		"by hand, nothing":            head,
	} {
		c, err := checkpoint.Parse("active/chk-a.md", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = c
	}
	for name, notes := range map[string]string{
		"import of tasks": "# Login\n\n## Goal\n\nSome problem\n\n## TODO\n\n- [ ] Do it\n- [x] Test it\n",
		"import of notes": "# Login\n\nSome problem\n\n## Next steps\n\n1. Do it\n\n## Oddities\n\nText\n",
	} {
		draft, err := importing.Read(importing.Source{Name: "NOTES.md", Files: []importing.File{{Text: []byte(notes)}}}, now)
		if err != nil {
			t.Fatal(err)
		}
		c, err := draft.Checkpoint("chk-a", checkpoint.Active)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = c
	}
	return all
}

// TestWhatIsSavedIsLoadedAnywhere saves states onto checkpoints that were not made by a save.
func TestWhatIsSavedIsLoadedAnywhere(t *testing.T) {
	for how, start := range starts(t) {
		t.Run(how, func(t *testing.T) {
			for _, odd := range []bool{false, true} {
				r := rand.New(rand.NewPCG(7, 8))
				for i := range 8 {
					c := start
					for n := range 3 {
						name, o := generated(r, odd)
						c = saved(t, c, o, now.Add(time.Duration(n)*time.Hour))
						if lost := holds(given(t, c, name), o, string(name)); lost != "" {
							t.Fatalf("%d, save %d: %s\n%s\n%s", i, n, lost, text(o), c.Doc.Bytes())
						}
					}
				}
			}
		})
	}
}

// TestOpenActionsAreLoaded walks from a save to other next actions, by done, next and fold. A load has the open
// actions and no others, also if the save has a text twice, and saving the load back does not change them.
func TestOpenActionsAreLoaded(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	some := func() []string {
		var all []string
		for range 1 + r.IntN(4) {
			all = append(all, []string{"Read it", "Write tests", "Ship", "Tell them"}[r.IntN(4)])
		}
		return all
	}
	quoted := func(format string, texts []string) string {
		for i, text := range texts {
			texts[i] = fmt.Sprintf(format, text)
		}
		return strings.Join(texts, ",")
	}
	for i := range 600 {
		name := []schema.Name{schema.Protocol, schema.Agent, schema.State}[i%3]
		src := map[schema.Name]string{
			schema.Protocol: `{"summary":{"goal":"g","pending":[` + quoted("%q", some()) + `]},"resumePointer":{"nextAction":"` + some()[0] + `"}}`,
			schema.Agent:    `{"workflow_id":"w","state":{"todos":[` + quoted(`{"content":%q,"status":"pending"}`, some()) + `]}}`,
			schema.State:    `{"sessionId":"s","state":{"query":"q","plan":[` + quoted(`{"id":"1","description":%q,"status":"pending"}`, some()) + `]}}`,
		}[name]
		c := taken(t, src)
		for n := range 6 {
			want := openOf(c, name)
			load := given(t, c, name)
			if got := openIn(load, name); got != want {
				t.Fatalf("%d, %d: %s is loaded, and %s is open\n%s\n%s", i, n, got, want, src, c.Doc.Bytes())
			}
			if r.IntN(3) == 0 {
				c = saved(t, c, load, now.Add(time.Duration(n)*time.Hour))
				if got := openOf(c, name); got != want {
					t.Fatalf("%d, %d: %s is open after saving it back, not %s\n%s\n%s", i, n, got, want, src, c.Doc.Bytes())
				}
				continue
			}
			rev := revise.Begin(c)
			var err error
			switch open := c.OpenActions(); {
			case len(open) > 0 && r.IntN(3) > 0:
				_, err = rev.Done(fmt.Sprint("#", open[r.IntN(len(open))].Number))
			default:
				rev.Renew(some())
			}
			if err != nil {
				t.Fatal(err)
			}
			if c, err = rev.Apply(); err != nil {
				t.Fatal(err)
			}
			if folded, _, err := fold.Fold(c); err == nil && r.IntN(3) == 0 {
				c = folded
			}
		}
	}
}

// TestTheStateIsKept saves what was just loaded onto a Current State in a user's words, which the schemas of
// workflows and executors have no field for. What a later save has of phases and steps replaces it.
func TestTheStateIsKept(t *testing.T) {
	for name, news := range map[schema.Name]string{
		schema.Agent: `{"state":{"completed_phases":["1"],"pending_phases":[2]}}`,
		schema.State: `{"sessionId":"s","state":{"query":"Sell","plan":[{"description":"Do it","status":"completed"}]}}`,
	} {
		for how, start := range starts(t) {
			const own = "The parser works; the lexer fails."
			c, err := revise.Begin(start).Text(checkpoint.State, own).Apply()
			if err != nil {
				t.Fatal(err)
			}
			for i := range 2 {
				c = saved(t, c, given(t, c, name), now.Add(time.Duration(i)*time.Hour))
			}
			if got := c.Text(checkpoint.State); got != own {
				t.Errorf("%s, %s: the state is %q", how, name, got)
			}
			want := map[schema.Name]string{schema.Agent: "- [x] Phase 1\n- [ ] Phase 2", schema.State: "1 of 1 step completed."}[name]
			c = saved(t, c, must(t, news).(value.Object), now.Add(3*time.Hour))
			if got := c.Text(checkpoint.State); got != want {
				t.Errorf("%s, %s: the state is %q, want %q", how, name, got, want)
			}
		}
	}
}

// TestAnErrorIsCleared saves an error and then a state without one. The checkpoint no longer shows the error anywhere,
// and keeps the name of an earlier save.
func TestAnErrorIsCleared(t *testing.T) {
	const plan = `{"sessionId":"s","state":{"query":"Sell","plan":[{"description":"Find","status":"completed"},{"description":"Fetch","status":"%s"}]%s},` +
		`"metadata":{"triggerType":"%s","description":"%s"}}`
	for _, last := range []string{"", `,"description":""`} {
		c := taken(t, fmt.Sprintf(plan, "pending", "", "manual", "Half of it"))
		failed := must(t, fmt.Sprintf(plan, "failed", `,"lastError":{"stepIndex":1,"message":"timeout"}`, "error", "Failed at step 1: Fetch"))
		c = saved(t, c, failed.(value.Object), now)
		if lost := holds(given(t, c, schema.State), failed, ""); lost != "" {
			t.Error(lost)
		}
		if got := c.Field("name"); got != "Half of it" {
			t.Errorf("the name is %q", got)
		}
		over := strings.Replace(fmt.Sprintf(plan, "completed", "", "auto", ""), `,"description":""`, last, 1)
		c = saved(t, c, must(t, over).(value.Object), now.Add(time.Hour))
		if text := string(c.Doc.Bytes()); strings.Contains(text, "Failed at") || strings.Contains(text, "timeout") {
			t.Errorf("the error is still in\n%s", text)
		}
	}
}

// openOf lists the open actions of a checkpoint. A protocol save may repeat the first in pending: it counts once.
func openOf(c *checkpoint.Checkpoint, name schema.Name) string {
	var all []string
	for _, a := range c.OpenActions() {
		all = append(all, a.Text)
	}
	return sorted(all, name)
}

// openIn lists the open actions of a load.
func openIn(load value.Object, name schema.Name) string {
	var all []string
	for _, path := range []string{"resumePointer.nextAction", "summary.pending", "state.todos", "state.plan"} {
		v, _ := value.Get(load, strings.Split(path, ".")...)
		entries, _ := v.([]any)
		if text, ok := v.(string); ok && text != "" {
			entries = []any{text}
		}
		for _, e := range entries {
			if status, _ := value.Get(e, "status"); status == "completed" {
				continue
			}
			for _, key := range []string{"content", "description"} {
				if text, ok := value.Get(e, key); ok {
					e = text
				}
			}
			all = append(all, e.(string))
		}
	}
	return sorted(all, name)
}

func sorted(all []string, name schema.Name) string {
	if name == schema.Protocol && len(all) > 0 {
		rest := slices.DeleteFunc(all[1:], func(text string) bool { return text == all[0] })
		all = all[:1+len(rest)]
	}
	slices.Sort(all)
	return strings.Join(all, "|")
}

// TestBreadcrumbsAreListedOnce saves the same files of a context several times, one of them twice and
// one with characters that a table escapes.
func TestBreadcrumbsAreListedOnce(t *testing.T) {
	const src = `{"workflow_id":"w","state":{"current_phase":"1","context":{"brd_file":"/BRD/a.md",` +
		`"spec_files":["/TODO/auth.md","/TODO/a|b.md","/TODO/auth.md"]}}}`
	c := taken(t, src)
	for n := range 3 {
		c = saved(t, c, must(t, src).(value.Object), now.Add(time.Duration(n)*time.Hour))
	}
	if rows := c.Breadcrumbs(); len(rows) != 3 {
		t.Errorf("%d breadcrumbs, want 3\n%s", len(rows), c.Doc.Bytes())
	}
}

// TestWithoutDigests removes the comment with the digests by hand. An export then has what was
// saved, and the next save is complete again.
func TestWithoutDigests(t *testing.T) {
	const src = `{"sessionId":"s","state":{"query":"q","currentStepIndex":1,"context":{"a":1},` +
		`"plan":[{"id":"1","description":"Find them","parameters":{"to":"all"},"status":"pending"}]}}`
	c := taken(t, src)
	text, _, _ := strings.Cut(string(c.Doc.Bytes()), "\n<!-- saved as ")
	c, err := checkpoint.Parse(c.Path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if lost := holds(given(t, c, schema.State), must(t, src), ""); lost != "" {
		t.Error(lost)
	}
	c = saved(t, c, must(t, `{"sessionId":"s","state":{"query":"q","plan":[],"currentStepIndex":0}}`).(value.Object), now)
	plan, _ := value.Get(given(t, c, schema.State), "state", "plan")
	if all, ok := plan.([]any); !ok || len(all) > 0 || strings.Count(string(c.Doc.Bytes()), "<!-- saved as ") != 1 {
		t.Errorf("the plan is %v\n%s", plan, c.Doc.Bytes())
	}
}

func must(t *testing.T, src string) any {
	t.Helper()
	v, err := value.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// ofAnother compares what a checkpoint shows of a save, its keys with an empty value included, with the checkpoint that
// this save alone makes; "" if it is the same.
func ofAnother(c, alone *checkpoint.Checkpoint, o value.Object) string {
	for path, key := range map[string]string{"agentId": "agent", "sessionId": "session", "workflow_id": "workflow", "resumePointer.phase": "phase",
		"tokensUsed": "tokens_used", "step_name": "step", "state.current_phase": "phase", "metadata.trigger": "trigger", "projectId": "project",
		"metadata.estimated_completion": "progress", "metadata.description": "name", "metadata.triggerType": "trigger"} {
		if _, given := value.Get(o, strings.Split(path, ".")...); given && c.Field(key) != alone.Field(key) {
			return fmt.Sprintf("%s: %s is %q, alone %q", path, key, c.Field(key), alone.Field(key))
		}
	}
	_, phase := value.Get(o, "state", "current_phase")
	if _, given := value.Get(o, "state", "context"); given && phase && c.Field("project") != alone.Field("project") {
		return fmt.Sprintf("project is %q, alone %q", c.Field("project"), alone.Field("project"))
	}
	for _, path := range []string{"summary.goal", "state.query"} {
		_, given := value.Get(o, strings.Split(path, ".")...)
		now, want := strings.TrimSpace(c.Text(checkpoint.Intent)), strings.TrimSpace(alone.Text(checkpoint.Intent))
		if given && now != want {
			return fmt.Sprintf("%s: the intent is %q, alone %q", path, now, want)
		}
	}
	return ""
}

// ofAnotherSave returns the path of a member in load that belongs to one save and is not
// in the save o; "" for none.
func ofAnotherSave(load, o value.Object) string {
	for _, path := range []string{"metadata.description", "metadata.tokenUsage", "metadata.trigger", "metadata.branch", "metadata.estimated_completion", "resumePointer.currentContext", "resumePointer.phase", "tokensUsed"} {
		keys := strings.Split(path, ".")
		if _, given := value.Get(o, keys...); !given {
			if _, there := value.Get(load, keys...); there {
				return path
			}
		}
	}
	if _, failed := value.Get(o, "state", "lastError"); !failed {
		if _, planned := value.Get(o, "state", "plan"); planned {
			if _, there := value.Get(load, "state", "lastError"); there {
				return "state.lastError"
			}
		}
	}
	return ""
}

func text(v any) string {
	src, _ := value.JSON(v)
	return string(src)
}

// TestASaveRemovesOnlyFactsOfSaves saves contexts onto facts of earlier saves and of users.
func TestASaveRemovesOnlyFactsOfSaves(t *testing.T) {
	const noted = "Host: db1"
	for name, tt := range map[string]struct {
		contexts []string // of the saves, one after the other; "" is a save without a context
		want     string   // the facts of Technical Context
	}{
		"none of the saves names it":       {[]string{`{"stack":"Go"}`, `{"port":80}`}, "Host: db1|port: 80"},
		"the first save names it":          {[]string{`{"Host":"db1","stack":"Go"}`, `{}`}, "Host: db1"},
		"a save gives it another value":    {[]string{`{"Host":"db2"}`}, "Host: db2"},
		"and a later one lacks that value": {[]string{`{"Host":"db2"}`, `{"port":80}`}, "port: 80"},
		"a save without a context":         {[]string{`{"stack":"Go"}`, "", `{"port":80}`}, "Host: db1|port: 80"},
		"a fact that is not in a section":  {[]string{`{"stack":"Go","deep":[1]}`, `{"deep":[1]}`}, "Host: db1"},
	} {
		for _, as := range []string{`{"state":{"current_phase":"1"%s}}`, `{"sessionId":"s","state":{"query":"Sell","plan":[]%s}}`} {
			t.Run(name+", "+as, func(t *testing.T) {
				c, err := revise.Create(revise.Spec{ID: "chk-a", Problem: "Some problem", Context: []string{noted}}, nil, now)
				if err != nil {
					t.Fatal(err)
				}
				for i, context := range tt.contexts {
					if context != "" {
						context = `,"context":` + context
					}
					c = saved(t, c, must(t, fmt.Sprintf(as, context)).(value.Object), now.Add(time.Duration(i)*time.Hour))
				}
				if got := strings.Join(facts(c), "|"); got != tt.want {
					t.Errorf("%s, want %s\n%s", got, tt.want, c.Doc.Bytes())
				}
			})
		}
	}
}

// facts lists the entries of Technical Context.
func facts(c *checkpoint.Checkpoint) []string {
	var all []string
	if p, ok := c.Find(checkpoint.Context); ok {
		for _, item := range c.Doc.Items(p.Extent) {
			all = append(all, item.Text)
		}
	}
	return all
}

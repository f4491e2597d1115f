package output

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/history/decisions"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/progress/inspect"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/search"
	"example.com/ckpt/internal/stats"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/transfer/schema"
)

// TestForms compares the less usual forms of answers with files in testdata: incomplete,
// damaged, empty and large ones.
func TestForms(t *testing.T) {
	auth := parse(t, "active/chk-auth.md", authFile)
	built := brief.Build(auth, []learnings.Learning{{Text: "Test it"}}, nil)
	built.Mark, built.Facts, built.ChangedBy = &checkpoint.Mark{At: noon, Goal: "find it"}, brief.Lengths{"2 commits"}, "Ada"
	built.Warnings = []string{"two are current"}
	whole, short := built.Within(brief.Limit{}), built.Within(brief.Limit{Tokens: 40})
	export, err := schema.Write(auth, schema.Protocol)
	if err != nil {
		t.Fatal(err)
	}
	details := inspect.Of(parse(t, "active/chk-many.md", strings.NewReplacer("| `a.go` | modified | the fix |",
		"| `in/a.go` | modified | the fix |\n| `in/b.go` | deleted | |\n| `in/c.go` | created | |",
		"created: 2026-01-01T10:00:00Z\n", "").Replace(authFile)))
	details.Parent = &inspect.Relative{ID: "chk-up", Status: "archived"}
	details.Children = []inspect.Relative{{ID: "chk-down", At: "phase 2"}}
	details.Unsaid, details.Snapshot = "the saved state is not YAML", nil
	note := revisions.Version{Commit: made.Commit, Author: "Ada", Subject: "ckpt: note"}
	diff := &revisions.Diff{
		Fields: []revisions.Field{{Key: "phase", Before: "1", After: "2"}, {Key: "name", After: "ship"}},
		Sections: []revisions.Section{{Name: "decisions", Title: "Decisions", Added: []string{"**B**: b\nin two lines"},
			Removed: []string{"**C**"}, Reworded: []revisions.Reworded{{Before: "A", After: "~~A~~", Struck: true}},
			Reordered: true}, {Title: "Own", Prose: &revisions.Reworded{Before: "was", After: "is"}}},
	}
	children := lineage.Build(&checkpoint.Set{All: []*checkpoint.Checkpoint{auth,
		parse(t, "active/chk-b.md", "---\ncheckpoint: chk-b\nparent: chk-auth\nstatus: active\n---\n"),
		parse(t, "active/chk-c.md", "---\ncheckpoint: chk-c\nparent: chk-b\nstatus: active\n---\n"),
		parse(t, "active/chk-d.md", "---\ncheckpoint: chk-d\nparent: chk-auth\nstatus: active\n---\n")}})
	children.Roots[0].Children[1].Skipped = true
	reminder := policy.Reminder{ID: "chk-auth", Policy: policy.Due{Work: time.Hour, Limit: 2 * time.Hour, Pause: time.Minute,
		Files: 5, Tasks: 3}, Traces: policy.Traces{Since: noon, Edits: []time.Time{noon}, Files: 2, Tasks: 1, Commits: 4,
		WasPhase: "1", Phase: "2"}, Worked: time.Minute, Reach: 2 * time.Minute, Decision: "Use OIDC",
		Unrecorded: "a session wrote 2 files"}
	took := stats.Spread{Sum: 30, Median: 9, P95: 12, Max: 12.5}
	local := stats.Local{Since: result.At(noon), SaveCount: 3, ResumeCount: 3, Steps: 2, SaveLatency: took, ResumeLatency: took,
		SaveSize: stats.Spread{Sum: 4_200_000, Median: 10, P95: 20, Max: 30}}
	run := &plan.Run{ID: "chk-run", File: "plan.yaml", Steps: []plan.Row{
		{ID: "build", Title: "Build it", Status: plan.Completed, At: noon, Took: time.Second, Tokens: 7}}}
	running := &plan.Run{ID: "chk-run", File: "plan.yaml", Steps: []plan.Row{
		{ID: "build", Title: "Build it", Status: plan.Running, At: noon}, {ID: "ship", Title: "Ship it", Needs: []string{"build"}}}}
	asked := &plan.Run{ID: "chk-run", File: "plan.yaml", Steps: []plan.Row{{ID: "ask", Title: "Ask"}}}
	var many []result.Imported
	for range manySources + 2 {
		many = append(many, result.Imported{File: "a.md", Form: "notes", ID: "chk-a", Same: true})
	}
	receipt := func(r result.Receipt) func(*testing.T) string { return answer("receipt", &r, Receipt) }
	for name, print := range map[string]func(*testing.T) string{
		"brief":            answer("brief", whole, Brief),
		"brief_incomplete": answer("brief", short, Brief),
		"export":           answer("export", export, Export),
		"inspect_files":    answer("checkpoint", details, Details),
		"diff_all":         answer("diff", &revisions.Comparison{ID: "chk-auth", From: note, To: &made, Diff: diff}, Diff),
		"tree_deep":        answer("tree", children, Tree),
		"tree_empty":       answer("tree", &lineage.Forest{}, Tree),
		"due_traces":       answer("due", reminder, Due),
		"due_since":        answer("due", policy.Reminder{ID: "chk-auth", Traces: policy.Traces{Since: noon}}, Due),
		"stats_local": answer("stats", &stats.Figures{Content: stats.Content{Files: stats.Files{Active: 2, Archived: 1,
			Unreadable: 1, Bytes: 80}}, Local: local}, Stats),
		"list_none": answer("list", &result.Overview{Of: "of agent claude"}, List),
		"incomplete": answer("status", &result.Overview{Entries: []*result.Entry{{ID: "chk-a", Status: "active",
			Parent: "chk-b", Edited: true, Branch: "feat-a", Elsewhere: true, Unfinished: "step 2 of 3 failed"}}}, Incomplete),
		"incomplete_none": answer("status", &result.Overview{}, Incomplete),
		"decisions_lost": answer("decisions", Verified{&decisions.Record{ID: "chk-auth", Path: "active/chk-auth.md", Checked: 2,
			Decisions: []decisions.Decision{{Decision: checkpoint.Decision{What: "A", Text: "A"}, Made: note,
				Reworded: []revisions.Version{made, edited}}},
			Losses: []decisions.Loss{{Decision: checkpoint.Decision{What: "B", Text: "B"}, Made: note, In: made, Back: &note},
				{Decision: checkpoint.Decision{What: "C", Text: "C"}, Made: made, In: made, WasGone: true}}}}, DecisionsVerified),
		"decisions_none": answer("decisions", &decisions.Record{ID: "chk-auth", Path: "active/chk-auth.md"}, Decisions),
		"search_some": answer("search", Found{Terms: []string{"a", "b c"}, Result: &search.Result{Hits: 9, In: 2, Shown: 2,
			Warnings: []string{"one file is too large"}, Files: []*search.File{{Path: "checkpoints/active/chk-a.md", Hits: []search.Hit{
				{Line: 3, Text: "a", ID: "chk-z"},
				{Line: 9, Text: "b c"}}}}}}, Search),
		"search_none":   answer("search", Found{Terms: []string{"a", "b c"}, Result: &search.Result{}}, Search),
		"plan_running":  answer("plan-next", &plan.Upcoming{Run: running, Running: []int{1}}, PlanNext),
		"plan_all_done": answer("plan-next", &plan.Upcoming{Run: run}, PlanNext),
		"plan_args": answer("plan-next", &plan.Upcoming{Run: asked, Number: 1, Step: &plan.Step{ID: "ask", Retries: 2, Dir: "web",
			Args: []string{"ask", "me"}, Parameters: `{"a":1}`}}, PlanNext),
		"import_plan": answer("import", &result.Import{Receipt: &result.Receipt{}, Sources: many}, Import),
		"receipt_rewind": receipt(result.Receipt{Op: "rewind", ID: "chk-auth", Summary: "found", Commit: made.Commit,
			Exploration: &result.Exploration{Report: "found", Started: result.At(noon), Ended: result.At(noon)}}),
		"receipt_new":       receipt(result.Receipt{Op: "new", ID: "chk-auth", Path: "checkpoints/active/chk-auth.md", Pending: "off"}),
		"receipt_unchanged": receipt(result.Receipt{Op: "note", ID: "chk-auth", Unchanged: true}),
		"receipt_dry":       receipt(result.Receipt{Op: "note", DryRun: true, Diff: "--- a\n+++ b\n"}),
		"agents_scopes": answer("agents", &result.Agents{Entries: []result.Agent{
			{Name: "a", Title: "A", Scope: "local", Pieces: []result.Piece{{What: "hooks", Path: "x", State: "present"}}},
			{Name: "b", Title: "B", Scope: "user"}}}, Agents),
		"agents_none": answer("agents", &result.Agents{}, Agents),
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, print(t)) })
	}
}

// TestPlanNews prints the events of a run one after the other, as text and as lines of JSON.
func TestPlanNews(t *testing.T) {
	step := &plan.Step{ID: "ship", Description: "Ship it", Retries: 2}
	news := func(kind plan.NewsKind) plan.News {
		return plan.News{Kind: kind, ID: "chk-run", File: "plan.yaml", Done: 1, Total: 3, Number: 2, Step: step, Attempt: 2}
	}
	var all []plan.News
	for _, kind := range []plan.NewsKind{plan.RunBegun, plan.RunResumed, plan.RunNote, plan.StepBegun, plan.StepAgain,
		plan.StepEnded, plan.WouldRun, plan.RunEnded} {
		n := news(kind)
		switch kind {
		case plan.RunNote:
			n.Text = "the file changed"
		case plan.StepAgain, plan.StepEnded:
			n.Result = plan.Result{Status: plan.Completed, Message: "exit 1", Took: time.Second, Tokens: 5, Attempts: 2}
		case plan.RunEnded:
			n.Err = "step 2 failed"
		}
		all = append(all, n)
	}
	recorded := news(plan.StepEnded)
	recorded.Result, recorded.Commit = plan.Result{Status: plan.Completed, Took: time.Second}, made.Commit
	all = append(all, recorded)
	var text, lines bytes.Buffer
	for _, n := range all {
		if err := Print(New(term.Streams{Out: &text, Err: &text}, false, time.Time{}), n, PlanNews); err != nil {
			t.Fatal(err)
		}
		if err := result.EncodeLine(&lines, "plan", JSON(n, Folder{})); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "plan_events", text.String()+"-- json --\n"+lines.String())
}

func TestFigures(t *testing.T) {
	for n, want := range map[float64]string{0: "0 bytes", 999: "999 bytes", 1000: "1.0 KB", 1_500_000: "1.5 MB"} {
		if got := bytesOf(n); got != want {
			t.Errorf("bytesOf(%v) = %q, want %q", n, got, want)
		}
	}
}

package output

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/drift"
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
)

var update = flag.Bool("update", false, "write testdata/*.txt")

var (
	noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	made = revisions.Version{Commit: strings.Repeat("a", 40), Time: noon, Author: "Ada", Email: "ada@example.com",
		Subject: "ckpt: delta chk-auth: Done", Op: "delta", Path: "active/chk-auth.md", Blob: "b1"}
	edited = revisions.Version{Time: noon, Path: "active/chk-auth.md", Blob: "b2"}
)

// answer prints a value twice: as text with the remarks, then as JSON.
func answer[T any](kind string, value T, text func(*Printer, T)) func(*testing.T) string {
	return func(t *testing.T) string {
		var out, remarks, json bytes.Buffer
		if err := Print(New(term.Streams{Out: &out, Err: &remarks}, false, time.Time{}), value, text); err != nil {
			t.Fatal(err)
		}
		if err := result.Encode(&json, kind, JSON(value, Folder{Files: "checkpoints", Tree: "checkpoints"})); err != nil {
			t.Fatal(err)
		}
		return "-- text --\n" + out.String() + "-- remarks --\n" + remarks.String() + "-- json --\n" + dense(json.String())
	}
}

// dense writes each object and array of indented JSON in one line if it fits.
func dense(indented string) string {
	var lines []string
	var open []int // the lines in which those around the current line begin
	for line := range strings.Lines(indented) {
		line = strings.TrimSuffix(line, "\n")
		lines = append(lines, line)
		if strings.HasSuffix(line, "{") || strings.HasSuffix(line, "[") {
			open = append(open, len(lines)-1)
		}
		if inside := strings.TrimLeft(line, " "); strings.HasPrefix(inside, "}") || strings.HasPrefix(inside, "]") {
			begin := open[len(open)-1]
			open = open[:len(open)-1]
			one := lines[begin]
			for _, next := range lines[begin+1:] {
				one += " " + strings.TrimLeft(next, " ")
			}
			if len(one) <= 120 {
				lines = append(lines[:begin], one)
			}
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestAnswers compares every answer with its file in testdata.
func TestAnswers(t *testing.T) {
	auth := parse(t, "active/chk-auth.md", authFile)
	older := parse(t, "active/chk-auth.md", strings.ReplaceAll(authFile, "write the docs", "write the manual"))
	diff := revisions.Compare(revisions.Read(older.Doc), revisions.Read(auth.Doc))
	forest := lineage.Build(&checkpoint.Set{
		All: []*checkpoint.Checkpoint{auth, parse(t, "archive/chk-old.md",
			"---\ncheckpoint: chk-old\ncreated: 2026-01-01\nparent: chk-gone\n---\n")},
		Broken: []checkpoint.Broken{{Path: "active/chk-torn.md", Err: errors.New("half a file")}},
	})
	details := inspect.Of(auth)
	details.File, details.Versions = "checkpoints/active/chk-auth.md", []revisions.Version{made}
	details.Parent = &inspect.Relative{ID: "chk-gone", Missing: true}
	decided := &decisions.Record{
		ID: "chk-auth", Path: "active/chk-auth.md", Checked: 3, Warnings: []string{"the clone is shallow"},
		Decisions: []decisions.Decision{
			{Decision: checkpoint.Decision{What: "Use OIDC", Why: "it is there", Text: "**Use OIDC**: it is there"}, Line: 12,
				Made: made},
			{Decision: checkpoint.Decision{What: "Use SAML", Struck: true, Text: "~~Use SAML~~"}, Line: 13, Made: made,
				Struck: &made},
			{Decision: checkpoint.Decision{What: "Use basic auth", Aside: "Rejected", Text: "Use basic auth"}, Line: 14,
				Made: edited},
		},
		Losses: []decisions.Loss{
			{Decision: checkpoint.Decision{What: "Lost", Text: "Lost"}, Made: made, In: edited},
			{Decision: checkpoint.Decision{What: "Undone", Text: "Undone"}, Made: made, In: made, Undone: true},
		},
	}
	due := policy.Reminder{
		ID: "chk-auth", Triggers: []policy.Trigger{"work"}, Worked: 90 * time.Minute, Policy: policy.Due{Work: time.Hour},
		Traces: policy.Traces{Since: noon, Files: 3},
	}
	run := &plan.Run{ID: "chk-run", Name: "ship", File: "plan.yaml", Steps: []plan.Row{
		{ID: "build", Title: "Build it", Status: plan.Completed, At: noon, Took: 1500 * time.Millisecond},
		{ID: "ship", Title: "Ship it", Status: plan.Failed, Needs: []string{"build"}, Remark: "exit 1"},
	}}
	step := &plan.Step{ID: "ship", Description: "Ship it", Shell: "make ship", Timeout: time.Minute,
		Env: map[string]string{"A": "b"}}
	exit := 1
	session := record.Session{ID: "s1", Agent: "claude", Entries: []record.Entry{
		{At: noon, Event: "tool", Tool: "Bash", Command: "go test", Exit: &exit},
		{At: noon.Add(time.Minute), Event: "tool", Tool: "Edit", Files: []string{"a.go"}, More: 2},
	}}
	for name, print := range map[string]func(*testing.T) string{
		"receipt": answer("receipt", &result.Receipt{
			Op: "next", ID: "chk-auth", Summary: "2 next actions", Path: "checkpoints/active/chk-auth.md",
			Files: []string{"checkpoints/active/chk-auth.md"}, Commit: made.Commit,
			Remarks: []string{"replaced 1 next action (undo: ckpt undo)"},
			Replaced: []result.Replaced{{Section: "next-actions", Title: "Next Actions", Lines: 1, Actions: 1,
				Show: "ckpt diff"}},
		}, Receipt),
		"receipt_mark": answer("receipt", &result.Receipt{
			Op: "mark", ID: "chk-auth", Summary: "find it", Pending: "not committed",
			Exploration: &result.Exploration{Goal: "find it", Started: result.At(noon)},
		}, Receipt),
		"receipt_setup": answer("receipt", &result.Receipt{
			Op: "setup", Summary: "claude", Files: []string{".claude/settings.json"}, Commit: made.Commit,
			Granted: []result.Grant{{Agent: "claude", Path: ".claude/settings.json", Commands: []string{"note", "delta"},
				Tools: []string{"checkpoint_delta"}}},
		}, Receipt),
		"receipt_resolve": answer("receipt", &result.Receipt{Op: "resolve", Summary: "1 file",
			Resolution: &result.Resolution{Files: []result.Resolved{{
				Path: "checkpoints/active/chk-auth.md", ID: "chk-auth", How: "merged",
				Left: []result.Spot{{Line: 7, Section: "Current State", What: "choose"}, {What: "read it"}},
			}}}}, Receipt),
		"import": answer("import", &result.Import{Receipt: &result.Receipt{Op: "import", Summary: "1 source", DryRun: true},
			Sources: []result.Imported{
				{
					File: "notes.md", Form: "notes", ID: "chk-notes", Lines: 5, Remarks: []string{"no title"},
					Shares: []result.Share{
						{Section: "Decisions", Lines: 3},
						{Section: "Imported", Lines: 2, Imported: true},
					},
				},
				{File: "rows.jsonl", Place: result.Place{Line: 2}, Form: "stored", ID: "chk-rows-2", Lines: 3},
				{File: "old.md", Same: true, ID: "chk-old"},
			}}, Import),
		"operations": answer("operations", &result.Operations{Operations: []result.Operation{
			{Commit: made.Commit, Time: result.At(noon), Op: "delta", ID: "chk-auth", Subject: "ckpt: delta"},
			{Commit: made.Commit, Time: result.At(noon), Op: "note", Subject: "ckpt: note", Undone: true},
			{Time: result.At(noon), Op: "note", Subject: "note"},
		}}, Operations),
		"sync": answer("sync", &result.Sync{Branch: "main", Upstream: "origin/main", Received: 1, Sent: 2,
			Merged: true, Rounds: 1}, Sync),
		"sync_nothing": answer("sync", &result.Sync{Branch: "main", Upstream: "origin/main", DryRun: true,
			Remarks: []string{"fetch first"}}, Sync),
		"prune": answer("prune", Pruned{
			Pruning: &policy.Pruning{Limits: policy.Limits{MaxAge: 48 * time.Hour}, Verdicts: []policy.Verdict{
				{Candidate: policy.Candidate{ID: "chk-b", Path: "archive/chk-b.md", Status: "archived", Changed: noon},
					Rule: "max_age", Why: "older than 2 days"},
				{Candidate: policy.Candidate{ID: "chk-a", Path: "active/chk-a.md", Status: "active"}, Keep: true, Spared: true,
					Rule: "active", Why: "active"},
			}},
			Unread: forest.Broken,
		}, Prune),
		"status": answer("status", &result.Overview{
			Entries: []*result.Entry{
				{
					ID: "chk-auth", Path: "checkpoints/active/chk-auth.md", Status: "current", Problem: "Sign-in <fails>.",
					Next: "fix it", Deltas: 2, Edited: true,
					Created: result.At(noon), Changed: result.At(noon), Mark: &result.Mark{Goal: "find it", At: result.At(noon)},
					Run: result.Run{Workflow: "ship", Phase: "3", Progress: "45%"},
				},
				{ID: "chk-torn", Path: "checkpoints/active/chk-torn.md", Status: "unreadable", Unreadable: "half a file"},
			},
			AlsoIn:   []string{"../api", "../web", "../c", "../d"},
			Warnings: []string{"two are current"},
		}, Status),
		"status_empty": answer("status", &result.Overview{Of: "of agent claude"}, Status),
		"list": answer("list", &result.Overview{Entries: []*result.Entry{
			{ID: "chk-auth", Path: "checkpoints/active/chk-auth.md", Status: "active", Problem: "Sign-in fails.",
				Changed: result.At(noon)},
			{ID: "chk-b", Path: "checkpoints/archive/chk-b.md", Status: "archived", Outcome: "Done", Branch: "feat-a", Elsewhere: true},
		}}, List),
		"tree":    answer("tree", forest, Tree),
		"due":     answer("due", due, Due),
		"due_not": answer("due", policy.Reminder{}, Due),
		"stats": answer("stats", &stats.Figures{Content: stats.Content{Files: stats.Files{Active: 1, Bytes: 2048}, Decisions: 3},
			Saves: 2, Operations: map[string]int{"delta": 2}, Days: []stats.Day{{Date: "2026-01-02", Deltas: 2}},
			Local: stats.Local{Since: result.At(noon), SaveLatency: stats.Spread{None: true}, ResumeLatency: stats.Spread{None: true}}}, Stats),
		"agents": answer("agents", &result.Agents{Entries: []result.Agent{{Name: "claude", Title: "Claude Code",
			Scope: "project", Pieces: []result.Piece{{What: "hooks", Path: ".claude/settings.json", State: "stale",
				Says: "older"}}}, {Name: "codex", Title: "Codex", Remark: "not installed"}}}, Agents),
		"diagnosis": answer("diagnosis", &result.Diagnosis{Facts: []result.Fact{{Name: "git", Value: "2.47"}},
			Problems: []result.Problem{{Code: "gitkeep", What: "a keep file is missing", Fix: "ckpt doctor --fix"},
				{Code: "leftover", What: ".git/ckpt/.ckpt-1", Fixed: true}}}, Diagnosis),
		"diagnosis_none": answer("diagnosis", &result.Diagnosis{}, Diagnosis),
		"learnings":      answer("learnings", []learnings.Learning{{Date: "2026-01-02", ID: "chk-b", Text: "Test it"}, {Text: "No date"}}, Learnings),
		"version": answer("version", result.Build{Ckpt: "1.2", Spec: "1.0", Commit: "abc", Go: "go1.26",
			OldestGit: "2.30"}, Version),
		"checkpoint":     answer("checkpoint", Shown{Checkpoint: auth}, Checkpoint),
		"checkpoint_own": answer("checkpoint", Shown{Checkpoint: auth, Only: auth.SectionsNamed("notes"), At: &made}, Checkpoint),
		"inspect":        answer("checkpoint", details, Details),
		"brief_none":     answer("brief", (*brief.Rendering)(nil), Brief),
		"report": answer("report", &result.Report{Checked: 2,
			Findings: []result.Finding{{Code: "CK101", Severity: result.Error, Path: "active/chk-a.md", Line: 3,
				Message: "broken", Fix: "fix it"}, {Code: "CK701", Severity: result.Advice, Path: "active/chk-b.md",
				Message: "short", Fix: "fix it"}}}, Report),
		"scan": answer("report", &result.Report{Checked: 4, Counted: "version",
			Remarks: []string{"the clone is shallow"}}, Scan),
		"drift": answer("drift", &drift.Report{ID: "chk-auth", Path: "checkpoints/active/chk-auth.md",
			Counts: map[drift.Verdict]int{drift.Deleted: 1, drift.OK: 1}, Findings: []drift.Finding{{Reference: drift.Reference{Path: "a.go",
				Places: []drift.Place{{Source: drift.Artifact}}}, Verdict: drift.Deleted, Commit: made.Commit},
				{Reference: drift.Reference{Path: "b.go", Places: []drift.Place{{Source: drift.NextAction,
					Number: 2}}}, Verdict: drift.OK}}}, Drift),
		"log": answer("log", &revisions.Log{ID: "chk-auth", Edited: true, Older: 3,
			Changes: []revisions.Change{{Version: made, Diff: diff}, {Version: revisions.Version{Commit: made.Commit,
				Time: noon, Subject: "edit by hand"}}}}, Log),
		"diff": answer("diff", &revisions.Comparison{ID: "chk-auth", From: made, Diff: diff}, Diff),
		"diff_same": answer("diff", &revisions.Comparison{ID: "chk-auth", From: made, To: &made,
			Diff: &revisions.Diff{}}, Diff),
		"decisions":        answer("decisions", decided, Decisions),
		"decisions_blame":  answer("decisions", decided, DecisionsBlame),
		"decisions_verify": answer("decisions", Verified{Record: decided}, DecisionsVerified),
		"session": answer("session", &record.Log{Session: session, Older: 1, Others: []record.Session{session}},
			SessionLog),
		"search": answer("search", Found{Terms: []string{"sign"}, Result: &search.Result{Hits: 2, In: 1, Shown: 1,
			Files: []*search.File{{
				Path: "checkpoints/active/chk-auth.md", ID: "chk-auth", Status: "active", Branch: "feat-a", Elsewhere: true,
				Hits: []search.Hit{{Line: 8, Text: "Sign-in fails.", Marks: []doc.Span{{Start: 0, End: 4}},
					Section: "Problem"}},
			}}}}, Search),
		"plan_next": answer("plan-next", &plan.Upcoming{Run: run, Number: 2, Step: step, Remark: "the file changed"},
			PlanNext),
		"plan_news": answer("plan", plan.News{Kind: plan.StepEnded, ID: "chk-run", File: "plan.yaml", Done: 1, Total: 2,
			Number: 2, Step: step, Result: plan.Result{Status: plan.Failed, Message: "exit 1", Took: time.Second},
			Commit: made.Commit}, PlanNews),
		"plan_complete": answer("plan", plan.News{Kind: plan.RunEnded, ID: "chk-run", File: "plan.yaml", Done: 2, Total: 2,
			Took: time.Second, Pending: "off"}, PlanNews),
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, print(t)) })
	}
}

// golden compares a text with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) {
		t.Errorf("error %v (-update writes the file), got\n%s\nwant\n%s", err, got, want)
	}
}

func TestTextIsHarmless(t *testing.T) {
	var out, remarks bytes.Buffer
	o := &result.Overview{
		Entries:  []*result.Entry{{ID: "chk-a", Status: "active", Problem: "\x1b[2Jgone"}},
		Warnings: []string{"\x1b]0;title\x07"},
	}
	if err := Print(New(term.Streams{Out: &out, Err: &remarks}, false, time.Time{}), o, Status); err != nil {
		t.Fatal(err)
	}
	if text := out.String() + remarks.String(); strings.ContainsAny(text, "\x1b\x07") {
		t.Errorf("an escape sequence reaches the terminal: %q", text)
	}
}

func TestQuiet(t *testing.T) {
	var out, remarks bytes.Buffer
	r := &result.Receipt{Op: "note", Summary: "x", Remarks: []string{"y"}}
	if err := Print(New(term.Streams{Out: &out, Err: &remarks}, true, time.Time{}), r, Receipt); err != nil || out.Len()+remarks.Len() > 0 {
		t.Errorf("error %v, %q, %q", err, out.String(), remarks.String())
	}
}

func TestPrintReturnsWriteErrors(t *testing.T) {
	err := Print(New(term.Streams{Out: full{}, Err: &bytes.Buffer{}}, false, time.Time{}), &result.Diagnosis{}, Diagnosis)
	if err == nil || err.Error() != "write the answer: no space left" {
		t.Errorf("error %v", err)
	}
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAnnotations(t *testing.T) {
	var out bytes.Buffer
	r := &result.Report{Findings: []result.Finding{{Code: "CK101", Severity: result.Warning, Path: "a,b.md",
		Message: "50% is\nbroken", Fix: "fix it"}}}
	if err := Annotations(term.Streams{Out: &out}, r); err != nil {
		t.Fatal(err)
	}
	if want := "::warning file=a%2Cb.md,line=1,title=CK101::50%25 is%0Abroken%0Afix it\n"; out.String() != want {
		t.Errorf("%q, not %q", out.String(), want)
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"short", 20, "short"},
		{"one two three four", 12, "one two…"},
		{"äöüäöüäöüäöü", 11, "äöüäöüäöüä…"},
		{"日本日本日本", 8, "日本日…"},
		{"see internal/authentication/clock_skew.go", 36, "see internal/authentication/…"},
		{"x", 0, "x"},
	} {
		if got := shorten(c.text, c.columns); got != c.want {
			t.Errorf("shorten(%q, %d) = %q, not %q", c.text, c.columns, got, c.want)
		}
	}
}

func parse(t *testing.T, path, text string) *checkpoint.Checkpoint {
	t.Helper()
	c, err := checkpoint.Parse(path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const authFile = `---
checkpoint: chk-auth
created: 2026-01-01T10:00:00Z
last_delta: 2026-01-02T12:00:00Z
status: current
workflow: ship
---

## Problem

Sign-in <fails>.

## Essential Information

### Decisions

- **Use OIDC**: it is there
- ~~Use SAML~~

### Current State

It works & runs.

### Next Actions

- [ ] fix a.go
- [x] write the docs

## Notes

My own.

---

## Delta: 2026-01-02T12:00:00Z

### What Changed

Sign-in works.

### Artifacts

| File | Action | Description |
|------|--------|-------------|
| ` + "`a.go`" + ` | modified | the fix |

### Status Transitions

| Item | Before | After |
|------|--------|-------|
| sign-in | broken | works |
`

// TestTimes checks that ages and local times are printed only on a terminal.
func TestTimes(t *testing.T) {
	defer func(zone *time.Location) { time.Local = zone }(time.Local)
	time.Local = time.FixedZone("+05:30", 5*3600+30*60)
	now := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		at          time.Time
		when, clock string
	}{
		{now.Add(-90 * time.Second), "1 minute ago", "2026-03-02 01:28"},
		{now.AddDate(0, 0, -28), "4 weeks ago", "2026-02-02 01:30"},
		{now.AddDate(0, 0, -29), "2026-02-01", "2026-02-01 01:30"},
		{now.Add(time.Hour), "2026-03-02", "2026-03-02 02:30"},
	} {
		p := New(term.Streams{Out: term.Screen(io.Discard)}, false, now)
		if p.when(c.at) != c.when || p.clock(c.at) != c.clock {
			t.Errorf("%v on a terminal: %q and %q", c.at, p.when(c.at), p.clock(c.at))
		}
		p = New(term.Streams{Out: io.Discard}, false, now)
		if p.when(c.at) != minute(c.at) || p.clock(c.at) != minute(c.at) {
			t.Errorf("%v in a pipe: %q and %q", c.at, p.when(c.at), p.clock(c.at))
		}
	}
}

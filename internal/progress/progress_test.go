package progress

import (
	"strconv"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
)

// parse returns a checkpoint with these frontmatter lines and this body.
func parse(t *testing.T, front, body string) *checkpoint.Checkpoint {
	t.Helper()
	c, err := checkpoint.Parse("active/chk-a.md", []byte("---\ncheckpoint: chk-a\ncreated: 2026-01-02\n"+front+"---\n\n"+body))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const transitions = `## Delta: 2026-01-02T10:00:00Z

### What Changed
It goes on.

### Status Transitions

| Item | Before | After |
|------|--------|-------|
| Phase 1 | pending | in_progress |
| Phase 2 | pending | pending |
| Login | broken | works with SSO |
| Idea | pending | skipped |

## Delta: 2026-01-03T10:00:00Z

### What Changed
More.

### Status Transitions

| Item | Before | After |
|------|--------|-------|
| phase 1 | in_progress | ✅ Completed |
| Phase 2 | pending | **in progress** (half) |
| Phase 3 | - | To do |
`

func TestOf(t *testing.T) {
	for name, tc := range map[string]struct {
		front, body string
		want        string // completed; in progress; pending; percent
		complete    bool
	}{
		"nothing is said": {"", "## Next Actions\n\n<!-- What to do next -->\n", "; ; ; -1", false},
		"next actions":    {"", "## Next Actions\n\n1. [x] Read\n2. [~] Write\n3. Test\n   at night\n4. [/] Ship\n", "Read; Write, Ship; Test; 25", false},
		"phases":          {"step: Phase 2\n", "## Current State\n\n- [x] Phase 1\n- [~] Phase 2\n- [ ] Phase 3\n- and more\n", "Phase 1; Phase 2; Phase 3; 33", false},
		"a plan":          {"step: s2\n", "## Next Actions\n\n1. Retry\n\n## Plan\n\nRun of `ship.yaml`, begun 2026-01-02.\n\n| ID | Step | Status |\n|--|--|--|\n| s1 | Get it | completed |\n| s2 | Break it | failed |\n| s3 | Tell it | pending |\n| s4 | No | skipped |\n", "Get it; Break it; Tell it; 33", false},
		"what was done":   {"", "## Play-By-Play\n\n- Read the logs → done\n- Asked ops\n\n## Next Actions\n\n1. [x] Read the logs\n2. Fix it\n", "Read the logs, Asked ops; ; Fix it; 66", false},
		"steps of saved JSON": {"", "## Play-By-Play\n\n- Read it\n\n## Next Actions\n\n1. Ship it\n2. Tell them\n\n## Further Fields\n\n```json\n" +
			`{"protocol": {"summary": {"goal": "Sell", "completed": ["Read it", "Fix it", "Test it", "Tell them"]}}}` +
			"\n```\n", "Read it, Fix it, Test it; ; Ship it, Tell them; 60", false},
		"the last transition":  {"", transitions, "phase 1; Phase 2; Phase 3; 33", false},
		"folded transitions":   {"", "## Play-By-Play\n\n- 2026-01-02T10:00:00Z → It goes on. → Phase 1: done; Phase 2: in progress\n- 2026-01-03 → Odd → even: sic\n- 2026-01-04 → Said no more\n", "Phase 1; Phase 2; ; 50", false},
		"back where it began":  {"", "## Delta: 2026-01-02\n\n### Status Transitions\n\n| Item | Before | After |\n|--|--|--|\n| A | done | done |\n| B | pending | done |\n", "B; ; ; 100", true},
		"all is done":          {"", "## Next Actions\n\nNone.\n\n## Play-By-Play\n\n- Read\n", "Read; ; ; 100", true},
		"the file says it":     {"progress: 45%\n", "## Next Actions\n\n1. Fix it\n", "; ; Fix it; 45", false},
		"it says complete":     {"progress: 100%\nstep: Phase 3\n", "## Next Actions\n\n1. Tell everybody\n", "; ; Tell everybody; 100", true},
		"the step began":       {"workflow: ship\nstep: Phase 3 - Build\n", "## Play-By-Play\n\n- Phase 3 - Build\n", "; Phase 3 - Build; ; -1", false},
		"the step is done":     {"step: Build\n", "## Play-By-Play\n\n- Build → done\n", "Build → done; ; ; 100", true},
		"a step more":          {"step: Build\n", "## Play-By-Play\n\n- Read\n- Think\n", "Read, Think; Build; ; 66", false},
		"a phase is no step":   {"phase: build\n", "## Next Actions\n\n1. [x] Read\n2. Write\n", "Read; build; Write; 50", false},
		"the last phase":       {"workflow: w\nphase: 2\n", "## Current State\n\n- [x] Phase 0\n- [x] Phase 1\n", "Phase 0, Phase 1; 2; ; 66", false},
		"the first phase":      {"workflow: w\nphase: 0\n", "## Current State\n\n- [ ] Phase 1\n- [ ] Phase 2\n", "; 0; Phase 1, Phase 2; 0", false},
		"a phase that is over": {"workflow: w\nphase: 1\n", "## Current State\n\n- [x] Phase 0\n- [x] Phase 1\n", "Phase 0, Phase 1; ; ; 100", true},
		"the phase is done":    {"workflow: w\nphase: done\n", "## Current State\n\n- [x] Phase 0\n- [x] Phase 1\n", "Phase 0, Phase 1; ; ; 100", true},
		"the step is going on": {"phase: 3\nstep: Phase 3 - Build\nprogress: 2/3\n", "", "; Phase 3 - Build; ; 66", false},
		"the phase, too":       {"phase: hardening\n", "", "; hardening; ; -1", false},
		"a step that is over":  {"step: Phase 2 Complete\n", "", "; ; ; -1", false},
		"a step that is told":  {"step: Read\n", "## Next Actions\n\n1. Read\n", "; ; Read; 0", false},
		"an odd progress":      {"progress: nearly\n", "## Next Actions\n\n1. Read\n", "; ; Read; 0", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := Of(parse(t, tc.front, tc.body))
			got := strings.Join([]string{strings.Join(s.With(Completed), ", "), strings.Join(s.With(InProgress), ", "), strings.Join(s.With(Pending), ", "), strconv.Itoa(s.Percent)}, "; ")
			if got != tc.want || (s.Percent == 100) != tc.complete {
				t.Errorf("got  %q, complete %v\nwant %q", got, (s.Percent == 100), tc.want)
			}
		})
	}
}

func TestUnfinished(t *testing.T) {
	at := func(c *checkpoint.Checkpoint, id string) *checkpoint.Checkpoint { c.ID = id; return c }
	set := []*checkpoint.Checkpoint{
		at(parse(t, "workflow: ship\nstep: Phase 2\nlast_delta: 2026-01-05\nprogress: 40%\n", ""), "ship-2"),
		at(parse(t, "workflow: ship\nstep: Phase 1\nlast_delta: 2026-01-04\n", ""), "ship-1"),
		at(parse(t, "workflow: done\nlast_delta: 2026-01-06\nprogress: 100%\n", ""), "done-2"),
		at(parse(t, "workflow: done\nlast_delta: 2026-01-03\nprogress: 10%\n", ""), "done-1"),
		at(parse(t, "phase: alone\nlast_delta: 2026-01-07\n", "## Next Actions\n\n1. [x] a\n2. b\n"), "alone"),
		at(parse(t, "session: s\nagent: claude\n", ""), "no-run"),
	}
	archived, _ := checkpoint.Parse("archive/x.md", []byte("---\ncheckpoint: archived\nworkflow: old\nprogress: 10%\n---\n"))
	var got []string
	for _, r := range Unfinished(append(set, archived)) {
		got = append(got, r.ID+" "+r.Share())
	}
	if want := "alone 1 of 2 steps ship-2 40%"; strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}

func TestCompletesPhase(t *testing.T) {
	for words, want := range map[[2]string]bool{
		{"phase", ""}: true, {"phase_complete", ""}: true, {"Phase-Completion", ""}: true, {"", "Phase 2.5 Complete"}: true, {"", "phase 3: completed"}: true,
		{"", ""}: false, {"phases", ""}: false, {"manual", "Phase 3 - Implementation"}: false, {"", "Complete the login"}: false,
	} {
		if got := CompletesPhase(words[0], words[1]); got != want {
			t.Errorf("%q: got %v", words, got)
		}
	}
}

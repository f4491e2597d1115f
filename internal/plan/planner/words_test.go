package planner

import (
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/workspace"
)

func TestStateAndNextActionsOfARun(t *testing.T) {
	at := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	row := func(id string, s plan.Status, needs ...string) plan.Row {
		return plan.Row{ID: id, Title: id, Status: s, Needs: needs, At: at}
	}
	for name, tt := range map[string]struct {
		rows        []plan.Row
		state, next string
	}{
		"nothing is done": {
			rows:  []plan.Row{row("a", plan.Pending), row("b", plan.Pending, "a")},
			state: "0 of 2 steps completed.",
			next:  "Run step 1, a: `ckpt plan run p.yaml`",
		},
		"a step by hand is next": {
			rows:  []plan.Row{row("a", plan.Completed), {ID: "b", Title: "Ask", Status: plan.Pending, Definition: (&plan.Step{}).Definition()}},
			state: "1 of 2 steps completed.",
			next:  "Do step 2, Ask: `ckpt plan start b --plan p.yaml`, then `ckpt plan done b --plan p.yaml`",
		},
		"a step runs": {
			rows:  []plan.Row{row("a", plan.Running)},
			state: "0 of 1 step completed. Step 1, a, is running.",
			next:  "Wait for the steps that are running: `ckpt plan next`",
		},
		"a step failed": {
			rows:  []plan.Row{row("a", plan.Failed)},
			state: "0 of 1 step completed. Failed at step 1, a (2026-01-02T10:00:00Z): .",
			next:  "Retry step 1, a: `ckpt plan run p.yaml`",
		},
		"all are done": {
			rows:  []plan.Row{row("a", plan.Completed), row("b", plan.Skipped)},
			state: "Execution complete: 1 of 2 steps completed, 1 skipped.",
			next:  "Look at the results, then archive this: `ckpt archive chk-p --outcome TEXT`",
		},
	} {
		run := &plan.Run{ID: "chk-p", File: "p.yaml", Steps: tt.rows}
		if got := planState(run); got != tt.state {
			t.Errorf("%s: state %q, want %q", name, got, tt.state)
		}
		if got := strings.Join(planNext(run), "\n"); got != tt.next {
			t.Errorf("%s: next %q, want %q", name, got, tt.next)
		}
	}
}

func TestEntryOfAStepThatEnded(t *testing.T) {
	for want, tt := range map[string]struct {
		row plan.Row
		res plan.Result
	}{
		"Step 1, a → completed in 1.5s":                            {row: plan.Row{Status: plan.Completed, Took: 1500 * time.Millisecond}},
		"Step 1, a → failed after 2s, 3 attempts, 1 token: exit 1": {row: plan.Row{Status: plan.Failed, Took: 2 * time.Second, Remark: "exit 1"}, res: plan.Result{Attempts: 3, Tokens: 1}},
		"Step 1, a → skipped: not needed":                          {row: plan.Row{Status: plan.Skipped, Remark: "not needed"}},
	} {
		tt.row.Title = "a"
		if got := planStep(&tt.row, 1, tt.res); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestMessagesWithSecretsAreLeftOut(t *testing.T) {
	guard := workspace.GuardOf(policy.Config{})
	if got := harmlessMessage(guard, "exit status 1"); got != "exit status 1" {
		t.Errorf("got %q", got)
	}
	if got := harmlessMessage(guard, "token ghp_"+"0123456789abcdefABCDEF0123456789abcd"); !strings.HasPrefix(got, "kept out: it looks like a secret [") {
		t.Errorf("got %q", got)
	}
}

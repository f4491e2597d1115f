package policy_test

import (
	"slices"
	"testing"
	"time"

	"example.com/ckpt/internal/policy"
)

var since = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// after returns times, given in minutes after the last delta.
func after(minutes ...int) []time.Time {
	var all []time.Time
	for _, m := range minutes {
		all = append(all, since.Add(time.Duration(m)*time.Minute))
	}
	return all
}

func TestDecide(t *testing.T) {
	for _, c := range []struct {
		name   string
		now    int // minutes after the last delta
		traces policy.Traces
		policy func(*policy.Due)
		worked int
		want   []policy.Trigger
	}{
		{name: "nothing happened", now: 1},
		{name: "back from lunch", now: 70},
		{name: "lunch after a little work", now: 70, traces: policy.Traces{Edits: after(2, 5)}, worked: 5},
		{name: "edits that the delta knows", now: 20, traces: policy.Traces{Edits: after(-30, -1, 0)}},
		{name: "ten minutes of work", now: 60, traces: policy.Traces{Edits: after(10, 3, 3)}, worked: 10, want: []policy.Trigger{policy.OnWork}},
		{name: "nine minutes", now: 60, traces: policy.Traces{Edits: after(9)}, worked: 9},
		{name: "a pause does not count", now: 28, traces: policy.Traces{Edits: after(4, 20, 24)}, worked: 8},
		{name: "thirty minutes at the most", now: 31, traces: policy.Traces{Edits: after(30)}, want: []policy.Trigger{policy.OnLimit}},
		{name: "the same file all the time", now: 41, traces: policy.Traces{Edits: after(40, 41)}, worked: 1, want: []policy.Trigger{policy.OnLimit}},
		{name: "first edit after lunch", now: 67, traces: policy.Traces{Edits: after(3, 66)}, worked: 3},
		{name: "next morning", now: 901, traces: policy.Traces{Edits: after(900)}},
		{name: "all the time", now: 40, traces: policy.Traces{Edits: after(10, 20, 30, 40)}, worked: 40, want: []policy.Trigger{policy.OnLimit, policy.OnWork}},
		{name: "a clock that is ahead", now: 5, traces: policy.Traces{Edits: after(600)}, worked: 5},
		{name: "tasks are not counted", now: 5, traces: policy.Traces{Tasks: 9}},
		{name: "tasks are counted", now: 5, traces: policy.Traces{Tasks: 2}, want: []policy.Trigger{policy.OnTask}, policy: func(p *policy.Due) { p.Tasks = 2 }},
		{name: "many files", now: 5, traces: policy.Traces{Files: 10, Edits: after(1)}, worked: 1, want: []policy.Trigger{policy.OnFiles}},
		{name: "another phase", now: 5, traces: policy.Traces{WasPhase: "design", Phase: "build"}, want: []policy.Trigger{policy.OnPhase}},
		{name: "the first phase", now: 5, traces: policy.Traces{Phase: "build"}, want: []policy.Trigger{policy.OnPhase}},
		{name: "the same phase", now: 5, traces: policy.Traces{WasPhase: "build", Phase: "build"}},
		{name: "a decision", now: 5, traces: policy.Traces{Messages: []string{"Fix typo", "Queue\n\nWe decided on SQS."}}, want: []policy.Trigger{policy.OnDecision}},
		{name: "no decision", now: 5, traces: policy.Traces{Messages: []string{"Fix indecisive wording", "Add chooser"}}},
		{name: "a breaking change", now: 5, traces: policy.Traces{Messages: []string{"feat(api)!: drop v1"}}, want: []policy.Trigger{policy.OnDecision}},
		{name: "switched off", now: 90, traces: policy.Traces{Files: 99, Edits: after(10, 20, 30)}, worked: 30, policy: func(p *policy.Due) { p.Work, p.Limit, p.Files = 0, 0, 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := policy.DefaultDue()
			if c.policy != nil {
				c.policy(&cfg)
			}
			c.traces.Since = since
			got := policy.Remind("chk-a", c.traces, cfg, after(c.now)[0])
			if !slices.Equal(got.Triggers, c.want) || got.Due() != (len(c.want) > 0) {
				t.Errorf("triggers %v, not %v", got.Triggers, c.want)
			}
			if got.Worked != time.Duration(c.worked)*time.Minute {
				t.Errorf("worked %s, not %d minutes", got.Worked, c.worked)
			}
		})
	}
}

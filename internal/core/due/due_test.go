package due_test

import (
	"slices"
	"testing"
	"time"

	"example.com/ckpt/internal/core/due"
)

var since = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// after are times so many minutes after the last delta.
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
		traces due.Traces
		policy func(*due.Policy)
		worked int
		want   []due.Trigger
	}{
		{name: "nothing happened", now: 1},
		{name: "back from lunch", now: 70},
		{name: "lunch after a little work", now: 70, traces: due.Traces{Edits: after(2, 5)}, worked: 5},
		{name: "edits that the delta knows", now: 20, traces: due.Traces{Edits: after(-30, -1, 0)}},
		{name: "ten minutes of work", now: 60, traces: due.Traces{Edits: after(10, 3, 3)}, worked: 10, want: []due.Trigger{due.Work}},
		{name: "nine minutes", now: 60, traces: due.Traces{Edits: after(9)}, worked: 9},
		{name: "a pause does not count", now: 28, traces: due.Traces{Edits: after(4, 20, 24)}, worked: 8},
		{name: "thirty minutes at the most", now: 31, traces: due.Traces{Edits: after(30)}, want: []due.Trigger{due.Limit}},
		{name: "the same file all the time", now: 41, traces: due.Traces{Edits: after(40, 41)}, worked: 1, want: []due.Trigger{due.Limit}},
		{name: "first edit after lunch", now: 67, traces: due.Traces{Edits: after(3, 66)}, worked: 3},
		{name: "next morning", now: 901, traces: due.Traces{Edits: after(900)}},
		{name: "all the time", now: 40, traces: due.Traces{Edits: after(10, 20, 30, 40)}, worked: 40, want: []due.Trigger{due.Limit, due.Work}},
		{name: "a clock that is ahead", now: 5, traces: due.Traces{Edits: after(600)}, worked: 5},
		{name: "tasks are not counted", now: 5, traces: due.Traces{Tasks: 9}},
		{name: "tasks are counted", now: 5, traces: due.Traces{Tasks: 2}, want: []due.Trigger{due.Task}, policy: func(p *due.Policy) { p.Tasks = 2 }},
		{name: "many files", now: 5, traces: due.Traces{Files: 10, Edits: after(1)}, worked: 1, want: []due.Trigger{due.Files}},
		{name: "another phase", now: 5, traces: due.Traces{WasPhase: "design", Phase: "build"}, want: []due.Trigger{due.Phase}},
		{name: "the first phase", now: 5, traces: due.Traces{Phase: "build"}, want: []due.Trigger{due.Phase}},
		{name: "the same phase", now: 5, traces: due.Traces{WasPhase: "build", Phase: "build"}},
		{name: "a decision", now: 5, traces: due.Traces{Messages: []string{"Fix typo", "Queue\n\nWe decided on SQS."}}, want: []due.Trigger{due.Decision}},
		{name: "no decision", now: 5, traces: due.Traces{Messages: []string{"Fix indecisive wording", "Add chooser"}}},
		{name: "a breaking change", now: 5, traces: due.Traces{Messages: []string{"feat(api)!: drop v1"}}, want: []due.Trigger{due.Decision}},
		{name: "switched off", now: 90, traces: due.Traces{Files: 99, Edits: after(10, 20, 30)}, worked: 30, policy: func(p *due.Policy) { p.Work, p.Limit, p.Files = 0, 0, 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			policy := due.Default()
			if c.policy != nil {
				c.policy(&policy)
			}
			c.traces.Since = since
			got := due.Decide("chk-a", c.traces, policy, after(c.now)[0])
			if !slices.Equal(got.Triggers, c.want) || got.Due() != (len(c.want) > 0) {
				t.Errorf("triggers %v, not %v", got.Triggers, c.want)
			}
			if got.Worked != time.Duration(c.worked)*time.Minute {
				t.Errorf("worked %s, not %d minutes", got.Worked, c.worked)
			}
		})
	}
}

package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// Whatever fails, and whenever the run is killed: a completed step is never run
// again, nothing is run before what it depends on, no more steps at once than
// allowed, and the run ends.
func TestAnyRun(t *testing.T) {
	for seed := range uint64(3000) {
		w := &world{t: t, dice: rand.New(rand.NewPCG(seed, 1)), seed: seed, completed: map[int]bool{}, failures: map[int]int{}}
		w.plan = randomPlan(w.dice)
		w.run = Begin(w.plan, time.Time{})
		w.jobs = 1 + w.dice.IntN(4)
		for lives := 0; !w.run.Complete(); lives++ {
			if lives > 100+20*len(w.plan.Steps) {
				t.Fatalf("seed %d: it never ends", seed)
			}
			w.live()
		}
		if len(w.completed)+w.run.Count(Skipped) != len(w.plan.Steps) {
			t.Errorf("seed %d: %d of %d steps completed", seed, len(w.completed), len(w.plan.Steps))
		}
	}
}

// world is what a run happens in.
type world struct {
	t         *testing.T
	dice      *rand.Rand
	seed      uint64
	plan      *Plan
	run       *Run // what is on record: all that outlives a kill
	jobs      int
	completed map[int]bool // on record
	failures  map[int]int
}

// live is one process: it runs until the plan ends or somebody kills it.
func (w *world) live() {
	state, todo := NewState(w.plan, w.run, w.jobs).Next(Event{Kind: Begun})
	var running []int
	for steps := 0; ; steps++ {
		if steps > 100*len(w.plan.Steps)+100 {
			w.t.Fatalf("seed %d: a process that never ends", w.seed)
		}
		for _, a := range todo {
			if w.dice.IntN(40) == 0 {
				return // kill -9
			}
			switch a.Kind {
			case Start:
				w.begin(a.Step)
				if a.Attempt == 1 {
					running = append(running, a.Step)
				}
				if len(running) > w.jobs {
					w.t.Fatalf("seed %d: %d steps at once, not %d", w.seed, len(running), w.jobs)
				}
			case Record:
				w.record(state, a.Step)
			case Finish:
				if len(running) > 0 {
					w.t.Fatalf("seed %d: finished while %v run", w.seed, running)
				}
				if (a.End == Success) != w.run.Complete() {
					w.t.Fatalf("seed %d: end %v, complete %v", w.seed, a.End, w.run.Complete())
				}
				if a.End == Waiting {
					w.byHand(a.Step)
				}
				return
			}
		}
		if len(running) == 0 {
			w.t.Fatalf("seed %d: nothing runs, and it is not finished", w.seed)
		}
		i := w.dice.IntN(len(running))
		step, what := running[i], StepSucceeded
		switch w.dice.IntN(12) {
		case 0, 1, 2:
			if w.failures[step]++; w.failures[step] < 6 {
				what = StepFailed
			}
		case 3:
			what = StepLost
		case 4:
			state, todo = state.Next(Event{Kind: Halt})
			continue
		}
		before := state
		state, todo = state.Next(Event{Kind: what, Step: step})
		if retried := what == StepFailed && len(todo) == 1 && todo[0].Kind == Start && todo[0].Step == step && todo[0].Attempt > 1; !retried {
			running = slices.Delete(running, i, i+1)
		}
		if before.steps[step].status != Running {
			w.t.Fatalf("seed %d: Next has changed the state it was given", w.seed)
		}
	}
}

// byHand is a person who does the step that the run waits for.
func (w *world) byHand(step int) {
	if w.plan.Steps[step].Runs() {
		w.t.Fatalf("seed %d: the run waits for step %d, which has a command", w.seed, step)
	}
	w.begin(step)
	if err := w.run.End(w.plan.Steps[step].ID, Result{Status: Completed}); err != nil {
		w.t.Fatalf("seed %d: %v", w.seed, err)
	}
	w.completed[step] = true
}

func (w *world) begin(step int) {
	if w.completed[step] {
		w.t.Fatalf("seed %d: step %d is run again", w.seed, step)
	}
	for _, need := range w.plan.Steps[step].Needs {
		row, i := w.run.Find(need)
		if !w.completed[i-1] && row.Status != Skipped {
			w.t.Fatalf("seed %d: step %d is run before %s", w.seed, step, need)
		}
	}
}

func (w *world) record(s State, step int) {
	if err := w.run.End(w.plan.Steps[step].ID, Result{Status: s.steps[step].status}); err != nil {
		w.t.Fatalf("seed %d: %v", w.seed, err)
	}
	if s.steps[step].status == Completed {
		w.completed[step] = true
	}
}

// randomPlan has steps in an order of its own: one may depend on a later one.
func randomPlan(dice *rand.Rand) *Plan {
	p := &Plan{Name: "any"}
	n := 1 + dice.IntN(12)
	order := dice.Perm(n)
	p.Steps = make([]Step, n)
	for at, i := range order {
		s := Step{ID: fmt.Sprint(i), Status: Pending, Retries: dice.IntN(3), Shell: "x"}
		if dice.IntN(8) == 0 {
			s.Shell = "" // for a person
		}
		if dice.IntN(10) == 0 {
			s.Status = Skipped
		}
		for _, before := range order[:at] {
			if dice.IntN(3) == 0 {
				s.Needs = append(s.Needs, fmt.Sprint(before))
			}
		}
		p.Steps[i] = s
	}
	return p
}

func TestNextInOrder(t *testing.T) {
	p := &Plan{Steps: []Step{{ID: "1", Shell: "x"}, {ID: "2", Shell: "x", Needs: []string{"1"}, Retries: 1}, {ID: "3", Shell: "x", Needs: []string{"2"}}}}
	s, _ := NewState(p, Begin(p, time.Time{}), 2).Next(Event{Kind: Begun})
	for _, tt := range []struct {
		event Event
		want  []Action
	}{
		{Event{StepSucceeded, 0}, []Action{{Kind: Record, Step: 0}, {Kind: Start, Step: 1, Attempt: 1}}},
		{Event{StepFailed, 1}, []Action{{Kind: Start, Step: 1, Attempt: 2}}},
		{Event{StepRecorded, 1}, []Action{{Kind: Start, Step: 2, Attempt: 1}}},
		{Event{StepFailed, 2}, []Action{{Kind: Record, Step: 2}, {Kind: Finish, End: Failure}}},
	} {
		var todo []Action
		if s, todo = s.Next(tt.event); !slices.Equal(todo, tt.want) {
			t.Errorf("%v: got %v, want %v", tt.event, todo, tt.want)
		}
	}
}

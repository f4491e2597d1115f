package plan

// State is where a run stands while steps are being run. It is a value: Next gives a
// new one and leaves the old one alone.
type State struct {
	steps  []stage
	jobs   int
	halted bool // nothing new begins
}

type stage struct {
	status  Status
	needs   []int
	attempt int // from 1
	retries int
	byHand  bool // it has no command: an agent or a person does it
}

// Event is what has happened.
type Event struct {
	What What
	Step int // the number of the step, from 0
}

// What happens in a run.
type What int

// The events.
const (
	Begun     What = iota // nothing yet
	Succeeded             // the step's command ended well
	Broke                 // it did not
	Lost                  // it was stopped before its end: it counts as not begun
	Settled               // it was to start, and somebody else has recorded that it is done
	Halt                  // begin nothing more
)

// Action is what is to be done, in the order given.
type Action struct {
	Do      Do
	Step    int // from 0; of Finish with Waiting the one that is waited for
	Attempt int // from 1
	End     End // of Finish
}

// Do is a kind of action.
type Do int

// The actions. What is to be recorded is on record before the next action, so what
// depends on a step does not begin before all know that it is completed.
const (
	Start  Do = iota // run the step
	Record           // write down that the step is completed, or has failed
	Finish           // nothing runs, and nothing more will
)

// End is how a run ends.
type End int

// The ends.
const (
	Success End = iota // all steps are completed or skipped
	Failure            // a step failed
	Stopped            // it was halted before
	Waiting            // what is left waits for a step without a command
)

// NewState is a run of a plan as far as it is, with so many steps at once. What was
// running or has failed is to be done (again).
func NewState(p *Plan, r *Run, jobs int) State {
	number := map[string]int{}
	s := State{jobs: max(jobs, 1)}
	for i := range p.Steps {
		number[p.Steps[i].ID] = i
		at := stage{status: Pending, retries: p.Steps[i].Retries, byHand: !p.Steps[i].Runs()}
		if row, _ := r.Find(p.Steps[i].ID); row != nil && row.Status.Done() {
			at.status = row.Status
		}
		s.steps = append(s.steps, at)
	}
	for i := range p.Steps {
		for _, need := range p.Steps[i].Needs {
			s.steps[i].needs = append(s.steps[i].needs, number[need])
		}
	}
	return s
}

// Next is the state after an event and what is to be done about it.
func (s State) Next(e Event) (State, []Action) {
	s.steps = append([]stage(nil), s.steps...)
	var todo []Action
	switch e.What {
	case Halt:
		s.halted = true
	case Succeeded:
		s.steps[e.Step].status = Completed
		todo = append(todo, Action{Do: Record, Step: e.Step})
	case Settled:
		s.steps[e.Step].status = Completed
	case Lost:
		s.steps[e.Step].status = Pending
	case Broke:
		at := &s.steps[e.Step]
		if at.attempt <= at.retries && !s.halted {
			at.attempt++
			return s, []Action{{Do: Start, Step: e.Step, Attempt: at.attempt}}
		}
		at.status, s.halted = Failed, true
		todo = append(todo, Action{Do: Record, Step: e.Step})
	}
	running := s.count(Running)
	for i := 0; i < len(s.steps) && !s.halted && running < s.jobs; i++ {
		if s.ready(i) && !s.steps[i].byHand {
			s.steps[i].status, s.steps[i].attempt = Running, 1
			todo = append(todo, Action{Do: Start, Step: i, Attempt: 1})
			running++
		}
	}
	if running == 0 {
		todo = append(todo, s.finish())
	}
	return s, todo
}

func (s State) ready(i int) bool {
	for _, need := range s.steps[i].needs {
		if !s.steps[need].status.Done() {
			return false
		}
	}
	return s.steps[i].status == Pending
}

func (s State) count(want Status) int {
	n := 0
	for i := range s.steps {
		if s.steps[i].status == want {
			n++
		}
	}
	return n
}

// finish says how the run ends now that nothing runs.
func (s State) finish() Action {
	switch {
	case s.count(Failed) > 0:
		return Action{Do: Finish, End: Failure}
	case s.count(Completed)+s.count(Skipped) == len(s.steps):
		return Action{Do: Finish, End: Success}
	case !s.halted:
		for i := range s.steps {
			if s.ready(i) { // else it would run
				return Action{Do: Finish, End: Waiting, Step: i}
			}
		}
	}
	return Action{Do: Finish, End: Stopped}
}

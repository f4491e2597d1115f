package plan

// State is the state of a run while its steps are run. It is a value: Next returns a new one
// and does not change the old one.
type State struct {
	steps  []stage
	jobs   int
	halted bool // no more steps are started
}

type stage struct {
	status  Status
	needs   []int
	attempt int // from 1
	retries int
	byHand  bool // the step has no command: an agent or a person does it
}

// Event is an event of a run.
type Event struct {
	Kind EventKind
	Step int // the number of the step, from 0
}

// EventKind is the kind of an event.
type EventKind int

// The events of a run.
const (
	Begun         EventKind = iota // the first event
	StepSucceeded                  // the command of a step succeeded
	StepFailed                     // the command of a step failed
	StepLost                       // a step was stopped before its end: it counts as pending
	StepRecorded                   // another process has recorded that a step is done
	Halt                           // no more steps are to be started
)

// Action is an action of the runner. Actions are carried out in order: the end of a step is
// recorded before a step that depends on it is started.
type Action struct {
	Kind    ActionKind
	Step    int // from 0; for Finish with Waiting the step without a command
	Attempt int // from 1
	End     End // for Finish, how the run ended
}

// ActionKind is the kind of an action.
type ActionKind int

// The actions of a run.
const (
	Start  ActionKind = iota // run the command of the step
	Record                   // record that the step is completed or failed
	Finish                   // no step runs, and none will be started
)

// End is the end of a run.
type End int

// The ways in which a run ends.
const (
	Success End = iota // all steps are completed or skipped
	Failure            // a step failed
	Stopped            // the run was halted
	Waiting            // the other steps wait for a step without a command
)

// NewState returns the state of a run, with a number of steps that may run at once. Steps that
// were running or have failed are pending again.
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

// Next returns the state after an event and the actions that follow.
func (s State) Next(e Event) (State, []Action) {
	s.steps = append([]stage(nil), s.steps...)
	var todo []Action
	switch e.Kind {
	case Halt:
		s.halted = true
	case StepSucceeded:
		s.steps[e.Step].status = Completed
		todo = append(todo, Action{Kind: Record, Step: e.Step})
	case StepRecorded:
		s.steps[e.Step].status = Completed
	case StepLost:
		s.steps[e.Step].status = Pending
	case StepFailed:
		at := &s.steps[e.Step]
		if at.attempt <= at.retries && !s.halted {
			at.attempt++
			return s, []Action{{Kind: Start, Step: e.Step, Attempt: at.attempt}}
		}
		at.status, s.halted = Failed, true
		todo = append(todo, Action{Kind: Record, Step: e.Step})
	}
	running := s.count(Running)
	for i := 0; i < len(s.steps) && !s.halted && running < s.jobs; i++ {
		if s.ready(i) && !s.steps[i].byHand {
			s.steps[i].status, s.steps[i].attempt = Running, 1
			todo = append(todo, Action{Kind: Start, Step: i, Attempt: 1})
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

// finish returns the last action, with the end of the run.
func (s State) finish() Action {
	switch {
	case s.count(Failed) > 0:
		return Action{Kind: Finish, End: Failure}
	case s.count(Completed)+s.count(Skipped) == len(s.steps):
		return Action{Kind: Finish, End: Success}
	case !s.halted:
		for i := range s.steps {
			if s.ready(i) { // the step has no command: otherwise it would have been started
				return Action{Kind: Finish, End: Waiting, Step: i}
			}
		}
	}
	return Action{Kind: Finish, End: Stopped}
}

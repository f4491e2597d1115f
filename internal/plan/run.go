package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/fault"
)

// Run is the progress of a plan, as its checkpoint stores it.
type Run struct {
	ID    string    // the id of the checkpoint
	Name  string    // the name of the plan
	File  string    // the plan file, from the repository's root
	Begun time.Time // the time of the start, or of the last restart
	Ended time.Time // when all steps were done; zero before
	Steps []Row
}

// Row is the progress of one step.
type Row struct {
	ID         string
	Title      string
	Status     Status
	Needs      []string
	At         time.Time // when the step got its status; zero while it is pending
	Took       time.Duration
	Tokens     int
	Definition string // the definition of the step when it was run; see [Step.Definition]
	Remark     string // the reason of a failure, or of skipping the step
}

// Result is the end of a step.
type Result struct {
	Status   Status // completed, failed or skipped
	At       time.Time
	Took     time.Duration
	Tokens   int
	Attempts int
	Message  string // the reason of a failure or of skipping, on one line
	Output   []byte // the end of the output
	Cut      int64  // the number of bytes left out before Output
	By       string // "agent" if no command was run
}

// Begin returns a new run of a plan. Only steps that the file marks as completed or skipped are done.
func Begin(p *Plan, now time.Time) *Run {
	r := &Run{Name: p.Name, File: p.File, Begun: now}
	for i := range p.Steps {
		r.Steps = append(r.Steps, rowOf(&p.Steps[i]))
	}
	return r
}

func rowOf(s *Step) Row {
	return Row{ID: s.ID, Title: s.Title(), Status: s.Status, Needs: s.Needs, Definition: s.Definition()}
}

// Find returns the row of a step and its number, from 1; nil and 0 if not found.
func (r *Run) Find(id string) (*Row, int) {
	for i := range r.Steps {
		if r.Steps[i].ID == id {
			return &r.Steps[i], i + 1
		}
	}
	return nil, 0
}

// Count returns the number of steps with a status.
func (r *Run) Count(s Status) int {
	n := 0
	for i := range r.Steps {
		if r.Steps[i].Status == s {
			n++
		}
	}
	return n
}

// Done returns the number of steps that are completed or skipped.
func (r *Run) Done() int { return r.Count(Completed) + r.Count(Skipped) }

// Complete reports whether all steps are done.
func (r *Run) Complete() bool { return r.Done() == len(r.Steps) }

// Tokens returns the tokens that all steps used.
func (r *Run) Tokens() int {
	n := 0
	for i := range r.Steps {
		n += r.Steps[i].Tokens
	}
	return n
}

// LastError returns the step that failed last, and its number; nil if none has failed.
func (r *Run) LastError() (last *Row, number int) {
	for i := range r.Steps {
		s := &r.Steps[i]
		if s.Status == Failed && (last == nil || s.At.After(last.At)) {
			last, number = s, i+1
		}
	}
	return last, number
}

// Waits returns the ids of the steps that a step waits for.
func (r *Run) Waits(row *Row) []string {
	return slices.DeleteFunc(slices.Clone(row.Needs), func(id string) bool {
		need, _ := r.Find(id)
		return need == nil || need.Status.Done()
	})
}

// Ready returns the numbers of the steps that can be started or tried again, in order.
func (r *Run) Ready() []int {
	var all []int
	for i := range r.Steps {
		s := &r.Steps[i]
		if (s.Status == Pending || s.Status == Failed) && len(r.Waits(s)) == 0 {
			all = append(all, i+1)
		}
	}
	return all
}

// Start marks a step as running.
func (r *Run) Start(id string, now time.Time) error {
	row, err := r.open(id)
	if err != nil || row.Status == Running {
		return err
	}
	row.Status = Running
	row.At = now
	row.Took = 0
	row.Remark = ""
	return nil
}

// End records the result of a step. A step that waits for others can only be skipped.
func (r *Run) End(id string, res Result) error {
	_, err := r.open(id)
	if err != nil && res.Status != Skipped {
		return err
	}
	row, _ := r.Find(id)
	if row == nil || row.Status.Done() {
		return err
	}
	if res.Took == 0 && row.Status == Running && res.By != "" {
		res.Took = res.At.Sub(row.At)
	}
	row.Status = res.Status
	row.At = res.At
	row.Took = res.Took
	row.Tokens += res.Tokens
	row.Remark = ""
	if res.Status == Failed || res.Status == Skipped {
		row.Remark = strings.Join(strings.Fields(res.Message), " ")
	}
	return nil
}

// open returns the row of a step. It returns an error if the step is done or waits for another step.
func (r *Run) open(id string) (*Row, error) {
	row, _ := r.Find(id)
	switch {
	case row == nil:
		return nil, fault.New(fault.NotFound, "%s has no step %q", r.ID, id).WithHint("ckpt plan next shows the next one")
	case row.Status.Done():
		return nil, fault.New(fault.Usage, "step %s of %s is %s already", id, r.ID, row.Status).WithHint("ckpt plan next")
	}
	if waits := r.Waits(row); len(waits) > 0 {
		return nil, fault.New(fault.Usage, "step %s waits for %s", id, strings.Join(waits, ", ")).
			WithHint("ckpt plan next, or ckpt plan skip %s", waits[0])
	}
	return row, nil
}

// Adopt returns the run for a plan that may have changed since the run began, and a description of the changes. A
// step that is done stays done, with the definition that was run.
func (r *Run) Adopt(p *Plan) (*Run, []string) {
	var said []string
	next := &Run{ID: r.ID, Name: r.Name, File: p.File, Begun: r.Begun, Ended: r.Ended}
	if r.File != p.File {
		said = append(said, fmt.Sprintf("the plan is %s now; it was %s", p.File, r.File))
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		row := rowOf(s)
		old, _ := r.Find(s.ID)
		if old == nil {
			said = append(said, "step "+s.ID+" is new")
			next.Steps = append(next.Steps, row)
			continue
		}
		adopted := *old
		adopted.Title, adopted.Needs = row.Title, row.Needs
		switch {
		case old.Definition == row.Definition:
		case old.Status.Done():
			said = append(said, fmt.Sprintf("step %s has changed since it was %s; it is not run again (--restart begins anew)",
				s.ID, old.Status))
		default:
			said = append(said, "step "+s.ID+" has changed: it is run as it is now")
			adopted.Definition = row.Definition
		}
		next.Steps = append(next.Steps, adopted)
	}
	for i := range r.Steps {
		if s, _ := p.Find(r.Steps[i].ID); s == nil {
			said = append(said, fmt.Sprintf("step %s (%s) is gone", r.Steps[i].ID, r.Steps[i].Status))
		}
	}
	if !next.Complete() {
		next.Ended = time.Time{}
	}
	return next, said
}

// Same reports whether two runs have the same text in a checkpoint.
func (r *Run) Same(other *Run) bool { return r.head() == other.head() && r.table() == other.table() }

// Upcoming is the next step of a run.
type Upcoming struct {
	Run     *Run
	Number  int   // the number of the next step, from 1; 0 if none can be started
	Step    *Step // the step in the plan file; nil if the file cannot be read
	Plan    *Plan // the plan file; nil if it cannot be read
	Running []int // the numbers of the running steps
	Remark  string
}

// Next returns the first step that can be started or tried again.
func (r *Run) Next() Upcoming {
	u := Upcoming{Run: r}
	if ready := r.Ready(); len(ready) > 0 {
		u.Number = ready[0]
	}
	for i := range r.Steps {
		if r.Steps[i].Status == Running {
			u.Running = append(u.Running, i+1)
		}
	}
	return u
}

// Row returns the row of the next step; nil if not found.
func (u *Upcoming) Row() *Row {
	if u.Number == 0 {
		return nil
	}
	return &u.Run.Steps[u.Number-1]
}

// State returns the state of the run: "ready", "running" or "complete". If no step can be
// started and none runs, all are done, since a failed step can be tried again.
func (u *Upcoming) State() string {
	switch {
	case u.Number > 0:
		return "ready"
	case len(u.Running) > 0:
		return "running"
	}
	return "complete"
}

// News is an event of a run for the user.
type News struct {
	Kind    NewsKind
	ID      string // the checkpoint of the run
	File    string // the plan file
	Done    int    // the number of steps that are completed or skipped
	Total   int    // the number of steps
	Step    *Step  // nil if the event is about the run
	Number  int    // the number of the step, from 1
	Attempt int    // the number of the attempt, from 1
	Result  Result // the result of a step that has ended
	Text    string // the text of a note
	Commit  string // the commit that records the event
	Pending string // why there is no commit
	Took    time.Duration
	Err     string // why the run ended before it was complete
}

// NewsKind is a kind of news.
type NewsKind string

// The kinds of news.
const (
	RunBegun   NewsKind = "begun"    // the checkpoint of the run was made
	RunResumed NewsKind = "resumed"  // an earlier run is continued
	RunNote    NewsKind = "note"     // a remark
	StepBegun  NewsKind = "started"  // a step was started
	StepAgain  NewsKind = "retry"    // a step failed and is tried again
	StepEnded  NewsKind = "ended"    // a step has ended, and its result is recorded
	WouldRun   NewsKind = "would"    // in a dry run, a step that would run
	RunEnded   NewsKind = "finished" // the last event
)

package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/fault"
)

// Run is how far a plan is, as the checkpoint of its run says.
type Run struct {
	ID    string    // the checkpoint
	Name  string    // of the plan
	File  string    // the plan file, from the repository's root
	Begun time.Time // anew with --restart
	Ended time.Time // when "Execution complete" was recorded; zero before
	Steps []Row
}

// Row is how far one step is.
type Row struct {
	ID         string
	Title      string
	Status     Status
	Needs      []string
	At         time.Time // when it got its status; zero while it is pending
	Took       time.Duration
	Tokens     int
	Definition string // of the step as it was run; see [Step.Definition]
	Remark     string // why it failed
}

// Result is how a step ended.
type Result struct {
	Status   Status // completed, failed or skipped
	At       time.Time
	Took     time.Duration
	Tokens   int
	Attempts int
	Message  string // why it failed, in a line
	Output   []byte // what it said, or the end of it
	Cut      int64  // how many bytes of it came before
	By       string // "agent" where nobody ran a command
}

// Begin is a run of a plan of which nothing is done yet, but for what the file says.
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

// Find is the row of a step and its number, from 1; nil and 0 for none.
func (r *Run) Find(id string) (*Row, int) {
	for i := range r.Steps {
		if r.Steps[i].ID == id {
			return &r.Steps[i], i + 1
		}
	}
	return nil, 0
}

// Count is how many steps have a status.
func (r *Run) Count(s Status) int {
	n := 0
	for i := range r.Steps {
		if r.Steps[i].Status == s {
			n++
		}
	}
	return n
}

// Done is how many steps are completed or skipped.
func (r *Run) Done() int { return r.Count(Completed) + r.Count(Skipped) }

// Complete says whether all of them are.
func (r *Run) Complete() bool { return r.Done() == len(r.Steps) }

// Tokens is what all steps together used.
func (r *Run) Tokens() int {
	n := 0
	for i := range r.Steps {
		n += r.Steps[i].Tokens
	}
	return n
}

// LastError is the step that failed last, and its number; nil for none.
func (r *Run) LastError() (last *Row, number int) {
	for i := range r.Steps {
		if s := &r.Steps[i]; s.Status == Failed && (last == nil || s.At.After(last.At)) {
			last, number = s, i+1
		}
	}
	return last, number
}

// Waits is the steps that one waits for, by their ids.
func (r *Run) Waits(row *Row) []string {
	return slices.DeleteFunc(slices.Clone(row.Needs), func(id string) bool {
		need, _ := r.Find(id)
		return need == nil || need.Status.Done()
	})
}

// Ready are the numbers of the steps that can be begun, or tried again, in order.
func (r *Run) Ready() []int {
	var all []int
	for i := range r.Steps {
		if s := &r.Steps[i]; (s.Status == Pending || s.Status == Failed) && len(r.Waits(s)) == 0 {
			all = append(all, i+1)
		}
	}
	return all
}

// Start marks a step as running.
func (r *Run) Start(id string, now time.Time) error {
	row, err := r.open(id)
	if err != nil {
		return err
	}
	if row.Status == Running {
		return nil
	}
	row.Status, row.At, row.Took, row.Remark = Running, now, 0, ""
	return nil
}

// End gives a step the status that it ended with.
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
	row.Status, row.At, row.Took, row.Tokens, row.Remark = res.Status, res.At, res.Took, row.Tokens+res.Tokens, ""
	if res.Status == Failed || res.Status == Skipped {
		row.Remark = strings.Join(strings.Fields(res.Message), " ")
	}
	return nil
}

// open is the row of a step that is not done and waits for none.
func (r *Run) open(id string) (*Row, error) {
	row, _ := r.Find(id)
	switch {
	case row == nil:
		return nil, fault.New(fault.NotFound, "%s has no step %q", r.ID, id).WithHint("ckpt plan next shows the next one")
	case row.Status.Done():
		return nil, fault.New(fault.Usage, "step %s of %s is %s already", id, r.ID, row.Status).WithHint("ckpt plan next")
	}
	if waits := r.Waits(row); len(waits) > 0 {
		return nil, fault.New(fault.Usage, "step %s waits for %s", id, strings.Join(waits, ", ")).WithHint("ckpt plan next, or ckpt plan skip %s", waits[0])
	}
	return row, nil
}

// Adopt is the run brought to a plan that may have changed since, and what has: in
// words, for whoever started it. A completed step stays completed, whatever it is
// now, and keeps the definition by which it was run.
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
		switch {
		case old == nil:
			said = append(said, "step "+s.ID+" is new")
			next.Steps = append(next.Steps, row)
			continue
		case old.Definition != row.Definition && old.Status.Done():
			said = append(said, fmt.Sprintf("step %s has changed since it was %s; it is not run again (--restart begins anew)", s.ID, old.Status))
			row.Definition = old.Definition
		case old.Definition != row.Definition:
			said = append(said, "step "+s.ID+" has changed: it is run as it is now")
		}
		row.Status, row.At, row.Took, row.Tokens, row.Remark = old.Status, old.At, old.Took, old.Tokens, old.Remark
		next.Steps = append(next.Steps, row)
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

// Same says whether two runs are the same to the letter.
func (r *Run) Same(other *Run) bool { return r.head() == other.head() && r.table() == other.table() }

// Package plan is a plan and what becomes of it: the file that says which steps
// there are (Parse), the table of a checkpoint that says how far they are (Read,
// Revise), and the machine that says what is to be done next (State.Next).
//
// It runs nothing. Times, results and the fact that a step has ended come from
// outside; what is promised here is that a completed step is never asked for again,
// and that nothing is asked for before all that it depends on is done.
package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Status is how far a step is.
type Status string

// The states of a step.
const (
	Pending   Status = "pending"
	Running   Status = "running"
	Completed Status = "completed"
	Failed    Status = "failed"
	Skipped   Status = "skipped"
)

// Done says whether what depends on such a step can begin.
func (s Status) Done() bool { return s == Completed || s == Skipped }

// statuses are all states, in the order of a step's life.
var statuses = [...]Status{Pending, Running, Completed, Failed, Skipped}

// Plan is what a plan file says.
type Plan struct {
	File    string // slash path from the repository's root
	Name    string // what the work is called
	Query   string // what was asked for, in the words of who asked
	Problem string // why
	Steps   []Step
}

// Step is one thing to do.
type Step struct {
	ID          string
	Description string
	Args        []string          // a command and its arguments, or
	Shell       string            // a line for the shell, or neither: a person or an agent does it
	Parameters  string            // as a JSON object; "" for none
	Values      map[string]string // the parameters that are plain values
	Needs       []string          // the ids of the steps that it depends on
	Timeout     time.Duration     // 0 for none
	Env         map[string]string
	Dir         string // from the repository's root; "" for the root
	Retries     int    // how often it is tried again
	Status      Status // as the file gives it: what is done already need not be done
}

// Runs says whether a step has a command.
func (s *Step) Runs() bool { return len(s.Args) > 0 || s.Shell != "" }

// Title is what a step is called before people.
func (s *Step) Title() string { return titleOf(s.Description, s.ID) }

func titleOf(description, id string) string {
	if text := strings.Join(strings.Fields(description), " "); text != "" {
		return text
	}
	return id
}

// Definition identifies what a step does: it changes with everything but the
// description and the status.
func (s *Step) Definition() string {
	h := sha256.New()
	list := func(words ...string) {
		fmt.Fprintf(h, "%d\n", len(words))
		for _, w := range words {
			fmt.Fprintf(h, "%d %s\n", len(w), w)
		}
	}
	list(s.Args...)
	list(s.Shell, s.Parameters, s.Timeout.String(), s.Dir, fmt.Sprint(s.Retries))
	list(slices.Sorted(slices.Values(s.Needs))...)
	list(s.Environment()...)
	return hex.EncodeToString(h.Sum(nil))[:10]
}

// Environment is the variables that the step sets, sorted.
func (s *Step) Environment() []string {
	var all []string
	for name, value := range s.Env {
		all = append(all, name+"="+value)
	}
	slices.Sort(all)
	return all
}

// Find is the step with an id and its number, from 1; nil and 0 for none.
func (p *Plan) Find(id string) (*Step, int) {
	for i := range p.Steps {
		if p.Steps[i].ID == id {
			return &p.Steps[i], i + 1
		}
	}
	return nil, 0
}

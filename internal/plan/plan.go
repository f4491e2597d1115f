// Package plan reads plan files ([Parse]), stores the progress of a run in a table of a
// checkpoint ([Read], [Run.Revise]), and decides which step comes next ([Run.Next]).
//
// It runs nothing: times, results and the ends of steps are arguments. It promises that a
// completed step is never started again, and that no step is started before all the steps
// that it depends on are completed or skipped.
package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Status is the progress of a step.
type Status string

// The states of a step.
const (
	Pending   Status = "pending"
	Running   Status = "running"
	Completed Status = "completed"
	Failed    Status = "failed"
	Skipped   Status = "skipped"
)

// Done reports whether the steps that depend on a step with this status can start.
func (s Status) Done() bool { return s == Completed || s == Skipped }

var statuses = []Status{Pending, Running, Completed, Failed, Skipped}

const statusNames = "pending, running, completed, failed, skipped"

// Plan is the content of a plan file.
type Plan struct {
	File    string // slash path from the repository's root
	Name    string
	Query   string // the request that the plan answers
	Problem string
	Steps   []Step
}

// Step is a step of a plan. It has Args or Shell; a person or an agent does a step that has
// neither.
type Step struct {
	ID          string
	Description string
	Args        []string          // a program and its arguments
	Shell       string            // a line for the shell
	Parameters  string            // a JSON object; may be empty
	Values      map[string]string // the parameters that are scalars
	Needs       []string          // the ids of the steps that it depends on
	Timeout     time.Duration     // no limit if 0
	Env         map[string]string
	Dir         string // the folder, as a path from the repository's root
	Retries     int
	Status      Status // completed or skipped if the file states that, otherwise pending
}

// Runs reports whether a step has a command.
func (s *Step) Runs() bool { return len(s.Args) > 0 || s.Shell != "" }

// Title returns the description of a step on one line, or its id.
func (s *Step) Title() string { return cmp.Or(strings.Join(strings.Fields(s.Description), " "), s.ID) }

// ByHand begins the definition of a step without a command.
const ByHand = "by hand "

// Definition returns a hash of everything that determines what a step does. Its id, description and
// status do not count.
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
	hash := hex.EncodeToString(h.Sum(nil))[:10]
	if s.Runs() {
		return hash
	}
	return ByHand + hash
}

// Environment returns the variables that the step sets, sorted.
func (s *Step) Environment() []string {
	var all []string
	for name, value := range s.Env {
		all = append(all, name+"="+value)
	}
	slices.Sort(all)
	return all
}

// Find returns the step with an id and its number, from 1; nil and 0 if not found.
func (p *Plan) Find(id string) (*Step, int) {
	for i := range p.Steps {
		if p.Steps[i].ID == id {
			return &p.Steps[i], i + 1
		}
	}
	return nil, 0
}

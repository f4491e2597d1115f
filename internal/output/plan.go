package output

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// PlanNews prints a line about an event in the run of a plan.
func PlanNews(p *Printer, n plan.News) {
	if p.Quiet {
		return
	}
	step := func() string { return fmt.Sprintf("%d/%d %s", n.Number, n.Total, n.Step.Title()) }
	switch n.Kind {
	case plan.RunBegun:
		p.printf("%s: %s of %s %s\n", p.Bold(n.ID), text.Count(n.Total, "step"), n.File, p.Dim(recorded(n)))
	case plan.RunResumed:
		p.printf("Resuming from checkpoint at step %d (%s: %d of %s done)\n", n.Number, p.Bold(n.ID), n.Done,
			text.Count(n.Total, "step"))
	case plan.RunNote:
		p.remark(n.Text)
	case plan.StepBegun:
		p.printf("→ %s\n", step())
	case plan.StepAgain:
		p.printf("%s %s: attempt %d of %d (%s)\n", p.Yellow("↻"), step(), n.Attempt, n.Step.Retries+1, n.Result.Message)
	case plan.StepEnded:
		printStepEnd(p, n, step())
	case plan.WouldRun:
		p.printf("would run %s\n", step())
	case plan.RunEnded:
		if n.Err == "" {
			p.printf("%s: %s in %s %s\n", p.Bold("Execution complete"), text.Count(n.Total, "step"), plan.Span(n.Took),
				p.Dim(recorded(n)))
		}
	}
}

func printStepEnd(p *Printer, n plan.News, step string) {
	facts := plan.Span(n.Result.Took)
	if n.Result.Tokens > 0 {
		facts += ", " + text.Count(n.Result.Tokens, "token")
	}
	commit := p.Dim(prefixed(" ", recorded(n))) // empty if another command recorded the result
	if n.Result.Status == plan.Failed {
		p.printf("%s %s: %s (%s)%s\n", p.Red("✗"), step, n.Result.Message, facts, commit)
		return
	}
	p.printf("%s %s (%s)%s\n", p.Green("✓"), step, facts, commit)
}

// recorded returns the commit of a change, or the reason why there is none.
func recorded(n plan.News) string {
	if n.Commit != "" {
		return "[" + n.Commit[:7] + "]"
	}
	if n.Pending == "" {
		return ""
	}
	return "[" + n.Pending + "]"
}

// PlanNext prints the next step of a plan.
func PlanNext(p *Printer, u *plan.Upcoming) {
	row := u.Row()
	if row == nil {
		if u.State() == "complete" {
			p.remark(fmt.Sprintf("%s: Execution complete, all %s done", u.Run.ID, text.Count(len(u.Run.Steps), "step")))
		}
		for _, n := range u.Running {
			step := u.Run.Steps[n-1]
			p.remark(fmt.Sprintf("%s: no step can begin while step %d, %s, is running (ckpt plan done %[4]s, "+
				"or ckpt plan fail %[4]s)",
				u.Run.ID, n, step.Title, step.ID))
		}
		return
	}
	p.printf("%s  %s %s\n", p.Bold(row.ID), row.Title, p.Dim(fmt.Sprintf("(step %d of %d)", u.Number, len(u.Run.Steps))))
	if s := u.Step; s != nil {
		printFact(p, "action", cmp.Or(s.Shell, strings.Join(s.Args, " ")))
		printFact(p, "parameters", s.Parameters)
		printFact(p, "env", strings.Join(s.Environment(), " "))
		printFact(p, "dir", s.Dir)
		if s.Timeout > 0 {
			printFact(p, "timeout", s.Timeout.String())
		}
	}
	printFact(p, "after", strings.Join(row.Needs, ", "))
	if row.Status == plan.Failed {
		printFact(p, "failed", row.Remark)
	}
	if u.Remark != "" {
		p.remark(u.Remark)
	}
}

// printFact prints a fact about a step unless it is empty.
func printFact(p *Printer, name, value string) {
	if value != "" {
		p.printf("  %-10s  %s\n", name, strings.ReplaceAll(value, "\n", "\n              "))
	}
}

// newsJSON is a line of the answer of `ckpt plan run`: one event.
type newsJSON struct {
	Event      string      `json:"event"` // begun, resumed, note, started, retry, ended, would, finished
	ID         string      `json:"id,omitempty"`
	Plan       string      `json:"plan"`                  // the file of the plan
	Done       int         `json:"done"`                  // how many steps are completed or skipped
	Total      int         `json:"total"`                 // the number of steps
	Step       string      `json:"step,omitempty"`        // the id of the step
	Number     int         `json:"number,omitempty"`      // the step's number, from 1
	Title      string      `json:"title,omitempty"`       // what the step does
	Status     plan.Status `json:"status,omitempty"`      // pending, running, completed, failed or skipped
	Attempt    int         `json:"attempt,omitempty"`     // the number of the attempt, from 1
	Message    string      `json:"message,omitempty"`     // the message of the step
	DurationMS *int64      `json:"duration_ms,omitempty"` // how long it took, in milliseconds
	Tokens     int         `json:"tokens,omitempty"`      // how many tokens the step reported
	Committed  *bool       `json:"committed,omitempty"`   // a commit has the result
	Commit     string      `json:"commit,omitempty"`
	Pending    string      `json:"pending,omitempty"`
	Success    *bool       `json:"success,omitempty"` // the run ended without a failure
	Error      string      `json:"error,omitempty"`   // why the run failed
}

func newsOf(n plan.News) newsJSON {
	w := newsJSON{
		Event: string(n.Kind), ID: n.ID, Plan: n.File, Done: n.Done, Total: n.Total, Number: n.Number, Attempt: n.Attempt,
		Message: n.Text, Commit: n.Commit, Pending: n.Pending, Error: n.Err,
	}
	if n.Step != nil {
		w.Step, w.Title = n.Step.ID, n.Step.Title()
	}
	success, committed := n.Err == "", n.Commit != ""
	switch n.Kind {
	case plan.RunBegun:
		w.Committed = &committed
	case plan.StepEnded:
		w.Status, w.Message = n.Result.Status, n.Result.Message
		w.Attempt, w.Tokens = n.Result.Attempts, n.Result.Tokens
		w.DurationMS, w.Committed = new(n.Result.Took.Milliseconds()), &committed
	case plan.StepAgain:
		w.Message = n.Result.Message
	case plan.RunEnded:
		w.Success, w.DurationMS = &success, new(n.Took.Milliseconds())
		if success {
			w.Committed = &committed
		}
	}
	return w
}

// upcomingJSON is the answer of `ckpt plan next`.
type upcomingJSON struct {
	ID       string           `json:"id,omitempty"` // empty if the run has not begun
	Plan     string           `json:"plan"`         // the file of the plan
	State    string           `json:"state"`        // ready, running, complete
	Done     int              `json:"done"`         // how many steps are completed or skipped
	Total    int              `json:"total"`        // the number of steps
	Step     *stepJSON        `json:"step"`         // null if no step can begin
	Running  result.List[int] `json:"running"`      // the numbers of the steps that were begun
	Steps    []stepJSON       `json:"steps"`        // all steps
	Warnings []string         `json:"warnings,omitempty"`
}

type stepJSON struct {
	ID           string              `json:"id"`     // the id of the step
	Number       int                 `json:"number"` // its number, from 1
	Description  string              `json:"description"`
	Status       plan.Status         `json:"status"`                // pending, running, completed, failed or skipped
	Dependencies result.List[string] `json:"dependencies"`          // the ids of the steps that must be completed before
	At           result.Time         `json:"at,omitzero"`           // when its status changed
	DurationMS   int64               `json:"duration_ms,omitempty"` // how long it took, in milliseconds
	Tokens       int                 `json:"tokens,omitempty"`      // how many tokens the step reported
	Message      string              `json:"message,omitempty"`     // the message of the step
	Action       any                 `json:"action,omitempty"`      // what it runs: a shell line, or a list of arguments
	Parameters   json.RawMessage     `json:"parameters,omitempty"`  // its parameters, as in the plan
	Env          map[string]string   `json:"env,omitempty"`         // its environment variables
	Dir          string              `json:"dir,omitempty"`         // the folder in which it runs
	TimeoutMS    int64               `json:"timeout_ms,omitempty"`  // its time limit in milliseconds
	Retries      int                 `json:"retries,omitempty"`     // how often it is tried again
}

func upcomingOf(u *plan.Upcoming) upcomingJSON {
	w := upcomingJSON{ID: u.Run.ID, Plan: u.Run.File, State: u.State(), Done: u.Run.Done(), Total: len(u.Run.Steps),
		Running: u.Running}
	for i, s := range u.Run.Steps {
		w.Steps = append(w.Steps, stepJSON{
			ID: s.ID, Number: i + 1, Description: s.Title, Status: s.Status, Dependencies: s.Needs,
			At: result.At(s.At), DurationMS: s.Took.Milliseconds(), Tokens: s.Tokens, Message: s.Remark,
		})
	}
	if u.Number > 0 {
		step := w.Steps[u.Number-1]
		if s := u.Step; s != nil { // the step as the plan file defines it
			if s.Shell != "" {
				step.Action = s.Shell
			} else if len(s.Args) > 0 {
				step.Action = s.Args
			}
			if s.Parameters != "" {
				step.Parameters = json.RawMessage(s.Parameters)
			}
			step.Env, step.Dir = s.Env, s.Dir
			step.TimeoutMS, step.Retries = s.Timeout.Milliseconds(), s.Retries
		}
		w.Step = &step
	}
	if u.Remark != "" {
		w.Warnings = []string{u.Remark}
	}
	return w
}

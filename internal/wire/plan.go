package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"time"

	"example.com/ckpt/internal/plan"
)

// PlanEvent is a line of the answer of `ckpt plan run`: something that happened.
type PlanEvent struct {
	Head
	Event      string        `json:"event"` // begun, resumed, note, started, retry, ended, running, would, finished
	ID         string        `json:"id,omitempty"`
	Plan       string        `json:"plan"`
	Done       int           `json:"done"`
	Total      int           `json:"total"`
	Step       string        `json:"step,omitempty"`
	Number     int           `json:"number,omitempty"` // of the step, from 1
	Title      string        `json:"title,omitempty"`
	Status     string        `json:"status,omitempty"`
	Attempt    int           `json:"attempt,omitempty"`
	Message    string        `json:"message,omitempty"`
	DurationMS *int64        `json:"duration_ms,omitempty"`
	Tokens     int           `json:"tokens,omitempty"`
	Running    []PlanOngoing `json:"running,omitempty"`
	Committed  *bool         `json:"committed,omitempty"`
	Commit     string        `json:"commit,omitempty"`
	Pending    string        `json:"pending,omitempty"`
	Success    *bool         `json:"success,omitempty"`
	Error      string        `json:"error,omitempty"`
}

// PlanOngoing is a step that runs.
type PlanOngoing struct {
	Number     int    `json:"number"`
	Title      string `json:"title"`
	DurationMS int64  `json:"duration_ms"`
}

// FromNews is the line for something that happened.
func FromNews(n plan.News) PlanEvent {
	w := PlanEvent{Head: head("plan"), Event: string(n.Kind), ID: n.ID, Plan: n.File, Done: n.Done, Total: n.Total, Number: n.Number, Attempt: n.Attempt, Message: n.Text, Commit: n.Commit, Pending: n.Pending, Error: n.Err}
	if n.Step != nil {
		w.Step, w.Title = n.Step.ID, n.Step.Title()
	}
	ms := func(d time.Duration) *int64 { n := d.Milliseconds(); return &n }
	switch n.Kind {
	case plan.StepEnded:
		w.Status, w.Attempt, w.Message, w.Tokens = string(n.Result.Status), n.Result.Attempts, n.Result.Message, n.Result.Tokens
		w.DurationMS = ms(n.Result.Took)
	case plan.StepAgain:
		w.Message = n.Result.Message
	case plan.RunEnded:
		success := n.Err == ""
		w.Success, w.DurationMS = &success, ms(n.Took)
	}
	if n.Kind == plan.StepEnded || n.Kind == plan.RunBegun || n.Kind == plan.RunEnded && n.Err == "" {
		committed := n.Commit != ""
		w.Committed = &committed
	}
	for _, o := range n.Running {
		w.Running = append(w.Running, PlanOngoing{o.Number, o.Title, o.For.Milliseconds()})
	}
	return w
}

// WriteLine writes an answer as one line of several.
func WriteLine(out io.Writer, answer any) error {
	var line bytes.Buffer
	to := json.NewEncoder(&line)
	to.SetEscapeHTML(false)
	if err := to.Encode(answer); err != nil {
		return err
	}
	_, err := out.Write(line.Bytes())
	return err
}

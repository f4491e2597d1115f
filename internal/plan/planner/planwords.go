package planner

import (
	"fmt"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/text"
)

// planState is the Current State of a run's checkpoint.
func planState(run *plan.Run) string {
	if run.Complete() {
		return "Execution complete: " + planDone(run) + "."
	}
	text := planDone(run) + "."
	for i, s := range run.Steps {
		if s.Status == plan.Running {
			text += fmt.Sprintf(" Step %d, %s, is running.", i+1, s.Title)
		}
	}
	if last, n := run.LastError(); last != nil {
		text += fmt.Sprintf(" Failed at step %d, %s (%s): %s.", n, last.Title, checkpoint.FormatTime(last.At), last.Remark)
	}
	return text
}

// planDone counts what is done: "2 of 3 steps completed, 1 skipped".
func planDone(run *plan.Run) string {
	text := fmt.Sprintf("%d of %s completed", run.Count(plan.Completed), text.Count(len(run.Steps), "step"))
	if n := run.Count(plan.Skipped); n > 0 {
		text += fmt.Sprintf(", %d skipped", n)
	}
	return text
}

// nextShown is how many steps stand among the next actions.
const nextShown = 5

// planNext is the Next Actions of a run's checkpoint.
func planNext(run *plan.Run) []string {
	if run.Complete() {
		return []string{"Look at the results, then archive this: " + checkpoint.Code("ckpt archive "+run.ID+" --outcome TEXT")}
	}
	var all []string
	for _, n := range run.Ready() {
		s := run.Steps[n-1]
		if len(all) == nextShown {
			break
		}
		verb := "Run step"
		if s.Status == plan.Failed {
			verb = "Retry step"
		}
		all = append(all, fmt.Sprintf("%s %d, %s: %s", verb, n, s.Title, checkpoint.Code("ckpt plan run "+run.File)))
	}
	if len(all) == 0 {
		all = append(all, "Wait for the steps that are running: "+checkpoint.Code("ckpt plan next"))
	}
	return all
}

// planStep is what Play-By-Play says of a step that has ended.
func planStep(s *plan.Row, number int, res plan.Result) string {
	words := fmt.Sprintf("Step %d, %s → %s", number, s.Title, s.Status)
	switch {
	case s.Status == plan.Completed:
		words += " in " + plan.Span(s.Took)
	case s.Status == plan.Failed && s.Took > 0:
		words += " after " + plan.Span(s.Took)
	}
	if res.Attempts > 1 {
		words += fmt.Sprintf(", %d attempts", res.Attempts)
	}
	if res.Tokens > 0 {
		words += ", " + text.Count(res.Tokens, "token")
	}
	if s.Remark != "" {
		words += ": " + s.Remark
	}
	return words
}

// planSummary is the summary of the operation that records the end of a step.
func planSummary(s *plan.Row, number, total int) string {
	switch s.Status {
	case plan.Failed:
		return fmt.Sprintf("Failed at step %d: %s", number, s.Title)
	default:
		return fmt.Sprintf("Step %d of %d %s: %s", number, total, s.Status, s.Title)
	}
}

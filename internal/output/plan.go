package output

import (
	"fmt"
	"strings"
	"time"

	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/text"
)

// PlanNews is a line for what happened in the run of a plan.
func (p Text) PlanNews(n plan.News) error {
	style := p.pen()
	if p.Quiet {
		return nil
	}
	step := func() string { return fmt.Sprintf("%d/%d %s", n.Number, n.Total, n.Step.Title()) }
	switch n.Kind {
	case plan.RunBegun:
		p.printf("%s: %s of %s %s\n", style.Bold(n.ID), text.Count(n.Total, "step"), n.File, style.Dim(recorded(n)))
	case plan.RunResumed:
		p.printf("Resuming from checkpoint at step %d (%s: %d of %s done)\n", n.Number, style.Bold(n.ID), n.Done, text.Count(n.Total, "step"))
	case plan.RunNote:
		p.remark(n.Text)
	case plan.StepBegun:
		p.printf("→ %s\n", step())
	case plan.StepAgain:
		p.printf("%s %s: attempt %d of %d (%s)\n", style.Yellow("↻"), step(), n.Attempt, n.Step.Retries+1, n.Result.Message)
	case plan.StepEnded:
		p.stepEnded(n, step())
	case plan.WouldRun:
		p.printf("would run %s\n", step())
	case plan.RunEnded:
		if n.Err == "" {
			p.printf("%s: %s in %s %s\n", style.Bold("Execution complete"), text.Count(n.Total, "step"), plan.Span(n.Took), style.Dim(recorded(n)))
		}
	}
	return p.done()
}

func (p Text) stepEnded(n plan.News, step string) {
	style := p.pen()
	facts := plan.Span(n.Result.Took)
	if n.Result.Tokens > 0 {
		facts += ", " + text.Count(n.Result.Tokens, "token")
	}
	if n.Result.Status == plan.Failed {
		p.printf("%s %s: %s (%s) %s\n", style.Red("✗"), step, n.Result.Message, facts, style.Dim(recorded(n)))
		return
	}
	if recorded(n) == "" { // somebody else has
		p.printf("%s %s (%s)\n", style.Green("✓"), step, facts)
		return
	}
	p.printf("%s %s (%s) %s\n", style.Green("✓"), step, facts, style.Dim(recorded(n)))
}

// recorded says where something is on record.
func recorded(n plan.News) string {
	if n.Commit != "" {
		return "[" + n.Commit[:7] + "]"
	}
	if n.Pending == "" {
		return ""
	}
	return "[" + n.Pending + "]"
}

// Ongoing is the line that says what runs, for a terminal.
func Ongoing(n plan.News) string {
	var all []string
	for _, o := range n.Running {
		all = append(all, fmt.Sprintf("%d %s (%s)", o.Number, o.Title, o.For.Round(time.Second)))
	}
	return fmt.Sprintf("%d/%d done; running: %s", n.Done, n.Total, strings.Join(all, ", "))
}

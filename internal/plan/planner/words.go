package planner

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/secrets"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
)

// planState returns the Current State of a run's checkpoint.
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

// planDone returns how many steps are done in words: "2 of 3 steps completed, 1 skipped".
func planDone(run *plan.Run) string {
	text := fmt.Sprintf("%d of %s completed", run.Count(plan.Completed), text.Count(len(run.Steps), "step"))
	if n := run.Count(plan.Skipped); n > 0 {
		text += fmt.Sprintf(", %d skipped", n)
	}
	return text
}

// nextShown is the maximum number of steps that the next actions list.
const nextShown = 5

// planNext returns the Next Actions of a run's checkpoint.
func planNext(run *plan.Run) []string {
	if run.Complete() {
		return []string{"Look at the results, then archive this: " +
			checkpoint.Code("ckpt archive "+run.ID+" --outcome TEXT")}
	}
	var all []string
	ready := run.Ready()
	for _, n := range ready[:min(len(ready), nextShown)] {
		s := run.Steps[n-1]
		verb, how := "Run step", checkpoint.Code("ckpt plan run "+run.File)
		if strings.HasPrefix(s.Definition, plan.ByHand) {
			step := s.ID + " --plan " + run.File
			verb, how = "Do step", checkpoint.Code("ckpt plan start "+step)+", then "+checkpoint.Code("ckpt plan done "+step)
		}
		if s.Status == plan.Failed {
			verb = "Retry step"
		}
		all = append(all, fmt.Sprintf("%s %d, %s: %s", verb, n, s.Title, how))
	}
	if len(all) == 0 {
		all = append(all, "Wait for the steps that are running: "+checkpoint.Code("ckpt plan next"))
	}
	return all
}

// planStep returns the entry of Play-By-Play for the end of a step.
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

// planOutput returns the section for the output of a step: all of it, or the end of a long one. It
// leaves out an output or a message that looks like a secret, with a remark.
func (p *Planner) planOutput(ctx context.Context, res *plan.Result) (section string, remarks []string, err error) {
	policy, err := p.Policy(ctx)
	if err != nil {
		return "", nil, err
	}
	guard := workspace.GuardOf(policy)
	if !p.AllowSecret {
		if harmless := harmlessMessage(guard, res.Message); harmless != res.Message {
			res.Message = harmless
			remarks = append(remarks, "the message is "+harmless)
		}
		if found := guard.Scan("", string(res.Output)); len(found) > 0 {
			why := fmt.Sprintf("line %d looks like a secret [%s]", found[0].Line, found[0].Rule)
			return plan.Withheld(why), append(remarks, "the output is kept out: "+why), nil
		}
	}
	text := ""
	whole := bytes.TrimLeftFunc(res.Output, func(r rune) bool { return res.Cut > 0 && r == utf8.RuneError })
	if utf8.Valid(whole) && bytes.IndexByte(whole, 0) < 0 {
		text = term.Plain(string(whole))
	}
	return plan.Output(text, int64(len(res.Output))+res.Cut, res.Cut), remarks, nil
}

// Message returns the reason of a failure without secrets.
func (p *Planner) Message(ctx context.Context, message string) string {
	policy, err := p.Policy(ctx)
	if err != nil || p.AllowSecret {
		return message
	}
	return harmlessMessage(workspace.GuardOf(policy), message)
}

// harmlessMessage returns message, or a text that names the rule if the message looks like a secret.
func harmlessMessage(guard *secrets.Scanner, message string) string {
	if found := guard.Scan("", message); len(found) > 0 {
		return "kept out: it looks like a secret [" + found[0].Rule + "]"
	}
	return message
}

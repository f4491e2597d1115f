package runner

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/term"
)

// start starts the command of a step. When the command ends, its result is sent to r.ended.
func (r *run) start(ctx context.Context, step, attempt int) {
	s := &r.of.Steps[step]
	before := r.results[step] // the result of earlier attempts
	if attempt == 1 {
		r.news(plan.News{Kind: plan.StepBegun, Step: s, Number: step + 1, Attempt: 1})
	} else {
		before.Message = r.records.Message(r.record, before.Message)
		r.news(plan.News{Kind: plan.StepAgain, Step: s, Number: step + 1, Attempt: attempt, Result: before})
	}
	report := ""
	if f, err := os.CreateTemp("", "ckpt-report-*"); err == nil { // if this fails, only the number of tokens is lost
		report = f.Name()
		f.Close()
	}
	dir := disk.From(r.root, filepath.FromSlash(s.Dir))
	c := command{args: s.Args, dir: dir, timeout: s.Timeout, lock: r.lock.steps}
	if s.Shell != "" {
		c.args = term.Shell(s.Shell)
	}
	c.env = append(slices.Clone(r.options.Env), "CKPT_DIR="+r.folder)
	c.env = append(c.env, environment(s, r.at, attempt, report)...)
	begun := r.started[step]
	go func() {
		res, lost := c.run(ctx)
		res.At, res.Attempts = r.now(), attempt
		res.Took = res.At.Sub(begun)
		res.Tokens = before.Tokens + tokensIn(report)
		_ = os.Remove(report) // if this fails, only a temporary file is left
		r.ended <- stepEnd{step: step, lost: lost, res: res}
	}()
}

// recordEnd records the end of a step.
func (r *run) recordEnd(step int) error {
	s := &r.of.Steps[step]
	res := r.results[step]
	delete(r.started, step)
	if err := r.renew(); err != nil {
		return err
	}
	receipt, at, err := r.records.End(r.record, r.at.ID, nil, s.ID, res)
	if err != nil {
		return err
	}
	r.at = at
	for _, remark := range receipt.Remarks {
		r.say("step %d: %s", step+1, remark)
	}
	row, _ := at.Find(s.ID)
	res.Message, res.Took = row.Remark, row.Took // as recorded, without secrets
	r.news(plan.News{Kind: plan.StepEnded, Step: s, Number: step + 1, Result: res, Commit: receipt.Commit,
		Pending: receipt.Pending})
	if row.Status == plan.Failed && r.failed == nil {
		text := row.Title
		if row.Remark != "" {
			text += ": " + row.Remark
		}
		r.failed = fault.New(fault.Failed, "Failed at step %d: %s", step+1, text).
			WithHint("ckpt plan run %s goes on there", r.of.File)
	}
	return nil
}

// unrecorded returns the error for a step whose end could not be recorded.
func (r *run) unrecorded(step int, err error) error {
	hint := fault.HintOf(err)
	if fault.KindOf(err) == fault.NotFound { // the step has removed the checkpoint
		hint = "ckpt undelete " + r.at.ID + ", then ckpt plan run " + r.of.File
	}
	return fault.New(fault.KindOf(err), "step %s has ended and could not be recorded, the next run runs it again: %w",
		r.of.Steps[step].ID, err).WithHint("%s", hint)
}

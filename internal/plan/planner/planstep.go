package planner

import (
	"context"
	"fmt"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// PlanStart records that somebody has begun with a step, of a plan that may have
// changed since; nil is the plan as it was.
func (p *Planner) PlanStart(ctx context.Context, id string, of *plan.Plan, step string) (*result.Receipt, error) {
	return p.Change(ctx, store.Live, func(set *checkpoint.Set, now time.Time) (*workspace.Tx, error) {
		c, run, err := p.planAsOf(set, id, of)
		if err != nil {
			return nil, err
		}
		if err := run.Start(step, now); err != nil {
			return nil, err
		}
		row, n := run.Find(step)
		return p.planOperation(c, c.Revise(), run, nil, fmt.Sprintf("Step %d of %d started: %s", n, len(run.Steps), row.Title))
	})
}

// PlanEnd records how a step ended: one operation with its result. What it said
// stands in the file where it is short, else in a blob that the file names. What
// looks like a secret is kept out of both, and a remark says so: it is not worth the
// run. Of a step that is done already nothing is recorded.
func (p *Planner) PlanEnd(ctx context.Context, id string, of *plan.Plan, step string, res plan.Result) (*result.Receipt, *plan.Run, error) {
	receipt, run, err := p.planEnd(ctx, id, of, step, res, p.planOutput)
	if fault.KindOf(err) == fault.Refused && !p.AllowSecret && len(res.Output)+len(res.Message) > 0 {
		why := err.Error()
		receipt, run, err = p.planEnd(ctx, id, of, step, res, func(_ context.Context, _ string, res *plan.Result) (string, []string, error) {
			res.Message = "its message is kept out"
			return plan.Withheld(why), []string{"what step " + step + " said is kept out: " + why}, nil
		})
	}
	return receipt, run, err
}

// planEnd records how a step ended, with the section that say makes of what it said.
func (p *Planner) planEnd(ctx context.Context, id string, of *plan.Plan, step string, res plan.Result, say saying) (*result.Receipt, *plan.Run, error) {
	var after *plan.Run
	receipt, err := p.Change(ctx, store.Live, func(set *checkpoint.Set, now time.Time) (*workspace.Tx, error) {
		res := res
		c, run, err := p.planAsOf(set, id, of)
		if err != nil {
			return nil, err
		}
		after = run
		row, n := run.Find(step)
		if row != nil && row.Status.Done() && res.By == "" {
			return &workspace.Tx{Op: opPlan, ID: c.ID, Path: c.Path, Remarks: []string{"it is " + string(row.Status) + " already"}}, nil
		}
		section, remarks, err := say(ctx, c.ID, &res)
		if err != nil {
			return nil, err
		}
		if err := run.End(step, res); err != nil {
			return nil, err
		}
		r := c.Revise().Bullet(checkpoint.PlayByPlay, planStep(row, n, res)).Set("step", step).Set("trigger", planTrigger(res))
		summary := planSummary(row, n, len(run.Steps))
		if res.By != "" && run.Complete() {
			summary, run.Ended = "Execution complete: "+summary, now
		}
		o, err := p.planOperation(c, r, run, map[string]string{step: section}, summary)
		if err == nil {
			o.Remarks = remarks
		}
		return o, err
	})
	return receipt, after, err
}

func planTrigger(res plan.Result) string {
	switch {
	case res.Status == plan.Failed:
		return "error"
	case res.By != "":
		return "manual"
	}
	return "auto"
}

// PlanComplete records that all steps of a run are done: its last operation.
func (p *Planner) PlanComplete(ctx context.Context, id string, took time.Duration) (*result.Receipt, error) {
	return p.Change(ctx, store.Live, func(set *checkpoint.Set, now time.Time) (*workspace.Tx, error) {
		c, run, err := p.planIn(set, id)
		if err != nil {
			return nil, err
		}
		run.Ended = now
		if !run.Complete() {
			return nil, fault.New(fault.Usage, "%s is not complete: %s", c.ID, planDone(run)).WithHint("ckpt plan next")
		}
		text := "Execution complete: " + planDone(run) + " in " + plan.Span(took)
		r := c.Revise().Bullet(checkpoint.PlayByPlay, text).Set("trigger", "auto")
		return p.planOperation(c, r, run, nil, "Execution complete")
	})
}

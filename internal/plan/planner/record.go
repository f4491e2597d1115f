package planner

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/stats"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// OpPlan is the name of every operation on the run of a plan.
const OpPlan = "plan"

// Find returns the active run of a plan, or nil. Of several, it returns the run that -c names, or else
// the run that was changed last.
func (p *Planner) Find(ctx context.Context, of *plan.Plan) (*plan.Run, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	_, run, err := p.runOf(view.Set, of)
	return run, err
}

func (p *Planner) runOf(set *checkpoint.Set, of *plan.Plan) (*checkpoint.Checkpoint, *plan.Run, error) {
	var best *checkpoint.Checkpoint
	var run *plan.Run
	for _, c := range set.Active() {
		if c.Field("workflow") != of.Name {
			continue
		}
		r, err := plan.Read(c)
		if err != nil {
			return nil, nil, err
		}
		if r == nil {
			continue
		}
		newer := best == nil || best.ID != p.Pinned && c.Changed().After(best.Changed())
		if newer || c.ID == p.Pinned {
			best, run = c, r
		}
	}
	return best, run, nil
}

// BeginRequest asks for a run of a plan.
type BeginRequest struct {
	Plan    *plan.Plan
	Restart bool   // restart an existing run
	Start   string // a step to start at once; may be empty
}

// Begin makes the checkpoint of a run, unless it exists. The checkpoint becomes current only if no
// other one is, since the user does other work while the plan runs.
func (p *Planner) Begin(ctx context.Context, req BeginRequest) (*result.Receipt, *plan.Run, error) {
	head, err := p.Repo.Head()
	if err != nil {
		return nil, nil, err
	}
	of := req.Plan
	var run *plan.Run
	receipt, err := p.Change(ctx, store.All, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		set := view.Set
		run = plan.Begin(of, now)
		old, was, err := p.runOf(set, of)
		if err != nil {
			return nil, err
		}
		if old != nil && !req.Restart {
			run = was
			return &workspace.Tx{Op: OpPlan, ID: old.ID, Path: old.Path}, nil
		}
		if old != nil {
			run.ID = old.ID
			return p.planAnew(old, was, run)
		}
		id := planID(set, of.Name)
		run.ID = id
		summary := fmt.Sprintf("Begun: %s of %s", text.Count(len(run.Steps), "step"), of.File)
		if req.Start != "" {
			if err := run.Start(req.Start, now); err != nil {
				return nil, err
			}
			summary += ", with step " + req.Start
		}
		spec := revise.Spec{State: planState(run), Next: planNext(run)}
		spec.Problem = cmp.Or(of.Problem, "The plan "+of.Name+" is to be executed.")
		spec.Intent = cmp.Or(of.Query,
			"All "+text.Count(len(run.Steps), "step")+" of "+checkpoint.Code(of.File)+" are completed.")
		spec.Context = []string{"What each step does: " + checkpoint.Code(of.File),
			"Work it off with " + checkpoint.Code("ckpt plan run "+of.File) + ", or step by step with " +
				checkpoint.Code("ckpt plan next")}
		spec.Fields = map[string]string{"anchor": workspace.Anchor(head), "base": head.Hash, "workflow": of.Name,
			"status": string(checkpoint.Active)}
		spec.Fields["agent"], spec.Fields["session"] = p.Agent, p.Session
		if set.Current() == nil && !p.Shared {
			spec.Fields["status"] = string(checkpoint.Current)
		}
		spec.ID = id
		c, err := revise.Create(spec, nil, now)
		if err != nil {
			return nil, err
		}
		if err := p.edit.Free(view, c); err != nil {
			return nil, err
		}
		c, err = revise.Begin(c).AddSection(run.Section()).Apply()
		if err != nil {
			return nil, err
		}
		o := &workspace.Tx{Op: OpPlan, ID: c.ID, Summary: summary, Path: c.Path}
		o.Put(c.Path, nil, c.Doc.Bytes())
		return o, nil
	})
	return receipt, run, err
}

// planID returns the id of a run's checkpoint: chk-<name>, or chk-plan if the name is not valid in
// an id. If another checkpoint has that id, a number is added.
func planID(set *checkpoint.Set, name string) string {
	first, err := checkpoint.IDFor(name)
	if err != nil || len(first) > 90 {
		first = "chk-plan"
	}
	id := first
	isTaken := func(c *checkpoint.Checkpoint) bool { return strings.EqualFold(c.ID, id) }
	for n := 2; slices.ContainsFunc(set.All, isTaken); n++ {
		id = fmt.Sprintf("%s-%d", first, n)
	}
	return id
}

// planAnew restarts a run in its checkpoint. History and Play-By-Play still have the steps that were
// done before.
func (p *Planner) planAnew(c *checkpoint.Checkpoint, was, run *plan.Run) (*workspace.Tx, error) {
	r := revise.Begin(c).Drop("step").Drop("trigger").Drop("tokens_used")
	outputs := map[string]string{}
	for _, s := range was.Steps {
		outputs[s.ID] = ""
	}
	r.Bullet(checkpoint.PlayByPlay,
		fmt.Sprintf("Begun anew: %d of %s had been done", was.Done(), text.Count(len(was.Steps), "step")))
	return p.planOperation(c, r, run, outputs,
		fmt.Sprintf("Begun anew: %s of %s", text.Count(len(run.Steps), "step"), run.File))
}

// planOperation returns the operation that writes the state of a run to its checkpoint.
func (p *Planner) planOperation(c *checkpoint.Checkpoint, r *revise.Revision, run *plan.Run,
	outputs map[string]string, summary string) (*workspace.Tx, error) {
	r.Text(checkpoint.State, planState(run)).List(checkpoint.Next, planNext(run))
	if n := run.Tokens(); n > 0 {
		r.Set("tokens_used", fmt.Sprint(n))
	}
	p.edit.Sign(c, r)
	if err := run.Revise(r, c, outputs); err != nil {
		return nil, err
	}
	revised, err := r.Apply()
	if err != nil {
		return nil, err
	}
	o := &workspace.Tx{Op: OpPlan, ID: c.ID, Summary: summary, Path: c.Path}
	o.Revise(c, revised)
	return o, nil
}

// Adopt updates a run to a changed plan, and returns the run with the changes in words. The statistics count a call as
// a resume, because Adopt is called when a run is continued.
func (p *Planner) Adopt(ctx context.Context, id string, of *plan.Plan) (run *plan.Run, changes []string, err error) {
	began := time.Now()
	_, err = p.Change(ctx, store.Live, func(view *workspace.View, _ time.Time) (*workspace.Tx, error) {
		c, was, err := p.planIn(view, id)
		if err != nil {
			return nil, err
		}
		run, changes = was.Adopt(of)
		if run.Same(was) {
			return &workspace.Tx{Op: OpPlan, ID: c.ID, Path: c.Path}, nil
		}
		summary := "The plan has changed"
		if len(changes) > 0 {
			summary += ": " + strings.Join(changes, "; ")
		}
		return p.planOperation(c, revise.Begin(c), run, nil, summary)
	})
	if err == nil && !run.Complete() {
		p.Figures.Record(stats.Entry{Kind: stats.Resume, Steps: run.Done()}, began)
	}
	return run, changes, err
}

// planIn returns a checkpoint and its run.
func (p *Planner) planIn(view *workspace.View, id string) (*checkpoint.Checkpoint, *plan.Run, error) {
	c, err := view.Open(id)
	if err != nil {
		return nil, nil, err
	}
	run, err := plan.Read(c)
	if err == nil && run == nil {
		err = fault.New(fault.NotFound, "%s has no run of a plan", c.ID).WithHint("ckpt plan run PLAN.yaml")
	}
	return c, run, err
}

// planAsOf finds a run as planIn does, and adopts the changes of its plan. A nil plan means that nothing has changed.
func (p *Planner) planAsOf(view *workspace.View, id string, of *plan.Plan) (*checkpoint.Checkpoint, *plan.Run, error) {
	c, run, err := p.planIn(view, id)
	if of != nil && err == nil {
		run, _ = run.Adopt(of)
	}
	return c, run, err
}

// Start records that a person or an agent has started a step. Of is the plan with its changes; nil means that the plan
// has not changed.
func (p *Planner) Start(ctx context.Context, id string, of *plan.Plan, step string) (*result.Receipt, error) {
	return p.Change(ctx, store.Live, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		c, run, err := p.planAsOf(view, id, of)
		if err != nil {
			return nil, err
		}
		if err := run.Start(step, now); err != nil {
			return nil, err
		}
		row, n := run.Find(step)
		return p.planOperation(c, revise.Begin(c), run, nil,
			fmt.Sprintf("Step %d of %d started: %s", n, len(run.Steps), row.Title))
	})
}

// End records the result of a step in one operation, with the end of its output. Text that looks
// like a secret is left out with a remark, so that the run can continue. If the step is done
// already, the result of a command is not recorded, and any other result is an error.
func (p *Planner) End(ctx context.Context, id string, of *plan.Plan, step string,
	res plan.Result) (*result.Receipt, *plan.Run, error) {
	section, remarks, err := p.planOutput(ctx, &res)
	if err != nil {
		return nil, nil, err
	}
	receipt, run, err := p.planEnd(ctx, id, of, step, res, section, remarks)
	if fault.KindOf(err) == fault.Refused && !p.AllowSecret && len(res.Output)+len(res.Message) > 0 {
		why := err.Error()
		res.Message = "its message is kept out"
		receipt, run, err = p.planEnd(ctx, id, of, step, res, plan.Withheld(why),
			[]string{"what step " + step + " said is kept out: " + why})
	}
	return receipt, run, err
}

// planEnd records the result of a step. Section is the text that the checkpoint gets for the output of the step.
func (p *Planner) planEnd(ctx context.Context, id string, of *plan.Plan, step string, res plan.Result,
	section string, remarks []string) (*result.Receipt, *plan.Run, error) {
	var after *plan.Run
	receipt, err := p.Change(ctx, store.Live, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		c, run, err := p.planAsOf(view, id, of)
		if err != nil {
			return nil, err
		}
		after = run
		row, n := run.Find(step)
		if row != nil && row.Status.Done() && res.By == "" {
			return &workspace.Tx{Op: OpPlan, ID: c.ID, Path: c.Path,
				Remarks: []string{"it is " + string(row.Status) + " already"}}, nil
		}
		trigger := "auto"
		switch {
		case res.Status == plan.Failed:
			trigger = "error"
		case res.By != "":
			trigger = "manual"
		}
		if err := run.End(step, res); err != nil {
			return nil, err
		}
		r := revise.Begin(c).Bullet(checkpoint.PlayByPlay, planStep(row, n, res)).
			Set("step", step).Set("trigger", trigger)
		summary := fmt.Sprintf("Step %d of %d %s: %s", n, len(run.Steps), row.Status, row.Title)
		if row.Status == plan.Failed {
			summary = fmt.Sprintf("Failed at step %d: %s", n, row.Title)
		}
		if res.By != "" && run.Complete() {
			summary = "Execution complete: " + summary
			run.Ended = now
		}
		o, err := p.planOperation(c, r, run, map[string]string{step: section}, summary)
		if err == nil {
			o.Remarks = remarks
		}
		return o, err
	})
	return receipt, after, err
}

// Complete records that all steps of a run are done. This is the last operation of the run.
func (p *Planner) Complete(ctx context.Context, id string, took time.Duration) (*result.Receipt, error) {
	return p.Change(ctx, store.Live, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		c, run, err := p.planIn(view, id)
		if err != nil {
			return nil, err
		}
		run.Ended = now
		if !run.Complete() {
			return nil, fault.New(fault.Usage, "%s is not complete: %s", c.ID, planDone(run)).WithHint("ckpt plan next")
		}
		text := "Execution complete: " + planDone(run) + " in " + plan.Span(took)
		r := revise.Begin(c).Bullet(checkpoint.PlayByPlay, text).Set("trigger", "auto")
		return p.planOperation(c, r, run, nil, "Execution complete")
	})
}

package planner

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/stats"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// opPlan is the name of every operation on the run of a plan.
const opPlan = "plan"

// PlanRun is the run of a plan that is not archived; nil where there is none. Of
// several the one that -c names counts, else the one that was changed last.
func (p *Planner) PlanRun(ctx context.Context, of *plan.Plan) (*plan.Run, error) {
	set, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	c, run, err := p.runOf(set, of)
	if c == nil || err != nil {
		return nil, err
	}
	return run, nil
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
		if r != nil && (best == nil || c.ID == p.Pinned || best.ID != p.Pinned && c.Changed().After(best.Changed())) {
			best, run = c, r
		}
	}
	return best, run, nil
}

// PlanRequest is a run to begin.
type PlanRequest struct {
	Plan  *plan.Plan
	Mode  PlanMode
	Start string // begin with this step at once; "" for none
}

// PlanMode says what becomes of a run that is there.
type PlanMode int

// The modes.
const (
	Resume  PlanMode = iota // it stays as it is
	Restart                 // it begins anew
)

// PlanBegin makes the checkpoint of a run where there is none. It becomes current only
// where no other is: whoever runs a plan goes on with something else.
func (p *Planner) PlanBegin(ctx context.Context, req PlanRequest) (*result.Receipt, *plan.Run, error) {
	head, err := p.Repo.Head()
	if err != nil {
		return nil, nil, err
	}
	of := req.Plan
	var run *plan.Run
	receipt, err := p.Change(ctx, store.All, func(set *checkpoint.Set, now time.Time) (*workspace.Tx, error) {
		run = plan.Begin(of, now)
		old, was, err := p.runOf(set, of)
		if err != nil {
			return nil, err
		}
		if old != nil && req.Mode == Resume {
			run = was
			return &workspace.Tx{Op: opPlan, ID: old.ID, Path: old.Path}, nil
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
		spec := checkpoint.Spec{Problem: of.Problem, Intent: of.Query, State: planState(run), Next: planNext(run)}
		if spec.Problem == "" {
			spec.Problem = "The plan " + of.Name + " is to be executed."
		}
		if spec.Intent == "" {
			spec.Intent = "All " + text.Count(len(run.Steps), "step") + " of " + checkpoint.Code(of.File) + " are completed."
		}
		spec.Context = []string{"What each step does: " + checkpoint.Code(of.File), "Work it off with " + checkpoint.Code("ckpt plan run "+of.File) + ", or step by step with " + checkpoint.Code("ckpt plan next")}
		spec.Fields = map[string]string{"anchor": workspace.Anchor(head), "base": head.Hash, "workflow": of.Name, "status": string(checkpoint.Active)}
		spec.Fields["agent"], spec.Fields["session"] = p.Agent, p.Session
		if set.Current() == nil && !p.Shared {
			spec.Fields["status"] = string(checkpoint.Current)
		}
		c, err := checkpoint.Draft(spec, nil, id, now)
		if err != nil {
			return nil, err
		}
		if err := p.edit.Free(set, c); err != nil {
			return nil, err
		}
		if c, err = c.Revise().AddSection(run.Section()).Apply(); err != nil {
			return nil, err
		}
		o := &workspace.Tx{Op: opPlan, ID: c.ID, Summary: summary, Path: c.Path}
		o.Put(c.Path, nil, c.Doc.Bytes())
		return o, nil
	})
	return receipt, run, err
}

// PlanResumed notes that a run goes on: the steps that are done are not run again.
func (p *Planner) PlanResumed(run *plan.Run, began time.Time) {
	p.RecordFigure(stats.Entry{Kind: stats.Resume, Steps: run.Done()}, began)
}

// planID is the id of a run's checkpoint: chk-<name>, or chk-plan where an id cannot
// hold the name; with a number where an archived run or something else has it.
func planID(set *checkpoint.Set, name string) string {
	first, err := checkpoint.IDFor(name)
	if err != nil || len(first) > 90 {
		first = "chk-plan"
	}
	taken := map[string]bool{}
	for _, c := range set.All {
		taken[strings.ToLower(c.ID)] = true
	}
	id := first
	for n := 2; taken[strings.ToLower(id)]; n++ {
		id = fmt.Sprintf("%s-%d", first, n)
	}
	return id
}

// planAnew is the operation that begins a run anew in its checkpoint: what it has
// done is in history and in Play-By-Play.
func (p *Planner) planAnew(c *checkpoint.Checkpoint, was, run *plan.Run) (*workspace.Tx, error) {
	r := c.Revise().Drop("step").Drop("trigger").Drop("tokens_used")
	outputs := map[string]string{}
	for _, s := range was.Steps {
		outputs[s.ID] = ""
	}
	r.Bullet(checkpoint.PlayByPlay, fmt.Sprintf("Begun anew: %d of %s had been done", was.Done(), text.Count(len(was.Steps), "step")))
	return p.planOperation(c, r, run, outputs, fmt.Sprintf("Begun anew: %s of %s", text.Count(len(run.Steps), "step"), run.File))
}

// planOperation is the operation that brings a checkpoint to where its run is.
func (p *Planner) planOperation(c *checkpoint.Checkpoint, r *checkpoint.Revision, run *plan.Run, outputs map[string]string, summary string) (*workspace.Tx, error) {
	r.Text(checkpoint.State, planState(run)).List(checkpoint.Next, planNext(run))
	if n := run.Tokens(); n > 0 {
		r.Set("tokens_used", fmt.Sprint(n))
	}
	p.edit.Sign(r)
	if err := run.Revise(r, c, outputs); err != nil {
		return nil, err
	}
	revised, err := r.Apply()
	if err != nil {
		return nil, err
	}
	o := &workspace.Tx{Op: opPlan, ID: c.ID, Summary: summary, Path: c.Path}
	o.Revise(c, revised)
	return o, nil
}

// PlanAdopt brings a run to a plan that has changed since, and says what has. Where
// nothing has it changes nothing, and there is no receipt.
func (p *Planner) PlanAdopt(ctx context.Context, id string, of *plan.Plan) (said []string, err error) {
	set, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	same := func(set *checkpoint.Set) (*checkpoint.Checkpoint, *plan.Run, bool, error) {
		c, run, err := p.planIn(set, id)
		if err != nil {
			return nil, nil, false, err
		}
		next, changes := run.Adopt(of)
		said = changes
		return c, next, next.Same(run), nil
	}
	if _, _, ok, err := same(set); ok || err != nil {
		return said, err
	}
	_, err = p.Change(ctx, store.Live, func(set *checkpoint.Set, _ time.Time) (*workspace.Tx, error) {
		c, next, _, err := same(set)
		if err != nil {
			return nil, err
		}
		summary := "The plan has changed"
		if len(said) > 0 {
			summary += ": " + strings.Join(said, "; ")
		}
		return p.planOperation(c, c.Revise(), next, nil, summary)
	})
	return said, err
}

// planIn is the run that a checkpoint keeps.
func (p *Planner) planIn(set *checkpoint.Set, id string) (*checkpoint.Checkpoint, *plan.Run, error) {
	c, err := p.Open(set, id)
	if err != nil {
		return nil, nil, err
	}
	run, err := plan.Read(c)
	if err == nil && run == nil {
		err = fault.New(fault.NotFound, "%s keeps no run of a plan", c.ID).WithHint("ckpt plan run PLAN.yaml")
	}
	return c, run, err
}

// planAsOf is planIn for a plan that may have changed; nil is the plan as it was.
func (p *Planner) planAsOf(set *checkpoint.Set, id string, of *plan.Plan) (*checkpoint.Checkpoint, *plan.Run, error) {
	c, run, err := p.planIn(set, id)
	if of != nil && err == nil {
		run, _ = run.Adopt(of)
	}
	return c, run, err
}

package planner

import (
	"context"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/workspace/store"
)

// PlanAt finds the run that a person or an agent works on: that of a plan, where one
// is given; else that of the pinned or the current checkpoint; else the only one that
// is not complete. Of a plan that has no run yet it is the one that would begin,
// without an id.
func (p *Planner) PlanAt(ctx context.Context, of *plan.Plan) (*plan.Run, error) {
	if of != nil {
		run, err := p.PlanRun(ctx, of)
		if run == nil && err == nil {
			run = plan.Begin(of, p.Now())
		}
		return run, err
	}
	set, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	asked := p.Pinned != "" && !p.Shared // by -c
	c, err := p.Target(set, "")
	if asked && err == nil {
		_, run, err := p.planIn(set, c.ID)
		return run, err
	}
	if asked {
		return nil, err
	}
	if err == nil && c.Status() != checkpoint.Archived {
		if run, err := plan.Read(c); run != nil || err != nil {
			return run, err
		}
	}
	var open []*plan.Run
	for _, c := range set.Active() {
		run, err := plan.Read(c)
		if err != nil {
			return nil, err
		}
		if run != nil && !run.Complete() {
			open = append(open, run)
		}
	}
	switch len(open) {
	case 1:
		return open[0], nil
	case 0:
		return nil, fault.New(fault.NotFound, "no plan is being worked on").WithHint("ckpt plan next --plan PLAN.yaml, or ckpt plan run PLAN.yaml")
	}
	var all []string
	for _, run := range open {
		all = append(all, run.ID)
	}
	return nil, fault.New(fault.Usage, "%d plans are being worked on: %s", len(open), strings.Join(all, ", ")).WithHint("-c %s", all[0])
}

// PlanNext is what can be done next in a run, with what the plan file says of it.
func (p *Planner) PlanNext(ctx context.Context, of *plan.Plan) (*plan.Upcoming, error) {
	run, err := p.PlanAt(ctx, of)
	if err != nil {
		return nil, err
	}
	if of == nil {
		var failed error
		if of, failed = p.PlanFileOf(run); failed != nil {
			next := run.Next()
			next.Remark = failed.Error()
			return &next, nil
		}
	}
	id := run.ID
	if run.ID != "" {
		run, _ = run.Adopt(of)
	}
	run.ID = id
	next := run.Next()
	next.Plan = of
	if row := next.Row(); row != nil {
		next.Step, _ = of.Find(row.ID)
	}
	return &next, nil
}

// planFileOf reads the plan file of a run.
func (p *Planner) PlanFileOf(run *plan.Run) (*plan.Plan, error) {
	file := filepath.FromSlash(run.File)
	if !filepath.IsAbs(file) {
		file = filepath.Join(p.Repo.Root(), file)
	}
	src, err := disk.ReadFile(file)
	if err == nil && src == nil {
		return nil, fault.New(fault.NotFound, "the plan file %s does not exist", run.File)
	}
	if err != nil {
		return nil, fault.New(fault.Failed, "read %s: %w", run.File, err)
	}
	return plan.Parse(run.File, src)
}

// Package planner records the progress of a plan in the checkpoint of its run. The beginning of the
// run, the start and the end of each step, and the completion are one operation each. It also finds
// the run and the next step for an agent or a person.
package planner

import (
	"context"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Planner records runs of plans in a workspace.
type Planner struct {
	*workspace.Workspace
	edit *edit.Editor
}

// New returns a planner for a workspace.
func New(w *workspace.Workspace) *Planner { return &Planner{w, edit.New(w)} }

// runAt returns the run that a person or an agent works on. If a plan is given, it is the run of that plan, or a new
// run without an id if the plan has none. Otherwise, it is the run of the pinned checkpoint if there is one, of the
// current checkpoint, or else the only incomplete run.
func (p *Planner) runAt(ctx context.Context, of *plan.Plan) (*plan.Run, error) {
	if of != nil {
		run, err := p.Find(ctx, of)
		if run == nil && err == nil {
			run = plan.Begin(of, p.Now())
		}
		return run, err
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	asked := p.Pinned != "" && !p.Shared // the flag -c names the checkpoint
	c, err := view.Target("")
	if asked && err == nil {
		_, run, err := p.planIn(view, c.ID)
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
	for _, c := range view.Set.Active() {
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
		return nil, fault.New(fault.NotFound, "no plan is being worked on").
			WithHint("ckpt plan next --plan PLAN.yaml, or ckpt plan run PLAN.yaml")
	}
	var all []string
	for _, run := range open {
		all = append(all, run.ID)
	}
	return nil, fault.New(fault.Usage, "%d plans are being worked on: %s", len(open), strings.Join(all, ", ")).
		WithHint("-c %s", all[0])
}

// Next returns the next step of a run, with its definition in the plan file.
func (p *Planner) Next(ctx context.Context, of *plan.Plan) (*plan.Upcoming, error) {
	run, err := p.runAt(ctx, of)
	if err != nil {
		return nil, err
	}
	if of == nil {
		of, err = p.PlanOf(run)
		if err != nil {
			next := run.Next()
			next.Remark = err.Error()
			return &next, nil
		}
	}
	if run.ID != "" {
		run, _ = run.Adopt(of)
	}
	next := run.Next()
	next.Plan = of
	if row := next.Row(); row != nil {
		next.Step, _ = of.Find(row.ID)
	}
	return &next, nil
}

// PlanOf reads the plan file of a run.
func (p *Planner) PlanOf(run *plan.Run) (*plan.Plan, error) {
	src, err := disk.ReadFile(disk.From(p.Repo.Root(), filepath.FromSlash(run.File)))
	if err == nil && src == nil {
		return nil, fault.New(fault.NotFound, "the plan file %s does not exist", run.File)
	}
	if err != nil {
		return nil, fault.New(fault.Failed, "read %s: %w", run.File, err)
	}
	return plan.Parse(run.File, src)
}

// Path converts the path of a plan file, as a person typed it, to the form that a run stores: a slash path relative to
// the repository's root, or an absolute path if the file is outside.
func (p *Planner) Path(typed string) string {
	name := typed
	if !filepath.IsAbs(name) {
		name = "./" + name
	}
	if inside := p.FromHere(name); inside != name {
		return inside
	}
	full, err := filepath.Abs(filepath.Join(p.Dir, typed))
	if err != nil || filepath.IsAbs(typed) {
		full = typed
	}
	return filepath.ToSlash(full)
}

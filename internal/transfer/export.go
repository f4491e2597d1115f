package transfer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/stats"
	"example.com/ckpt/internal/transfer/schema"
	"example.com/ckpt/internal/workspace"
)

// Export returns a checkpoint as an object of another schema. If at is not empty, it selects an earlier version.
func (p *Transfer) Export(ctx context.Context, name, at string, as schema.Name) (*schema.Export, error) {
	c, err := p.version(ctx, name, at)
	if err != nil {
		return nil, err
	}
	return p.write(c, as)
}

// Load returns a checkpoint as an object of the given schema, for a session that continues the work. If the schema is
// empty, Load uses that of the newest save, or else fallback. Load counts as a resume, unless name has the form ID@{2}.
func (p *Transfer) Load(ctx context.Context, name string, as, fallback schema.Name) (*schema.Export, error) {
	began := time.Now()
	c, err := p.version(ctx, name, "")
	if err != nil {
		return nil, err
	}
	saved, _ := schema.SavedAs(c)
	e, err := p.write(c, cmp.Or(as, saved, fallback))
	if _, at := history.Version(name); err == nil && at == "" {
		done := progress.Of(c).With(progress.Completed)
		p.figures.Record(stats.Entry{Kind: stats.Resume, Steps: len(done)}, began)
	}
	return e, err
}

// write returns a checkpoint as an object of a schema.
func (p *Transfer) write(c *checkpoint.Checkpoint, as schema.Name) (*schema.Export, error) {
	e, err := schema.Write(c, as)
	if err == nil && as == schema.State {
		p.tellActions(c, e)
	}
	return e, err
}

// version returns a checkpoint. If at is not empty or name has the form ID@{2}, it returns that version.
func (p *Transfer) version(ctx context.Context, name, at string) (*checkpoint.Checkpoint, error) {
	if at == "" {
		return p.history.Show(ctx, name)
	}
	c, _, err := p.history.ShowAt(ctx, name, at)
	return c, err
}

// tellActions adds the actions and parameters in the plan file to the exported steps of a run.
func (p *Transfer) tellActions(c *checkpoint.Checkpoint, e *schema.Export) {
	run, err := plan.Read(c)
	if run == nil || err != nil {
		return
	}
	of, err := p.planner.PlanOf(run)
	if err != nil {
		return // without the plan file, the steps have no actions and parameters
	}
	list, _ := value.Get(e.Object, "state", "plan")
	steps, _ := list.([]any)
	told := slices.Clone(steps)
	for i, s := range told {
		o, _ := s.(value.Object)
		id, _ := value.Get(o, "id")
		name, _ := id.(string)
		if step, _ := of.Find(name); step != nil {
			action := cmp.Or(step.Shell, strings.Join(step.Args, " "))
			parameters, err := value.Parse([]byte(cmp.Or(step.Parameters, "{}")))
			if err != nil {
				return
			}
			told[i] = value.Set(value.Set(o, action, "action"), parameters, "parameters")
		}
	}
	if len(told) > 0 {
		e.Object = value.Set(e.Object, told, "state", "plan")
	}
}

// isSave reports whether a version is a save: a new or imported checkpoint, a delta, an operation on the run of a plan,
// or a commit by the user. Commands such as note, fold and use make other versions.
func isSave(v revisions.Version) bool {
	switch v.Op {
	case "new", workspace.OpImport:
		return len(v.Before) == 0
	}
	return slices.Contains([]string{"", "delta", "save", planner.OpPlan}, v.Op) // a commit by the user has no operation
}

// Saves lists the newest saves of a checkpoint, at most limit, with fields of the schema [schema.State]. Their ids
// are names of versions, such as ID@{2}.
func (p *Transfer) Saves(ctx context.Context, id string, limit int) ([]result.Save, error) {
	vs, err := p.history.Versions(ctx, id)
	if err != nil {
		return nil, err
	}
	var blobs []string
	var numbers []int
	for n, v := range vs.List {
		if len(numbers) < limit && isSave(v) {
			numbers, blobs = append(numbers, n), append(blobs, v.Blob)
		}
	}
	if err := vs.Load(ctx, blobs...); err != nil {
		return nil, err
	}
	var all []result.Save
	for _, n := range numbers {
		v := vs.List[n]
		c, err := vs.Checkpoint(ctx, v)
		if err != nil {
			continue // the version is a deletion, or is unreadable
		}
		e, err := schema.Write(c, schema.State)
		if err != nil {
			continue
		}
		s := result.Save{ID: fmt.Sprintf("%s@{%d}", vs.ID, n), Commit: v.Commit, Op: v.Op}
		s.Step, _ = value.Get(e.Object, "stepNumber")
		s.Created, _ = value.Get(e.Object, "createdAt")
		s.Description, _ = value.Get(e.Object, "metadata", "description")
		s.Trigger, _ = value.Get(e.Object, "metadata", "triggerType")
		s.Took, _ = value.Get(e.Object, "metadata", "durationMs")
		all = append(all, s)
	}
	return all, nil
}

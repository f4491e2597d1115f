package edit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// PruneRequest overrides parts of the policy in config.yaml. A nil field keeps the policy's value.
type PruneRequest struct {
	MaxAge         *time.Duration
	MaxPerWorkflow *int
	MaxPerSession  *int
}

// over returns a policy with the values of the request.
func (req PruneRequest) over(p policy.Limits) policy.Limits {
	if req.MaxAge != nil {
		p.MaxAge = *req.MaxAge
	}
	if req.MaxPerWorkflow != nil {
		p.MaxPerWorkflow = *req.MaxPerWorkflow
	}
	if req.MaxPerSession != nil {
		p.MaxPerSession = *req.MaxPerSession
	}
	return p
}

// PrunePlan returns what PruneCheckpoints would do, and the files that cannot be read.
func (p *Editor) PrunePlan(ctx context.Context, req PruneRequest) (*policy.Pruning, []checkpoint.Broken, error) {
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return nil, nil, err
	}
	plan, err := p.planPruning(ctx, req, view)
	return plan, view.Set.Broken, err
}

// PruneCheckpoints deletes the checkpoints that the policy does not keep, in one operation.
func (p *Editor) PruneCheckpoints(ctx context.Context, req PruneRequest) (*result.Receipt, error) {
	return p.Change(ctx, store.All, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		plan, err := p.planPruning(ctx, req, view)
		if err != nil {
			return nil, err
		}
		pruned := plan.Pruned()
		o := &workspace.Tx{Op: "prune"}
		var names []string
		for _, v := range slices.Backward(pruned) {
			src, err := view.Store.Read(v.Path)
			if err != nil {
				return nil, err
			}
			o.Put(v.Path, src, nil)
			names = append(names, v.ID)
			o.Trailers = append(o.Trailers, workspace.TrailerID+": "+v.ID)
		}
		if len(names) > 0 {
			o.Summary = fmt.Sprintf("%d of %s: %s", len(pruned), text.Count(len(view.Set.All), "checkpoint"),
				text.List(names, namedInSummary))
			o.Remarks = append(o.Remarks, howBack)
		}
		return o, nil
	})
}

// planPruning applies the policy and a request to a set of checkpoints. It also keeps the checkpoint that
// $CKPT_ID names, because it may be the current one of another session; the parents that unreadable files
// name; and files with edits that only the index has.
func (p *Editor) planPruning(ctx context.Context, req PruneRequest, view *workspace.View) (*policy.Pruning, error) {
	cfg, err := view.Store.Config()
	if err != nil {
		return nil, err
	}
	if err := cfg.KnowsRetention(); err != nil {
		return nil, err
	}
	modified, err := p.modified(ctx, view)
	if err != nil {
		return nil, err
	}
	parents := map[string]string{}
	for _, b := range view.Set.Broken {
		if src, err := view.Store.Read(b.Path); err == nil {
			parents[checkpoint.ParentIn(src)] = p.FromRoot(b.Path)
		}
	}
	staged, err := p.stagedEdits(ctx)
	var items []policy.Candidate
	for _, c := range view.Set.All {
		item, child := retained(c, modified(c)), parents[c.ID]
		switch {
		case p.Pins(c.ID):
			item.Held = "$CKPT_ID names it"
		case child != "":
			item.Held = child + ", which cannot be read, names it as its parent"
		case staged[p.FromRoot(c.Path)]:
			item.Held = "the index has edits of it that no commit has (git status)"
		}
		items = append(items, item)
	}
	return policy.Prune(items, req.over(cfg.Retention.Limits), p.Now()), err
}

// namedInSummary is how many ids the summary of an operation names. Its trailers name all.
const namedInSummary = 10

// howBack tells how to restore several deleted checkpoints.
const howBack = "ckpt undo restores all of them, ckpt undelete ID each one, at any time"

// retained returns what the policy needs to know of a checkpoint that was last changed at a time.
func retained(c *checkpoint.Checkpoint, changed time.Time) policy.Candidate {
	return policy.Candidate{
		ID: c.ID, Path: c.Path, Parent: c.Parent(), Status: string(c.Status()), Name: c.Field("name"),
		Workflow: c.Field("workflow"), Session: c.Field("session"), Trigger: c.Field("trigger"), Step: c.Field("step"),
		Created: c.Created(), Changed: changed,
	}
}

// stagedEdits returns the files of the folder that differ between the index and the last commit, by
// their paths from the root. A staged deletion does not count.
func (p *Editor) stagedEdits(ctx context.Context) (map[string]bool, error) {
	staged, err := log.Of(p.Repo).Staged(ctx, p.Prefix)
	edits := map[string]bool{}
	for _, c := range staged {
		if c.After != "" {
			edits[c.Path] = true
		}
	}
	return edits, err
}

// remindToPrune adds a remark on what prune would delete, if the policy asks for it after a save:
// each time, or once a day. It deletes nothing.
func (p *Editor) remindToPrune(ctx context.Context, view *workspace.View, o *workspace.Tx, now time.Time) error {
	cfg, err := view.Store.Config()
	if err != nil || cfg.Retention.Limits.None() {
		return err
	}
	if cfg.Retention.Schedule == policy.ScheduleNever || cfg.Retention.Apply {
		return nil
	}
	today := now.UTC().Format(time.DateOnly)
	if cfg.Retention.Schedule == policy.ScheduleDaily && view.RemindedOn() == today {
		return nil
	}
	after := view.Set.After(o.Files.Files)
	modified, err := p.modified(ctx, view)
	if err != nil {
		return err
	}
	var items []policy.Candidate
	for _, c := range after.All {
		at := now // for a file that the operation changes
		if _, changed := o.Files.After(c.Path); !changed {
			at = modified(c)
		}
		items = append(items, retained(c, at))
	}
	n := len(policy.Prune(items, cfg.Retention.Limits, now).Pruned())
	if n == 0 {
		return nil
	}
	o.Remarks = append(o.Remarks, text.Count(n, "checkpoint")+" more than the policy keeps (ckpt prune shows which)")
	if !p.DryRun {
		view.Remind(today)
	}
	return nil
}

// pruneAfter prunes after an operation that added or archived a checkpoint, if config.yaml asks for
// it. The pruning is an operation of its own, which the receipt mentions.
func (p *Editor) pruneAfter(ctx context.Context, done *result.Receipt, err error) (*result.Receipt, error) {
	if err != nil || p.DryRun || done.Pending != "" {
		return done, err
	}
	policy, err := p.Disk.Config()
	if err != nil || !policy.Retention.Apply || policy.Retention.Limits.None() {
		return done, nil // the operation itself is done; ckpt prune reports errors in the policy
	}
	plan, _, err := p.PrunePlan(ctx, PruneRequest{})
	if err == nil && len(plan.Pruned()) == 0 {
		return done, nil
	}
	var pruned *result.Receipt
	if err == nil {
		pruned, err = p.PruneCheckpoints(ctx, PruneRequest{})
	}
	if err != nil {
		done.Remarks = append(done.Remarks, fmt.Sprintf("nothing is pruned: %v (ckpt prune)", err))
		return done, nil
	}
	done.Remarks = append(done.Remarks, "pruned "+pruned.Summary+" (config.yaml: retention.apply)")
	done.Remarks = append(done.Remarks, pruned.Remarks...)
	return done, nil
}

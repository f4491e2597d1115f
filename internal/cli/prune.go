package cli

import (
	"time"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/output"
)

func newPrune(env *Env) *cobra.Command {
	var req edit.PruneRequest
	var apply bool
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "List what the policy does not keep (--apply: delete it)",
		Long: `List the checkpoints, in active/ and archive/, that the policy does not keep, and why.
Only --apply deletes them, in one commit; history still has them, and ckpt undo or ckpt
undelete ID restores them.

The policy is retention in checkpoints/config.yaml: max_age, max_per_workflow,
max_per_session. A flag overrides its key (--older-than overrides max_age). Counting
begins with the newest, by the last change; the current checkpoint is the newest of all.

These stay whatever the policy is: the current checkpoint; those with a name; those that
mark a completed phase (trigger phase or phase_complete, step "Phase 2 Complete"); the
parents of those that stay; those with staged edits; and files that cannot be read.`,
		Example: "  ckpt prune --older-than 30d\n  ckpt prune --max-per-workflow 10 --apply",
		Args:    atMost(0, "no argument"),
		RunE: env.open(func(c call) error {
			if apply {
				return env.receipt(edit.New(c.project).PruneCheckpoints(c.ctx, req))
			}
			plan, unread, err := edit.New(c.project).PrunePlan(c.ctx, req)
			return answer(env, "prune", output.Prune)(output.Pruned{Pruning: plan, Unread: unread}, err)
		}),
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Func("older-than", "those last changed before `TIME`: an age, 30d, 12h, or 2026-01-02; off: no limit",
		func(word string) error {
			req.MaxAge = new(time.Duration)
			if word == "off" {
				return nil
			}
			var at time.Time
			err := moment{env, &at}.Set(word)
			*req.MaxAge = max(env.Now().Sub(at), 1) // 0 would mean no limit
			return err
		})
	f.Var(number{to: new(int), given: &req.MaxPerWorkflow, example: 10}, "max-per-workflow",
		"all but the newest `N` of each workflow (0: no limit)")
	f.Var(number{to: new(int), given: &req.MaxPerSession, example: 10}, "max-per-session",
		"all but the newest `N` of each session (0: no limit)")
	f.BoolVar(&apply, "apply", false, "delete them, in one commit")
	return cmd
}

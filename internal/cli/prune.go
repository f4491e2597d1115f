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
		Short: "Say which checkpoints the policy lets go (--apply: delete them)",
		Long: `Say which checkpoints, in active/ and archive/, are more than the policy keeps, and why.
Only --apply deletes them, in one commit; history has them all, and ckpt undo or ckpt
undelete ID restores them.

The policy is retention in checkpoints/config.yaml: max_age, max_per_workflow,
max_per_session. A flag takes the place of its key (--older-than that of max_age).
Counted is from the newest, by the last change; the current one is the newest of all.

Whatever the policy says, these stay: the current one; those with a name; those that a
completed phase left (trigger phase or phase_complete, step "Phase 2 Complete");
whatever is the parent of one that stays; what has staged edits; files that cannot be
read.`,
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

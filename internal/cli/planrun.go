package cli

import (
	"cmp"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
	"example.com/ckpt/internal/plan/runner"
	"example.com/ckpt/internal/result"
)

func newPlanRun(env *Env) *cobra.Command {
	var jobs int
	var restart bool
	cmd := &cobra.Command{
		Use:   "run PLAN.yaml",
		Short: "Run the steps of a plan, from where an earlier run stopped",
		Long: `Run the steps of a plan in the order of their dependencies, and record the end of each in
the checkpoint of the run, chk-NAME: result, duration, tokens, output (only the end of a
long one: add | tee FILE to an action for all of it). A step that fails ends the run with
exit 1. An earlier run of the plan is continued: completed steps are skipped; a failed
step, and one that was running when ckpt was killed, are run again. --restart begins
again.

A step gets CKPT_ID, CKPT_STEP, CKPT_ATTEMPT and its parameters in the environment. It
runs in the repository's root, or in its dir, and reports tokens with lines "tokens: N"
in the file that CKPT_REPORT names. Processes that it starts are ended with it.

--json writes a line of JSON for each event; --dry-run shows which steps would run.`,
		Example: "  ckpt plan run research.yaml\n  ckpt plan run research.yaml --jobs 4\n" +
			"  ckpt plan run research.yaml --restart",
		Args:        exactlyOne("a PLAN.yaml"),
		Annotations: map[string]string{inLines: "yes"},
		RunE: env.open(func(c call) error {
			o := runner.Options{Jobs: jobs, Restart: restart, Env: env.Streams.Env}
			of, err := env.plan(c.project, c.args[0])
			if err != nil {
				return err
			}
			if err := env.keepsRun(c, of); err != nil {
				return err
			}
			show := &planView{env: env}
			if err := runner.Run(c.ctx, c.project, of, o, show.tell); err != nil {
				if show.said && env.json {
					return answered{fault.KindOf(err).ExitCode()} // the last line has the error already
				}
				return err
			}
			return show.err
		}),
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(number{to: &jobs, least: 1, example: 4}, "jobs", "run up to `N` steps at once that do not depend on each other")
	f.BoolVar(&restart, "restart", false, "begin again: no step counts as done")
	return cmd
}

// keepsRun returns an error if -c names a checkpoint that has no run of the plan.
func (e *Env) keepsRun(c call, of *plan.Plan) error {
	if e.target == "" {
		return nil
	}
	run, err := planner.New(c.project).Find(c.ctx, of)
	if err != nil {
		return err
	}
	named, err := history.New(c.project).Show(c.ctx, e.target)
	if err == nil && (run == nil || run.ID != named.ID) {
		return fault.New(fault.Usage, "%s has no run of %s: a run has a checkpoint of its own", named.ID, of.Name).
			WithHint("ckpt plan run %s", of.File)
	}
	return err
}

// planView prints the events of a run.
type planView struct {
	env  *Env
	said bool  // the end of the run was printed
	err  error // the first error of writing
}

func (v *planView) tell(n plan.News) {
	v.said = v.said || n.Kind == plan.RunEnded
	var err error
	if v.env.json {
		err = result.EncodeLine(v.env.Streams.Out, "plan", output.JSON(n, output.Folder{}))
	} else {
		err = output.Print(v.env.printer(v.env.Streams), n, output.PlanNews)
	}
	v.err = cmp.Or(v.err, err)
}

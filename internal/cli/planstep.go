package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
)

func newPlanNext(env *Env) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "next",
		Short: "Show the next step of a plan that can be started",
		Long: `Show the first step that is pending or has failed and waits for no other, with its
action and parameters. The plan is that of --plan, of the current checkpoint, or the only
one with a run that is not complete. If no step can be started, nothing is printed.`,
		Example: "  ckpt plan next\n  ckpt plan next --plan research.yaml --json",
		Args:    atMost(0, "no argument"),
		RunE: env.open(func(c call) error {
			_, next, err := env.nextStep(c, file)
			return answer(env, "plan-next", output.PlanNext)(next, err)
		}),
	}
	planFlag(cmd, &file)
	return cmd
}

func newPlanStart(env *Env) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "start [STEP]",
		Short: "Record that you have started a step (the next one)",
		Long: `Record that you have started a step; without STEP the one that ckpt plan next shows.
With --plan the run begins if there is none yet. A step that waits for others is
refused.`,
		Example: "  ckpt plan start --plan research.yaml\n  ckpt plan start report",
		Args:    atMost(1, "one STEP"),
		RunE: env.open(func(c call) error {
			p, next, err := env.nextStep(c, file)
			if err != nil {
				return err
			}
			step := c.id
			if row := next.Row(); step == "" && row != nil {
				step = row.ID
			}
			if step == "" {
				return noStep(c, next, "can be begun")
			}
			if next.Run.ID == "" {
				receipt, _, err := p.Begin(c.ctx, planner.BeginRequest{Plan: next.Plan, Start: step})
				return env.receipt(receipt, err)
			}
			return env.receipt(p.Start(c.ctx, next.Run.ID, next.Plan, step))
		}),
	}
	planFlag(cmd, &file)
	return cmd
}

// newPlanEnds returns the commands that end a step.
func newPlanEnds(env *Env) []*cobra.Command {
	return []*cobra.Command{
		newPlanEnd(env, plan.Completed, &cobra.Command{
			Use: "done [STEP]", Short: "Record that a step is completed, and its result",
			Long: "Record that a step is completed; without STEP the running one. The text of its result\n" +
				"is stored below the table of the plan; of a long text the last 30 lines.",
			Example: "  ckpt plan done find -m 'CompanyA, CompanyB, CompanyC' --tokens 1200\n" +
				"  ckpt plan done report -F - < report.txt",
		}),
		newPlanEnd(env, plan.Failed, &cobra.Command{
			Use: "fail [STEP] -m WHY", Short: "Record that a step has failed, and why",
			Long: "Record that a step has failed; without STEP the one that is running. It can be tried\n" +
				"again: ckpt plan next shows it.",
			Example: "  ckpt plan fail fetch -m 'API timeout'",
		}),
		newPlanEnd(env, plan.Skipped, &cobra.Command{
			Use: "skip STEP", Short: "Record that a step is not needed, so that others can run",
			Example: "  ckpt plan skip fetch -m 'the figures are in the report of last year'",
		}),
	}
}

// newPlanEnd adds the flags and the action to cmd, which ends a step with a status.
func newPlanEnd(env *Env, status plan.Status, cmd *cobra.Command) *cobra.Command {
	res := plan.Result{Status: status, By: "agent"}
	var file, output string
	cmd.Args = atMost(1, "one STEP")
	cmd.RunE = env.open(func(c call) error {
		if err := readResult(env, &res, output); err != nil {
			return err
		}
		p, next, err := env.nextStep(c, file)
		if err != nil {
			return err
		}
		run := next.Run
		if run.ID == "" {
			return fault.New(fault.NotFound, "the plan %s has not begun", run.File).
				WithHint("ckpt plan start --plan %s", run.File)
		}
		step := c.id
		if step == "" && status != plan.Skipped && len(next.Running) == 1 {
			step = run.Steps[next.Running[0]-1].ID
		}
		if step == "" {
			return noStep(c, next, "is meant")
		}
		res.At = env.Now()
		receipt, _, err := p.End(c.ctx, run.ID, next.Plan, step, res)
		return env.receipt(receipt, err)
	})
	f := cmd.Flags()
	f.SortFlags = false
	if status == plan.Completed {
		f.StringVarP(&res.Message, "message", "m", "", "what came of it")
		f.StringVarP(&output, "file", "F", "", "read what came of it from `FILE` (- is standard input)")
		cmd.MarkFlagsMutuallyExclusive("message", "file")
	} else {
		f.StringVarP(&res.Message, "message", "m", "", "why")
	}
	if status != plan.Skipped {
		f.Var(number{to: &res.Tokens, example: 1200}, "tokens", "it used `N` tokens")
	}
	planFlag(cmd, &file)
	return cmd
}

// readResult reads the text of a result: the reason of a failed or skipped step, or the output of a completed one.
func readResult(env *Env, res *plan.Result, file string) error {
	err := env.texts(&res.Message)
	switch {
	case err != nil:
	case res.Status == plan.Failed && strings.TrimSpace(res.Message) == "":
		err = fault.New(fault.Usage, "a step that failed says why").WithHint("ckpt plan fail STEP -m WHY")
	case res.Status == plan.Completed && file != "":
		res.Output, err = env.file(file)
	case res.Status == plan.Completed:
		res.Output, res.Message = []byte(res.Message), ""
	}
	return err
}

func noStep(c call, next *plan.Upcoming, what string) error {
	err := fault.New(fault.Usage, "no step %s: %d of %d are done, %d are running", what, next.Run.Done(),
		len(next.Run.Steps), len(next.Running))
	if row := next.Row(); row != nil {
		return err.WithHint("%s %s", c.cmd.CommandPath(), row.ID)
	}
	return err.WithHint("ckpt plan next")
}

func planFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "plan", "", "the plan `FILE` (else that of the current checkpoint)")
}

// nextStep returns the next step of the plan in a file, or of the current checkpoint's plan if file is "".
func (e *Env) nextStep(c call, file string) (*planner.Planner, *plan.Upcoming, error) {
	var of *plan.Plan
	if file != "" {
		var err error
		of, err = e.plan(c.project, file)
		if err != nil {
			return nil, nil, err
		}
	}
	p := planner.New(c.project)
	next, err := p.Next(c.ctx, of)
	return p, next, err
}

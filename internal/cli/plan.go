package cli

import (
	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
	"example.com/ckpt/internal/workspace"
)

func newPlan(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:                   "plan COMMAND",
		DisableFlagsInUseLine: true,
		SuggestFor:            []string{"execute", "workflow", "run"},
		Short:                 "Run a plan step by step, and continue where it stopped",
		Long: `A plan is a YAML file of steps that depend on each other. ckpt plan run runs their
commands and records the end of each in a checkpoint, with one commit for each step. If
it is interrupted, the next run continues there.

  name: research                     # else the file's name
  query: Find all competitors        # what was asked for
  steps:
    - id: find
      description: Identify competitors
      action: ./find.sh              # a line for the shell, or a list: [./find.sh, x]
      parameters: {industry: tools}  # CKPT_PARAMETERS as JSON, CKPT_PARAM_INDUSTRY
    - id: report
      action: ./report.sh
      dependencies: [find]
      timeout: 5m                    # also: env, dir (from the root), retries, status

A step is pending, running, completed, failed or skipped. An agent or a person does steps
with next, start, done, fail and skip. Such a step needs no action: ckpt plan run runs all
steps that do not depend on it, and then exits 2.

ckpt show ID --section plan shows the state of a run: the table of its steps, and their
output.`,
		Example: "  ckpt plan run research.yaml\n  ckpt plan next                     # you are the executor\n" +
			"  ckpt plan start find\n  ckpt plan done find -m 'CompanyA, CompanyB'\n" +
			"  ckpt show research --section plan  # how the run stands",
		RunE: noCommand,
	}
	cmd.AddCommand(newPlanRun(env), newPlanNext(env), newPlanStart(env))
	cmd.AddCommand(newPlanEnds(env)...)
	return cmd
}

// plan reads the plan file that the user named.
func (e *Env) plan(p *workspace.Workspace, name string) (*plan.Plan, error) {
	if name == "-" {
		return nil, fault.New(fault.Usage, "a plan is a file: a later run has to find it").
			WithHint("name the file: PLAN.yaml")
	}
	src, err := e.file(name)
	if fault.KindOf(err) == fault.NotFound {
		return nil, fault.New(fault.NotFound, "the file %q does not exist", name).
			WithHint("ckpt plan --help shows such a file")
	}
	if err != nil {
		return nil, err
	}
	return plan.Parse(planner.New(p).Path(name), src)
}

package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/transfer/importing"
	"example.com/ckpt/internal/transfer/schema"
	"example.com/ckpt/internal/workspace"
)

func newNew(env *Env) *cobra.Command {
	var req edit.NewRequest
	var file string
	run := runFlags{}
	cmd := &cobra.Command{
		Use:        "new [NAME]",
		SuggestFor: []string{"create", "start", "begin", "add"},
		Short:      "Begin a checkpoint, or fork one (--parent)",
		Long: `Begin a checkpoint with every section of the format and make it the current one.
ckpt new auth makes chk-auth. With --parent it is a fork: rules, context and live
decisions are copied, the problem has to be given.

-F reads Markdown: the problem, then the sections under their headings; or a whole file
with frontmatter. Or JSON in one of the schemas that ckpt export --schema writes.`,
		Example: `  ckpt new auth -F - <<'EOF'
  Logins fail for SSO users since 2.3: the token isn't accepted.
  ## Session Intent
  SSO works again, with a test.
  ### Next Actions
  1. Reproduce it with internal/sso/login_test.go
  2. Fix it in internal/sso/login.go
  ## User Rules
  - Don't add a dependency
  EOF
  ckpt new auth --problem 'Logins fail for SSO users since 2.3' \
    --intent 'SSO works again, with a test' --decision 'Keep sessions in Redis: ops know it' \
    --next 'Reproduce it with internal/sso/login_test.go'
  ckpt new auth-retry --parent auth --problem 'Retries hide the real error'`,
		Args: atMost(1, "one name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Name = firstArg(args)
			if err := env.texts(&req.Text.Problem, &req.Text.Intent, &req.Text.State, &req.Anchor); err != nil {
				return err
			}
			if err := env.lists(&req.Decisions, &req.Text.Context, &req.Text.Steps, &req.Text.Next,
				&req.Text.Rules); err != nil {
				return err
			}
			if file != "" {
				var err error
				req.File, req.Import, err = env.checkpointFile(file)
				if err != nil {
					return err
				}
			}
			req.Run = run.given(cmd.Flags())
			if n := len(req.Text.Steps); n > 0 && req.Run["workflow"]+req.Run["phase"] != "" {
				req.Run["step"], _, _ = strings.Cut(strings.TrimSpace(req.Text.Steps[n-1]), "\n")
			}
			return env.change(cmd, func(ctx context.Context, p *workspace.Workspace) (*result.Receipt, error) {
				return edit.New(p).New(ctx, req)
			})
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&req.ID, "id", "", "take this `ID` as it is")
	f.StringVar(&req.Text.Problem, "problem", "", "what is wrong or missing")
	f.StringVar(&req.Text.Intent, "intent", "", "what the user wants")
	f.StringArrayVar(&req.Decisions, "decision", nil, "a decision, `'WHAT: WHY'` (repeatable)")
	f.StringArrayVar(&req.Text.Context, "context", nil, "a technical fact (repeatable)")
	f.StringArrayVar(&req.Text.Steps, "step", nil,
		"what was done already (repeatable); with --workflow or --phase the last one is the run's step")
	f.StringVar(&req.Text.State, "state", "", "what exists now")
	f.StringArrayVar(&req.Text.Next, "next", nil, "a next action, the first one first (repeatable)")
	f.StringArrayVar(&req.Text.Rules, "rule", nil, "a rule of the user's (repeatable)")
	f.StringVar(&req.Anchor, "anchor", "", "the conversation point or phase (default: branch@commit)")
	f.StringVar(&req.Parent, "parent", "", "fork from checkpoint `ID`")
	complete(cmd, "parent", completer{env}.id)
	f.BoolVar(&req.SameProblem, "same-problem", false, "go on with the parent's problem and intent")
	run.add(f)
	run["trigger"] = f.String("trigger", "", "why now, in a word: phase, decision, handoff")
	f.BoolVar(&req.Parked, "parked", false, "do not make it current")
	f.StringVarP(&file, "file", "F", "", "read Markdown or JSON from `FILE` (- is standard input)")
	return cmd
}

// textFile reads the text that -F names.
func (e *Env) textFile(name string) ([]byte, error) {
	src, err := e.file(name)
	if err != nil {
		return nil, err
	}
	if line, what := importing.NotText(src); what != "" {
		return nil, fault.New(fault.Invalid, "the text given with -F: line %d: %s; UTF-8 is expected", line, what)
	}
	return src, nil
}

// checkpointFile reads the file that -F names: Markdown, or JSON of another schema.
func (e *Env) checkpointFile(name string) ([]byte, *schema.Import, error) {
	src, err := e.textFile(name)
	if err != nil {
		return nil, nil, err
	}
	if !schema.IsJSON(src) {
		return src, nil, nil
	}
	im, err := schema.Read(src)
	if err != nil {
		return nil, nil, fault.New(fault.KindOf(err), "the JSON given with -F: %w", err)
	}
	return nil, im, nil
}

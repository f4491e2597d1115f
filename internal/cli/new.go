package cli

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/text"
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
decisions are copied; the problem must be given.

--prompt adds what the user said to the intent, word for word; without a problem, its
first line is the Problem.

Without a problem it opens your editor on a terminal.

-F reads Markdown: the problem, then the sections under their headings, or a whole file
with frontmatter. It also reads JSON in one of the schemas of ckpt export --schema. The
texts of flags come before those of the file, entries of flags after its entries.`,
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
  ckpt new auth --prompt
  ckpt new auth-retry --parent auth --problem 'Retries hide the real error'`,
		Args: atMost(1, "one name"),
		RunE: env.open(func(c call) error {
			req.Name = c.id
			if err := env.texts(&req.Text.Problem, &req.Text.Intent, &req.Text.State, &req.Anchor); err != nil {
				return err
			}
			if err := cmp.Or(env.lists(checkpoint.Next, &req.Text.Next), env.lists(checkpoint.Context, &req.Text.Context),
				env.lists(checkpoint.Decisions, &req.Decisions, &req.Text.Steps, &req.Text.Rules)); err != nil {
				return err
			}
			if file != "" {
				var err error
				req.File, req.Import, err = env.checkpointFile(file)
				if err != nil {
					return err
				}
			}
			if err := needProblem(c, env, &req); err != nil {
				return err
			}
			req.Run = run.given(c.cmd.Flags())
			if n := len(req.Text.Steps); n > 0 && req.Run["workflow"]+req.Run["phase"] != "" {
				req.Run["step"], _, _ = strings.Cut(strings.TrimSpace(req.Text.Steps[n-1]), "\n")
			}
			return env.receipt(edit.New(c.project).New(c.ctx, req))
		}),
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(name{&req.ID}, "id", "take this `ID` as it is")
	f.StringVarP(&req.Text.Problem, "problem", "m", "", "what is wrong or missing")
	f.StringVar(&req.Text.Intent, "intent", "", "what the user wants")
	promptFlag(f, &req.Prompt, "the intent")
	f.StringArrayVar(&req.Decisions, "decision", nil, "a decision, `'WHAT: WHY'` (repeatable)")
	f.StringArrayVar(&req.Text.Context, "context", nil, "a technical fact (repeatable)")
	f.StringArrayVar(&req.Text.Steps, "step", nil,
		"what was done already (repeatable); with --workflow or --phase the last one is the run's step")
	f.StringVar(&req.Text.State, "state", "", "what exists now")
	f.StringArrayVar(&req.Text.Next, "next", nil, "a next action, the first one first (repeatable)")
	f.StringArrayVar(&req.Text.Rules, "rule", nil, "a rule of the user's (repeatable)")
	f.StringVar(&req.Anchor, "anchor", "", "the conversation point or phase (default: branch@commit)")
	f.Var(name{&req.Parent}, "parent", "fork from checkpoint `ID`")
	complete(cmd, "parent", completer{env}.id)
	f.BoolVar(&req.SameProblem, "same-problem", false, "go on with the parent's problem and intent")
	run.add(f)
	run["trigger"] = f.String("trigger", "", "why now, in a word: phase, decision, handoff")
	rare(f, "trigger")
	f.BoolVar(&req.Parked, "parked", false, "do not make it current")
	f.StringVarP(&file, "file", "F", "", "read Markdown or JSON from `FILE` (- is standard input)")
	return cmd
}

// needProblem returns an error if the request has no problem. On a terminal the user can first write one in the
// editor.
func needProblem(c call, e *Env, req *edit.NewRequest) error {
	given := !doc.IsBlank(req.Text.Problem) || req.File != nil || req.Import != nil || req.SameProblem ||
		req.Prompt
	typed := e.Streams.InIsTerminal() && !c.cmd.Flags().Changed("problem")
	switch {
	case given:
		return nil
	case typed:
		var err error
		req.File, err = written(c.ctx, e, c.project)
		return err
	case req.Parent != "":
		return nil // edit returns an error for the fork that also names --same-problem
	}
	err := fault.New(fault.Usage, "new needs a problem")
	if strings.Contains(req.Name, " ") {
		return err.WithHint("ckpt new -m %s", text.ShellQuoted(req.Name))
	}
	return err.WithHint("ckpt new %s --problem TEXT, or -F - and the text on standard input", cmp.Or(req.Name, "NAME"))
}

// written returns the problem and the first sections that the user writes in an editor.
func written(ctx context.Context, e *Env, p *workspace.Workspace) ([]byte, error) {
	editor, err := p.Repo.Config().Editor(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return nil, fault.New(fault.Failed, "write the draft: %w", err)
	}
	file := filepath.Join(dir, "NEW.md")
	if err := disk.WriteFile(file, []byte(revise.Draft()), false); err != nil {
		return nil, err
	}
	if err := term.Edit(ctx, e.Streams, editor, file); err != nil {
		return nil, fault.New(fault.Failed, "%w", err).WithHint("ckpt new NAME -F %s takes what was written", file)
	}
	src, err := e.file(file)
	if err != nil {
		return nil, err
	}
	src, hasProblem := revise.ParseDraft(src)
	switch {
	case hasProblem:
		_ = os.RemoveAll(dir)
		return src, nil
	case len(src) == 0:
		_ = os.RemoveAll(dir)
		return nil, fault.New(fault.Usage, "the text is empty: no checkpoint was made")
	}
	return nil, fault.New(fault.Usage, "the text has no problem: no checkpoint was made").
		WithHint("write the problem above the first heading of %s, then ckpt new NAME -F %s", file, file)
}

// checkpointFile reads the file of -F. It returns Markdown unchanged, and JSON in one of the schemas as an import.
func (e *Env) checkpointFile(name string) ([]byte, *schema.Import, error) {
	src, err := e.file(name)
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

package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
)

func newNote(env *Env) *cobra.Command {
	var req edit.NoteRequest
	cmd := &cobra.Command{
		Use:        "note KIND TEXT",
		SuggestFor: []string{"decision", "decide", "remember"},
		Short:      "Write one line to one section: a decision, a fact, a breadcrumb",
		Long: `Write one line to one section at once. KIND is decision, context, breadcrumb (TYPE
REF HINT; TYPE is file, function, decision or external), step, artifact
(PATH[:ACTION[:TEXT]]), state (replaces) or rule. The same note twice in a row changes
nothing. A - reads standard input, where each entry of a Markdown list is one decision,
fact, step or rule.`,
		Example: `  ckpt note decision 'Use SQS' --why 'it is there already'
  ckpt note decision 'Use Kafka' --why 'ordering' --supersedes SQS
  ckpt note rule - <<'EOF'
  - Don't touch the schema
  - Ask before you push
  EOF
  ckpt note breadcrumb file internal/sso/login.go 'where the token is checked'
  ckpt note state - <<'EOF'
  Login works; the retry does not yet.
  EOF`,
		Args: atLeast(2, "a KIND ("+strings.Join(edit.NoteKinds, ", ")+") and a text"),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Kind, req.Text = args[0], args[1:]
			switch {
			case len(req.Text) == 1 && edit.TakesList(req.Kind):
				if err := env.lists(&req.Text); err != nil {
					return err
				}
				req.Text, req.List = nil, req.Text
			default:
				for i := range req.Text {
					if err := env.texts(&req.Text[i]); err != nil {
						return err
					}
				}
			}
			if err := env.texts(&req.Why, &req.Supersedes); err != nil {
				return err
			}
			return env.change(cmd, func(ctx context.Context, p *workspace.Workspace) (*result.Receipt, error) {
				return edit.New(p).Note(ctx, req)
			})
		},
		ValidArgs: edit.NoteKinds,
	}
	cmd.Flags().StringVar(&req.Why, "why", "", "the reason of a decision")
	cmd.Flags().StringVar(&req.Supersedes, "supersedes", "", "strike out the live decision that contains `TEXT`")
	return cmd
}

func newNext(env *Env) *cobra.Command {
	var add bool
	cmd := &cobra.Command{
		Use:   "next TEXT...",
		Short: "Replace the next actions (--add: append to them)",
		Long: "Replace the next actions, in the order given, or append to them with --add. A - reads\n" +
			"standard input, where each entry of a Markdown list is an action.",
		Example: "  ckpt next 'Write the test in internal/sso/login_test.go' 'Document it in docs/sso.md'\n" +
			"  ckpt next --add 'Ask ops about the queue'",
		Args: atLeast(1, "at least one action"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := env.lists(&args); err != nil {
				return err
			}
			return env.change(cmd, func(ctx context.Context, p *workspace.Workspace) (*result.Receipt, error) {
				return edit.New(p).Next(ctx, "", args, add)
			})
		},
	}
	cmd.Flags().BoolVar(&add, "add", false, "append instead of replacing")
	return cmd
}

func newDone(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "done TEXT",
		Short: "Move a next action to what was done",
		Long: "Move the one next action that contains TEXT, or the one numbered '#2', to\n" +
			"Play-By-Play. If several fit, none is moved and all are listed.",
		Example: "  ckpt done 'write the test'\n  ckpt done '#2'",
		Args:    exactlyOne("one TEXT (in quotes)"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := env.text(args[0])
			if err != nil {
				return err
			}
			return env.change(cmd, func(ctx context.Context, p *workspace.Workspace) (*result.Receipt, error) {
				return edit.New(p).Done(ctx, "", text)
			})
		},
	}
}

package cli

import (
	"context"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/workspace"
)

func newSave(env *Env) *cobra.Command {
	var message string
	cmd := &cobra.Command{
		Use:   "save",
		Short: "Check and commit what was edited by hand",
		Long: `Commit the hand edits of checkpoint files as one operation. An edit that brings an error
which was not there before is refused and stays as it is.`,
		Example: "  ckpt save\n  ckpt save -m 'Reword the problem'",
		Args:    atMost(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return save(cmd, env, message)
		},
	}
	cmd.Flags().StringVarP(&message, "message", "m", "", "what the edits are about, for the commit")
	cmd.Annotations = map[string]string{
		flagHint: "ckpt save commits hand edits; ckpt delta -m TEXT --name NAME --workflow ID records where the work is"}
	return cmd
}

func save(cmd *cobra.Command, env *Env, message string) error {
	if err := env.texts(&message); err != nil {
		return err
	}
	return env.change(cmd, func(ctx context.Context, p *workspace.Workspace) (*result.Receipt, error) {
		return edit.New(p).Save(ctx, message)
	})
}

func newEdit(env *Env) *cobra.Command {
	var message string
	cmd := &cobra.Command{
		Use:     "edit [ID]",
		Short:   "Open a checkpoint in your editor, then save it",
		Example: "  ckpt edit\n  EDITOR=nano ckpt edit auth",
		Args:    atMost(1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if env.dryRun {
				return fault.New(fault.Usage, "edit cannot be tried out").WithHint("ckpt save --dry-run after an edit")
			}
			p, err := env.Project(cmd.Context())
			if err != nil {
				return err
			}
			if err := openEditor(cmd.Context(), env.Streams, p, firstArg(args)); err != nil {
				return err
			}
			return save(cmd, env, message)
		},
		ValidArgsFunction: completer{env}.active,
	}
	cmd.Flags().StringVarP(&message, "message", "m", "", "what the edit is about, for the commit")
	return cmd
}

// openEditor opens a checkpoint in the user's editor and waits until the editor ends.
func openEditor(ctx context.Context, s term.Streams, p *workspace.Workspace, name string) error {
	path, err := history.New(p).FileOf(ctx, name)
	if err != nil {
		return err
	}
	editor, err := p.Repo.Config().Editor(ctx)
	if err != nil {
		return err
	}
	// vi and editor are what git returns if no editor is configured.
	if !s.InIsTerminal() && (editor == "vi" || editor == "editor") {
		return fault.New(fault.Usage, "an editor needs a terminal").WithHint("edit %s, then ckpt save", path)
	}
	if err := term.Edit(ctx, s, editor, path); err != nil {
		return fault.New(fault.Failed, "%w; the file is as the editor left it", err).WithHint("ckpt save commits it")
	}
	return nil
}

package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/transfer"
	"example.com/ckpt/internal/workspace"
)

func newSave(env *Env) *cobra.Command {
	var message, file string
	cmd := &cobra.Command{
		Use:   "save",
		Short: "Commit what was edited by hand, or save the JSON of another tool",
		Long: `Commit the edits by hand of checkpoint files as one operation. An edit that adds an error
is refused; the file stays as it is.

With -F, save a JSON document in any of the schemas of ckpt export: as a delta of the checkpoint
that it belongs to, or as a new checkpoint. It belongs to the checkpoint that its checkpointId
names, also if CKPT_ID names another, else to the one with its id, session or workflow, else to
the current one. If -c names another checkpoint than checkpointId, nothing is saved.`,
		Example: "  ckpt save\n  ckpt save -m 'Reword the problem'\n  ckpt save -F state.json",
		Args:    atMost(0, "no argument"),
		RunE: env.open(func(c call) error {
			if file != "" {
				return saveJSON(c, env, file, message)
			}
			if err := env.texts(&message); err != nil {
				return err
			}
			return env.receipt(edit.New(c.project).Save(c.ctx, message))
		}),
	}
	f := cmd.Flags()
	f.StringVarP(&message, "message", "m", "", "what the edits are about, for the commit")
	f.StringVarP(&file, "file", "F", "", "save JSON from `FILE` (- is standard input)")
	return cmd
}

func saveJSON(c call, env *Env, file, message string) error {
	if message != "" {
		return fault.New(fault.Usage, "-m describes edits by hand, and -F gives JSON").
			WithHint("ckpt delta -F %s -m TEXT", file)
	}
	_, im, err := env.checkpointFile(file)
	if err != nil {
		return err
	}
	if im == nil {
		return fault.New(fault.Usage, "the text given with -F is not JSON").
			WithHint("Markdown: ckpt delta -F %s, or ckpt new NAME -F %[1]s", file)
	}
	if env.target != "" {
		return env.receipt(edit.New(c.project).Delta(c.ctx, edit.DeltaRequest{ID: env.target, Import: im}))
	}
	return env.receipt(transfer.New(c.project).Take(c.ctx, im))
}

func newEdit(env *Env) *cobra.Command {
	var message string
	cmd := &cobra.Command{
		Use:     "edit [ID]",
		Short:   "Open a checkpoint in your editor, then save it",
		Example: "  ckpt edit\n  EDITOR=nano ckpt edit auth",
		Args:    atMost(1, "one ID"),
		RunE: env.open(func(c call) error {
			if env.dryRun {
				return fault.New(fault.Usage, "edit has no dry run").WithHint("ckpt save --dry-run after an edit")
			}
			if err := env.texts(&message); err != nil {
				return err
			}
			return env.receipt(openEditor(c.ctx, env.Streams, c.project, c.id, message))
		}),
		ValidArgsFunction: completer{env}.active,
	}
	cmd.Flags().StringVarP(&message, "message", "m", "", "what the edit is about, for the commit")
	return cmd
}

// openEditor saves earlier edits, opens a checkpoint in the user's editor, and saves it when the editor ends.
func openEditor(ctx context.Context, s term.Streams, p *workspace.Workspace, name, message string) (*result.Receipt,
	error) {
	rel, err := history.New(p).FileOf(ctx, name)
	if err != nil {
		return nil, err
	}
	path := p.Disk.File(rel)
	editor, err := p.Repo.Config().Editor(ctx)
	if err != nil {
		return nil, err
	}
	// git returns vi or editor if no editor is configured.
	if !s.InIsTerminal() && (editor == "vi" || editor == "editor") {
		return nil, fault.New(fault.Usage, "an editor needs a terminal").WithHint("edit %s, then ckpt save", path)
	}
	before, refused := edit.New(p).Save(ctx, "") // ignore the error: the user may be about to correct its cause
	if refused == nil {
		if !before.Unchanged {
			fmt.Fprintf(s.Err, "ckpt: saved your edits of %s first\n", strings.Join(before.Files, ", "))
		}
		older, _ := p.Disk.OnDisk(rel)
		newest, _, err := history.New(p).Raw(ctx, rel)
		if err == nil && !bytes.Equal(older, newest) { // the file lacks operations
			err = disk.ReplaceFile(path, older, newest)
			defer func() { // unless it was edited
				if older != nil {
					_ = disk.ReplaceFile(path, newest, older)
				} else {
					_ = disk.RemoveFile(path, newest)
				}
			}()
		}
		if err != nil {
			return nil, err
		}
		p = p.Opening(rel)
	}
	if err := term.Edit(ctx, s, editor, path); err != nil {
		return nil, fault.New(fault.Failed, "%w; the file is as the editor left it", err).
			WithHint("ckpt save commits it; git config core.editor EDITOR chooses another editor")
	}
	receipt, err := edit.New(p).Save(ctx, message)
	if merged, _, unread := history.New(p).Raw(ctx, rel); err != nil && unread == nil {
		_ = disk.WriteFile(path, merged, false) // merge now: the next save does not know which version the editor opened
	}
	return receipt, err
}

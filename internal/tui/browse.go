// Package tui shows the checkpoints of a repository on the whole screen: a list at the left,
// and the content of the selected checkpoint at the right.
//
// It only reads, and only with the functions that it is given. However it ends, it restores the
// terminal. A file that cannot be read is listed with the reason, and escape sequences in files
// have no effect. Every key is answered at once: pages are drawn and files are read in the
// background, one at a time, the most recently requested first.
package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/view"
)

// Run shows the checkpoints that forest returns, until the user quits or ctx ends, which is an
// error. It selects the checkpoint at the path first, or the current one if first is empty. The
// function details returns everything about the checkpoint at a path, as Markdown. Both streams
// of s must be a terminal.
func Run(ctx context.Context, s term.Streams,
	forest func(context.Context) (*lineage.Forest, error), details func(ctx context.Context, path string) (string, error),
	first string) error {
	look, err := view.LookOf(s)
	if err != nil {
		return err
	}
	m := newModel(ctx, source{forest, details, first}, look, s.Style())
	program := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(s.In), tea.WithOutput(s.Out),
		tea.WithEnvironment(s.Env), tea.WithoutSignalHandler())
	last, err := program.Run()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fault.New(fault.Failed, "browse: %w", err)
	}
	return last.(*model).fatal
}

// source has the functions with which the browser reads.
type source struct {
	forest  func(context.Context) (*lineage.Forest, error)
	details func(ctx context.Context, path string) (string, error)
	first   string
}

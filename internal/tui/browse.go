// Package tui is the checkpoints on a full screen: a list at the left, what the
// chosen one says at the right.
//
// It only reads, and only by the functions that it is given. It promises to give the
// terminal back as it was, whatever ends it; that a file which cannot be read is listed
// with the reason; that nothing of a file is obeyed; and that a key is answered at once,
// since pages are drawn and files read beside it, one at a time, the newest wish first.
package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/view"
)

// Run shows what forest reads until the reader leaves, or until ctx ends, which is an
// error. It begins with the checkpoint at the path first, or with the current one where
// that is empty. Details is all there is to know of the one at a path, as Markdown. Both
// streams of s must be a terminal.
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

// source is where the browser reads.
type source struct {
	forest  func(context.Context) (*lineage.Forest, error)
	details func(ctx context.Context, path string) (string, error)
	first   string
}

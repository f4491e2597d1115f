// Package tui shows the checkpoints of a repository on the whole screen and works on them: a list
// at the left, the selected checkpoint at the right.
//
// Every change is a command of ckpt, which the caller runs: the package itself writes no file.
// However the browser ends, it restores the terminal. A file that cannot be read is listed with the reason,
// and escape sequences in files have no effect. Every key is answered at once: pages are drawn,
// files are read and commands are run in the background. A failed command is shown with its
// reason, and what was typed for it can be corrected.
package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/view"
)

// Source is what the browser shows and works on. Its methods may be called concurrently.
type Source interface {
	// First returns the path of the checkpoint to select first. Empty means the current one.
	First() string
	// Folders returns the folders to watch for changes: the checkpoints folders of all worktrees. They
	// need not exist.
	Folders() []string
	Now() time.Time
	Forest(ctx context.Context) (*lineage.Forest, error)
	// Command runs a command line of ckpt and returns its standard output and its standard error. Width
	// is the width of the terminal in columns; 0 means that the output is a pipe.
	Command(ctx context.Context, width int, args ...string) (answer, remarks string, err error)
	// Edit runs the user's editor on a checkpoint in this terminal, saves it and returns a line about the result.
	Edit(ctx context.Context, id string) (answer string, err error)
}

// Run shows the checkpoints until the user quits. If ctx ends before, it returns the error of ctx.
// s.In and s.Out must be terminals.
func Run(ctx context.Context, s term.Streams, source Source) error {
	look, err := view.LookOf(s)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	program := tea.NewProgram(newModel(ctx, source, look), tea.WithContext(ctx), tea.WithInput(s.In),
		tea.WithOutput(s.Out), tea.WithEnvironment(s.Env), tea.WithoutSignalHandler())
	watch(ctx, source.Folders(), func() { program.Send(changedMsg{}) })
	last, err := program.Run()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fault.New(fault.Failed, "browse: %w", err)
	}
	return last.(*model).fatal
}

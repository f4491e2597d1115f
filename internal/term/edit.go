package term

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Edit opens a file in an editor and waits until the editor ends. The editor is a line of shell script, as in git's
// core.editor. If there is no shell, the words of the line are the command.
func Edit(ctx context.Context, s Streams, editor, path string) error {
	command := Shell(editor, path)
	if _, err := exec.LookPath(command[0]); err != nil {
		command = append(strings.Fields(editor), path)
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = s.In, s.Out, s.Err, s.Env
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return fmt.Errorf("the editor %q ended with exit code %d", editor, exit.ExitCode())
	}
	if err != nil {
		return fmt.Errorf("start the editor %q: %w", editor, err)
	}
	return nil
}

package term

import (
	"context"
	"fmt"
	"os/exec"
)

// Become runs the program at path in place of this one, with the same streams. If s has the streams of this process
// and the system can replace the program of a process, Become does not return. Otherwise it runs a child process and
// returns when the child ends.
func Become(ctx context.Context, s Streams, path string, args ...string) error {
	if err := replace(s, path, args); err != nil {
		return fmt.Errorf("start %q: %w", path, err)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = s.In, s.Out, s.Err, s.Env
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run %q: %w", path, err)
	}
	return nil
}

package term

import (
	"context"
	"fmt"
	"os/exec"
)

// serverName is the program that speaks the Model Context Protocol.
const serverName = "ckpt-mcp"

// Server finds ckpt-mcp.
func Server() (path string, ok bool) { return companion(serverName) }

// Become goes on as the program at path, with the same streams. Where a process can
// become another program it does, and Become does not return; else the program runs
// below this one, which ends with it.
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

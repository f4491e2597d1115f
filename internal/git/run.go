package git

import (
	"context"
	"os/exec"
)

// Run runs git in the working tree's top folder, as a person would type it, and
// gives what it printed.
func (r *Repo) Run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = r.root
	if r.noFetch {
		cmd.Env = append(cmd.Environ(), noFetch...)
	}
	return output(cmd, nil)
}

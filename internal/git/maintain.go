package git

import (
	"context"
	"os/exec"
	"strings"
)

// maintain starts git's own housekeeping now and then: about every 256th commit,
// which the commit's own hash decides, so that nothing needs to be counted. Git
// decides whether there is anything to do, by the user's settings; whether it is
// to be asked, maintenance.auto says, as after git's own commands. Nobody waits
// for it, and that it fails harms nothing.
func (r *Repo) maintain(ctx context.Context, commit string) {
	if !strings.HasPrefix(commit, "00") {
		return
	}
	if auto, err := r.setting(ctx, "maintenance.auto", "true"); err != nil || !truth(auto) {
		return
	}
	cmd := exec.Command("git", "maintenance", "run", "--auto", "--quiet")
	cmd.Dir = r.root
	cmd.Env = append(r.environ(), "GIT_DIR="+r.gitDir, "GIT_WORK_TREE="+r.root)
	detach(cmd)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }() // it is no zombie while we live
	}
}

package git

import "os/exec"

// maintain starts git's own housekeeping now and then: about every 256th commit,
// which the commit's own hash decides, so that nothing needs to be counted. Git
// decides whether there is anything to do, by the user's settings. Nobody waits
// for it, and that it fails harms nothing.
func (r *Repo) maintain(commit string) {
	if len(commit) < 2 || commit[:2] != "00" {
		return
	}
	cmd := exec.Command("git", "maintenance", "run", "--auto", "--quiet")
	cmd.Dir = r.root
	cmd.Env = append(r.environ(), "GIT_DIR="+r.gitDir, "GIT_WORK_TREE="+r.root)
	detach(cmd)
	if cmd.Start() == nil {
		_ = cmd.Process.Release()
	}
}

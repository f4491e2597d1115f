//go:build unix

package runner

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// shell is how a line for the shell is run.
func shell(line string) []string { return []string{"sh", "-c", line} }

// ownGroup puts the child into a process group of its own, with all that it starts.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// hold gives the child the lock: if it outlives a killed ckpt, it holds it still.
func hold(cmd *exec.Cmd, lock *os.File) {
	if lock != nil {
		cmd.ExtraFiles = []*os.File{lock}
	}
}

// endGroup ends all processes of a group: it asks, waits up to patience, and kills.
func endGroup(group int, patience time.Duration) {
	if group <= 1 || syscall.Kill(-group, syscall.SIGTERM) != nil {
		return
	}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if !groupLives(group) {
			return
		}
	}
	_ = syscall.Kill(-group, syscall.SIGKILL)
}

// groupLives says whether a process of a group is there.
func groupLives(group int) bool {
	err := syscall.Kill(-group, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

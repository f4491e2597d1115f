//go:build unix

package term

import (
	"errors"
	"os/exec"
	"syscall"
	"time"
)

// LeadGroup makes a command start a process group, which all processes that it starts join.
func LeadGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// EndGroup terminates all processes of a group, and kills those that still run after patience.
func EndGroup(group int, patience time.Duration) {
	if syscall.Kill(-group, syscall.SIGTERM) != nil {
		return
	}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) { // the group has no process
			return
		}
	}
	_ = syscall.Kill(-group, syscall.SIGKILL)
}

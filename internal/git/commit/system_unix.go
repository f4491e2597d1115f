//go:build unix

package commit

import (
	"os/exec"
	"syscall"
)

// detach makes a process continue when the terminal or our session ends.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

//go:build unix

package commit

import (
	"os"
	"os/exec"
	"syscall"
)

// ownerOf returns the user id of the owner of a file.
func ownerOf(path string) (uid int, known bool) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(s.Uid), true
}

// detach makes a process continue when the terminal or our session ends.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

//go:build unix

package runner

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// group is a process group for a step and all processes that it starts. The group exists before the
// step, so that the note has its number before anything runs. Its leader is a shell that does
// nothing until its standard input is closed, which also happens if ckpt is killed.
type group struct {
	id   int
	wait func() error
	pipe *os.File
}

func newGroup() (*group, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	cmd := exec.Command("sh", "-c", "read nothing")
	cmd.Stdin, cmd.SysProcAttr = read, &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		write.Close()
		return nil, err
	}
	return &group{id: cmd.Process.Pid, wait: cmd.Wait, pipe: write}, nil
}

// join makes a command start in the group.
func (g *group) join(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.id}
}

// letGo ends the leader. The group still exists while a process that has joined it runs. A second
// call does nothing.
func (g *group) letGo() {
	if g.pipe != nil {
		g.pipe.Close()
		_ = g.wait() // its exit code does not matter
		g.pipe = nil
	}
}

// hold makes the child inherit the lock, which the child still has if ckpt is killed.
func hold(cmd *exec.Cmd, lock *os.File) {
	if lock != nil {
		cmd.ExtraFiles = []*os.File{lock}
	}
}

// endGroup terminates all processes of a group, and kills those that run after patience.
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

// groupLives reports whether a group has a process.
func groupLives(group int) bool {
	err := syscall.Kill(-group, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

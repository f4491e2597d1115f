//go:build unix

package runner

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// group is a process group for a step and all that it starts. It is there before the
// step is, so that its number can be noted before anything runs: a process that does
// nothing keeps it, which ends with the pipe that it reads, be it that ckpt lets go of
// it or that ckpt dies.
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

// join has a command start in the group.
func (g *group) join(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.id}
}

// letGo ends the process that keeps the group: whoever has joined it keeps it now. A
// second call does nothing.
func (g *group) letGo() {
	if g.pipe != nil {
		g.pipe.Close()
		_ = g.wait() // it has nothing to say
		g.pipe = nil
	}
}

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

package term

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// patience is how long a program that a child left behind may hold our pipes.
const patience = time.Second

// foreground runs cmd as the program that owns the terminal, until it ends.
//
// Ctrl-C and Ctrl-\ go to every program on the terminal. While a pager is up they
// are the pager's (they stop a search), so this process lets them pass, as git
// does: dying would leave the pager fighting the shell for the keyboard.
func foreground(cmd *exec.Cmd) error {
	keys := make(chan os.Signal, 1)
	signal.Notify(keys, os.Interrupt, syscall.SIGQUIT)
	defer signal.Stop(keys)
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) { // it ended well and left a program behind
		err = nil
	}
	return ignoreClosedPipe(err)
}

// command is a child with this process's environment that ctx keeps from starting
// but does not kill: a pager that is killed leaves the terminal in raw mode. One
// that should end sees its input end.
func command(ctx context.Context, name string, args ...string) (*exec.Cmd, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	cmd := exec.Command(name, args...)
	cmd.WaitDelay = patience
	return cmd, nil
}

// ignoreClosedPipe forgives a reader who has seen enough.
func ignoreClosedPipe(err error) error {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

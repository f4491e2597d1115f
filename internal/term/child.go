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

// patience is how long to wait, after a child ends, for programs that it left behind to close our pipes.
const patience = time.Second

// foreground runs cmd as the program that controls the terminal, until it ends.
//
// Ctrl-C and Ctrl-\ are sent to every program on the terminal. While a pager runs, the user means them for the pager,
// where they stop a search. So this process ignores them, as git does. If this process ended, the pager and the shell
// would both read the keyboard.
func foreground(cmd *exec.Cmd) error {
	keys := make(chan os.Signal, 1)
	signal.Notify(keys, os.Interrupt, syscall.SIGQUIT)
	defer signal.Stop(keys)
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) { // the command succeeded and left a program behind
		err = nil
	}
	return ignoreClosedPipe(err)
}

// command returns a child process, or an error if ctx has ended. If ctx ends later, the child is not killed, because a
// killed pager leaves the terminal in raw mode. The child ends at the end of its input.
func command(ctx context.Context, name string, args ...string) (*exec.Cmd, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	cmd := exec.Command(name, args...)
	cmd.WaitDelay = patience
	return cmd, nil
}

// ignoreClosedPipe returns err, or nil if err means that the reader has closed the pipe.
func ignoreClosedPipe(err error) error {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

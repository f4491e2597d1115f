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

// patience is how long to wait after the end of a child if a program that it left behind still has
// our pipes open.
const patience = time.Second

// foreground runs cmd as the program that controls the terminal, until it ends.
//
// Ctrl-C and Ctrl-\ are sent to every program on the terminal. While a pager runs, they are meant
// for the pager, where they stop a search. So this process ignores them, as git does. If it ended,
// pager and shell would both read the keyboard.
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

// command returns a child process. It returns an error if ctx has ended. A ctx that ends later does
// not kill the child, because a killed pager leaves the terminal in raw mode: the end of the input tells
// the child to end.
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

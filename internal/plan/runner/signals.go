package runner

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilHangup ends with ctx, and when the terminal goes away, unless whoever started
// ckpt wants it to stay (nohup). A reader of the answer who leaves does not end the
// run: what a child is given to do with a broken pipe stays as it is.
func untilHangup(ctx context.Context) (context.Context, func()) {
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	stopHangup := func() {}
	if !signal.Ignored(syscall.SIGHUP) {
		ctx, stopHangup = signal.NotifyContext(ctx, syscall.SIGHUP)
	}
	return ctx, func() { signal.Stop(broken); stopHangup() }
}

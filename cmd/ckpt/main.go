// Command ckpt keeps the state of long work as Markdown in a git repository.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/term"
)

func main() {
	os.Exit(cli.Main(interruptible(), os.Args[1:], cli.World{Streams: term.System()}))
}

// interruptible ends with the first interrupt, so that locks are given back. The
// runtime takes its time to listen for signals: nobody waits for that, since an
// operation that is killed is settled by the next command anyway.
func interruptible() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		<-signals
		signal.Stop(signals) // a second one kills
		cancel()
	}()
	return ctx
}

// Command ckpt keeps the state of long work as Markdown in a git repository.
//
// Reading the CPU limits of a container would take longer than the whole work of a hook, and a
// command ends before they could matter to the scheduler.
//
//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/term"
)

func main() {
	delayCollection()
	os.Exit(cli.Main(interruptible(), os.Args[1:], cli.World{Streams: term.System()}))
}

// delayCollection lets the heap reach 16 MB instead of 4 before the first garbage collection: most
// commands end before that, and one collection takes a tenth of their time. Later collections run
// as usual, so large operations need no more memory.
func delayCollection() {
	debug.SetGCPercent(400)
	runtime.AddCleanup(new([16]byte), func(int) { debug.SetGCPercent(100) }, 0)
}

// interruptible returns a context that ends with the first interrupt, so that locks are released.
// The runtime starts listening for signals while the command already runs; a command that is killed
// before is cleaned up by the next one. Hooks, which agents call all the time, do without it.
func interruptible() context.Context {
	if len(os.Args) > 1 && os.Args[1] == "hook" {
		return context.Background()
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		<-signals
		signal.Stop(signals) // a second interrupt ends the process
		cancel()
	}()
	return ctx
}

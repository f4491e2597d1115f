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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Main(ctx, os.Args[1:], cli.World{Streams: term.System()})
	stop()
	os.Exit(code)
}

// Command ckpt-mcp is ckpt with a server of the Model Context Protocol, which `ckpt mcp`
// starts. It is a separate program, since the libraries of the server would slow down every
// start of ckpt.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/mcp"
	"example.com/ckpt/internal/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(cli.Main(ctx, os.Args[1:], cli.World{Streams: term.System(), Serve: mcp.Serve}))
}

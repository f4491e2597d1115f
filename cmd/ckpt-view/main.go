// Command ckpt-view draws a Markdown file on the terminal. It is a program of its
// own so that ckpt starts without what drawing needs. With --browse before a command line
// of ckpt it is ckpt with a browser in it, which `ckpt browse` becomes.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/tui"
	"example.com/ckpt/internal/view"
)

func main() {
	if len(os.Args) < 2 || os.Args[1] != cli.BrowseFlag {
		os.Exit(view.Main(context.Background(), os.Args[1:], term.System()))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	os.Exit(cli.Main(ctx, os.Args[2:], cli.World{Streams: term.System(), Browse: tui.Run}))
}

// Command ckpt-view renders Markdown from standard input on the terminal. It is a separate program, so that ckpt
// starts without the libraries for that. If the first argument is --browse, ckpt-view runs the other arguments as a
// command line of ckpt, with the browser of checkpoints. `ckpt browse` does so.
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
		os.Exit(view.Main(context.Background(), term.System()))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	os.Exit(cli.Main(ctx, os.Args[2:], cli.World{Streams: term.System(), Browse: browse}))
}

func browse(ctx context.Context, s term.Streams, b *cli.Browsing) error { return tui.Run(ctx, s, b) }

// Command program runs as ckpt-mcp or ckpt-view, by the name of its executable, with the clock of the tests. It is a
// separate program because these two need 15 ms more to start than ckpt, and the scripts start ckpt thousands of times.
package main

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/mcp"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/tui"
	"example.com/ckpt/internal/view"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	args, world := os.Args[1:], cli.World{Streams: term.System(), Now: gittest.Clock}
	switch {
	case strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "ckpt-mcp":
		world.Serve = mcp.Serve
	case len(args) > 0 && args[0] == cli.BrowseFlag:
		args, world.Browse = args[1:], browse
	default:
		os.Exit(view.Main(ctx, world.Streams))
	}
	os.Exit(cli.Main(ctx, args, world))
}

func browse(ctx context.Context, s term.Streams, b *cli.Browsing) error { return tui.Run(ctx, s, b) }

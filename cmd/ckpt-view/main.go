// Command ckpt-view draws a Markdown file on the terminal. It is a program of its
// own so that ckpt starts without what drawing needs.
package main

import (
	"context"
	"os"

	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/view"
)

func main() {
	os.Exit(view.Main(context.Background(), os.Args[1:], term.System()))
}

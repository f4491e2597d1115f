package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"example.com/ckpt/internal/build"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/term"
)

const help = `ckpt-view draws a Markdown file on the terminal.

Usage:
  ckpt-view [--width N] [--style STYLE] [--no-color] [--no-pager] [FILE]

Without FILE, or where FILE is -, it reads standard input. Frontmatter is drawn as
a list. Escape sequences in the document are removed. Long pages go through
GIT_PAGER, PAGER or less; in a pipe the page is plain text.

Options:
  --width N      columns to fill (default: the terminal's width, at most 100)
  --style STYLE  auto, dark, light or plain (default: CKPT_STYLE, else auto,
                 which asks the terminal; COLORFGBG and NO_COLOR are respected)
  --no-color     draw without colours
  --no-pager     write the whole page at once
  --help         show this page
  --version      show the version

Examples:
  ckpt-view checkpoints/active/chk-auth.md
  ckpt show --raw | ckpt-view --style light

Exit codes: 0 done, 1 reading or writing went wrong, 2 usage, 3 no such file,
7 too large to draw.
`

const (
	widest = 100 // the maximal default width: longer lines are hard to read

	// For some Markdown the parsers take minutes. After this time the unrendered text is shown.
	patience = 5 * time.Second
)

// Main runs the command ckpt-view. It takes the arguments after the command's name, prints the
// error if there is one, and returns the exit code.
func Main(ctx context.Context, args []string, s term.Streams) int {
	err := run(ctx, args, s)
	if err == nil {
		return 0
	}
	fmt.Fprintf(s.Err, "ckpt-view: %s\n", term.Plain(err.Error()))
	if hint := fault.HintOf(err); hint != "" {
		fmt.Fprintf(s.Err, "hint: %s\n", term.Plain(hint))
	}
	return fault.KindOf(err).ExitCode()
}

func run(ctx context.Context, args []string, s term.Streams) error {
	req, err := parse(args)
	switch {
	case err != nil:
		return err
	case req.help:
		_, err := io.WriteString(s.Out, help)
		return err
	case req.version:
		_, err := fmt.Fprintf(s.Out, "ckpt-view %s\n", build.Version())
		return err
	}
	markdown, err := read(req.file, s)
	if err != nil {
		return err
	}
	s.NoColor = req.noColor
	look, err := lookOf(req, s)
	if err != nil {
		return err
	}
	page, err := RenderSoon(ctx, markdown, look)
	if err != nil { // a text without colours is better than none
		fmt.Fprintf(s.Err, "ckpt-view: %s: this is its bare text\n", term.Plain(err.Error()))
		page = term.Plain(markdown)
	}
	if req.noPager {
		_, err := io.WriteString(s.Out, page)
		return err
	}
	return term.Page(ctx, s, page)
}

// RenderSoon renders as Render does, for a user who waits. After patience it returns an error, while the
// rendering continues in the background.
func RenderSoon(ctx context.Context, markdown string, look Look) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	type result struct {
		page string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		page, err := Render(markdown, look)
		done <- result{page, err}
	}()
	select {
	case r := <-done:
		return r.page, r.err
	case <-ctx.Done():
		return "", errors.New("draw the document: it takes too long")
	}
}

// lookOf returns the look for a request. It chooses what the request leaves open.
func lookOf(req request, s term.Streams) (Look, error) {
	style, err := choose(req.style, s)
	if err != nil {
		return Look{}, err
	}
	width := req.width
	if width == 0 {
		width = max(min(s.Width(), widest), MinWidth)
	}
	return Look{Style: style, Width: width, Colors: colors(s)}, nil
}

// LookOf returns the look that fits a terminal.
func LookOf(s term.Streams) (Look, error) { return lookOf(request{style: Auto}, s) }

package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/term"
)

const (
	widest  = 100      // the maximum default width: longer lines are hard to read
	largest = 16 << 20 // the maximum size of a document in bytes; a checkpoint has some thousand bytes

	// For some Markdown the parsers take minutes. After this time the unrendered text is shown.
	patience = 5 * time.Second
)

// Main draws the Markdown on standard input. It prints the error if there is one, and returns the exit code.
func Main(ctx context.Context, s term.Streams) int {
	err := run(ctx, s)
	if err == nil {
		return 0
	}
	fmt.Fprintf(s.Err, "%s: %s\n", term.Viewer, term.Plain(err.Error()))
	return fault.KindOf(err).ExitCode()
}

func run(ctx context.Context, s term.Streams) error {
	markdown, err := io.ReadAll(io.LimitReader(s.In, largest+1))
	switch {
	case err != nil:
		return fault.New(fault.Failed, "read standard input: %w", err)
	case len(markdown) > largest:
		return fault.New(fault.Unsupported, "read standard input: larger than %d MiB", largest>>20)
	}
	look, err := LookOf(s)
	if err != nil {
		return err
	}
	page, err := RenderSoon(ctx, string(markdown), look)
	if err != nil { // a text without colours is better than none
		fmt.Fprintf(s.Err, "%s: %s: this is its bare text\n", term.Viewer, term.Plain(err.Error()))
		page = term.Plain(string(markdown))
	}
	return term.Page(ctx, s, page)
}

// RenderSoon renders as Render does, for a user who waits. If that takes longer than patience, it returns an error,
// and the rendering continues in the background.
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

// LookOf returns the look that fits a terminal.
func LookOf(s term.Streams) (Look, error) {
	style, err := choose(s)
	return Look{Style: style, Width: max(min(s.Width(), widest), MinWidth), Colors: colors(s)}, err
}

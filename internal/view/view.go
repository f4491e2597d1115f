// Package view renders Markdown on a terminal, or as plain text: headings, tables and code, in
// colour.
//
// Everything in a document is visible, and nothing in it controls the terminal. Escape sequences and control characters
// are removed before rendering, also if they are written as character references, and HTML tags are shown as text.
// Comments are omitted, as in any rendering of Markdown. The package writes no file and queries only the terminal.
//
// It links a Markdown renderer and a syntax highlighter, which take milliseconds at every
// start. So it has an executable of its own, cmd/ckpt-view.
package view

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/charmbracelet/glamour"
	"github.com/muesli/termenv"

	"example.com/ckpt/internal/term"
)

// Look determines how a document is drawn.
type Look struct {
	Style  Style           // Dark, Light or Plain; required
	Width  int             // the number of columns to fill, at least MinWidth; required
	Colors termenv.Profile // what the terminal can show; ignored by Plain
}

// MinWidth is the narrowest page on which tables and margins leave space for text.
const MinWidth = 20

// Render renders Markdown, with its frontmatter as a list above the rest. The result has no escape
// sequences other than colours and weights, and none at all with Plain. If the renderer fails, the
// error has the reason.
func Render(markdown string, look Look) (drawn string, err error) {
	defer func() { // an error of the renderer must not end the program
		if cause := recover(); cause != nil {
			drawn, err = "", fmt.Errorf("draw the document: %v", cause)
		}
	}()
	if look.Style == Plain {
		look.Colors = termenv.Ascii
	}
	renderer, err := glamour.NewTermRenderer(
		glamour.WithStyles(config(look.Style)),
		glamour.WithWordWrap(look.Width),
		glamour.WithColorProfile(look.Colors),
		glamour.WithChromaFormatter(formatter(look.Colors)),
	)
	if err != nil {
		return "", fmt.Errorf("draw the document: %w", err)
	}
	body, err := defuse(frontAsList(term.Plain(markdown)))
	if err != nil {
		return "", fmt.Errorf("draw the document: %w", err)
	}
	// glamour would wrap at the hyphens of ids and of names of files
	body = hyphen.ReplaceAllStringFunc(body, func(found string) string {
		if found == "-" {
			return noBreak
		}
		return found
	})
	page, err := renderer.Render(body)
	if err != nil {
		return "", fmt.Errorf("draw the document: %w", err)
	}
	page = strings.ReplaceAll(term.PlainKeepColor(page), noBreak, "-")
	return tidy(page), nil
}

// hyphen matches the hyphens inside words. It also matches addresses, whose hyphens stay as they are.
var hyphen = regexp.MustCompile(`https?://\S+|\b-\b`)

// noBreak is a character for private use that replaces a hyphen while a text is drawn.
const noBreak = "\ue02d"

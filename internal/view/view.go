// Package view draws Markdown for eyes: headings, tables and code in colour, on
// a terminal or as plain text.
//
// It promises that what a document says is seen, and that nothing of it is
// obeyed: escape sequences and control characters are removed before anything is
// drawn, written as character references too, and HTML tags show as the text
// that they are. Comments are left out, as Markdown means them. It changes no
// file and asks nobody but the terminal.
//
// It links a Markdown renderer and a highlighter, which cost milliseconds at
// every start. That is why it has an executable of its own, cmd/ckpt-view.
package view

import (
	"fmt"

	"github.com/charmbracelet/glamour"
	"github.com/muesli/termenv"

	"example.com/ckpt/internal/term"
)

// Look is how a document is drawn.
type Look struct {
	Style  Style           // required: Dark, Light or Plain
	Width  int             // required: columns to fill, at least MinWidth
	Colors termenv.Profile // what the terminal can show; ignored by Plain
}

// MinWidth is the narrowest page that tables and margins leave room for text in.
const MinWidth = 20

// Render draws Markdown, its frontmatter as a table above the rest. The result
// holds no escape sequence but colours and weights; with Plain not even these.
// Where the renderer gives up, the error says why and nothing is drawn.
func Render(markdown string, look Look) (drawn string, err error) {
	defer func() { // documents come from anywhere; a bug in drawing them is not fatal
		if cause := recover(); cause != nil {
			drawn, err = "", fmt.Errorf("draw the document: %v", cause)
		}
	}()
	if look.Style == Plain {
		look.Colors = termenv.Ascii
	}
	front, body := cutFront(term.Plain(markdown))
	renderer, err := glamour.NewTermRenderer(
		glamour.WithStyles(config(look.Style)),
		glamour.WithWordWrap(look.Width),
		glamour.WithColorProfile(look.Colors),
		glamour.WithChromaFormatter(formatter(look.Colors)),
	)
	if err != nil {
		return "", fmt.Errorf("draw the document: %w", err)
	}
	body, err = defuse(body)
	if err != nil {
		return "", fmt.Errorf("draw the document: %w", err)
	}
	page, err := renderer.Render(body)
	if err != nil {
		return "", fmt.Errorf("draw the document: %w", err)
	}
	return join(drawFront(front, look), tidy(term.PlainKeepColor(page))), nil
}

// join puts a blank line between the parts that are there.
func join(front, page string) string {
	if front == "" || page == "" {
		return front + page
	}
	return front + "\n" + page
}

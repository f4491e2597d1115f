package output

import "example.com/ckpt/internal/term"

// ink is text that may go to a terminal as it is: made harmless first, then
// coloured by us. A plain string is nothing of the sort: it may come from a file.
type ink string

// pen gives ink.
type pen struct{ style term.Style }

func (p Text) pen() pen { return pen{p.Streams.Style()} }

func (p pen) Plain(text string) ink  { return ink(term.Plain(text)) }
func (p pen) Bold(text string) ink   { return ink(p.style.Bold(term.Plain(text))) }
func (p pen) Dim(text string) ink    { return ink(p.style.Dim(term.Plain(text))) }
func (p pen) Dimmed(text ink) ink    { return ink(p.style.Dim(string(text))) }
func (p pen) Red(text string) ink    { return ink(p.style.Red(term.Plain(text))) }
func (p pen) Yellow(text string) ink { return ink(p.style.Yellow(term.Plain(text))) }
func (p pen) Green(text string) ink  { return ink(p.style.Green(term.Plain(text))) }

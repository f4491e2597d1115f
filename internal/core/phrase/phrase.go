// Package phrase is what sentences are put together from.
package phrase

import (
	"strconv"
	"strings"
)

// Count is a number of things in words: "1 delta", "3 deltas". Of a thing "of"
// another the first is the one that is counted: "2 lines of prose".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	thing, of, found := strings.Cut(what, " of ")
	if found {
		of = " of " + of
	}
	return strconv.Itoa(n) + " " + thing + "s" + of
}

// FirstLine is the first line of a text that is not blank, without the space around it.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}

// OneLine is a text without its line breaks, with one space between any two words.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Paragraph is the first paragraph of a text, on one line.
func Paragraph(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	return OneLine(first)
}

// Sentence is the first sentence of a line: to the first . ! or ? that stands, with what
// closes quotes, brackets and emphasis behind it, before a space or the end, and ends no
// abbreviation. Where there is none it is the line, and whole is false.
func Sentence(line string) (sentence string, whole bool) {
	for i := range len(line) {
		if strings.IndexByte(".!?", line[i]) < 0 {
			continue
		}
		end := len(line) - len(strings.TrimLeft(line[i+1:], "\"')]*_"))
		if end < len(line) && line[end] != ' ' {
			continue
		}
		head := line[:end]
		switch strings.ToLower(head[strings.LastIndexAny(head, " (")+1:]) {
		case "e.g.", "i.e.", "etc.", "vs.", "cf.", "ca.", "no.":
			continue
		}
		return head, true
	}
	return line, false
}

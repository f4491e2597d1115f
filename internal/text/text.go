// Package text has functions for the words of messages and answers: counts,
// first lines and sentences, shortened lines, names of people, ages, and regular
// expressions that are compiled on first use. It knows nothing of Markdown or of
// checkpoints.
package text

import (
	"strconv"
	"strings"
	"unicode"
)

// Count returns a number with a noun: "1 delta", "3 deltas". In "line of prose" the first word gets
// the plural: "2 lines of prose".
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

// List returns the first names, at most the given number, and how many more there are: "a, b and 3 more".
func List(names []string, most int) string {
	list := strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		list += " and " + strconv.Itoa(more) + " more"
	}
	return list
}

// FirstLine returns the first line of s that is not blank, without the space around it.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

// OneLine returns s on one line, with one space between any two words.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Printable returns s without control characters except line breaks and tabs, since commit messages go to terminals.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}

// ShellQuoted returns s as one argument of a shell command, quoted if necessary.
func ShellQuoted(s string) string {
	if !strings.ContainsAny(s, " \t\n'\"`$&;()<>|*?[#~!\\") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Paragraph returns the first paragraph of s on one line.
func Paragraph(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n\n")
	return OneLine(first)
}

// Sentence returns the first sentence of a line: up to the first . ! or ? before a space or the
// end, with the closing quotes, brackets and emphasis behind it. Abbreviations do not end a
// sentence. If no sentence ends, it returns the whole line and false.
func Sentence(line string) (sentence string, ends bool) {
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

// Shorten returns s with at most the given number of characters. It cuts a longer text as [Cut] does.
func Shorten(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return Cut(string(runes[:most-1]))
}

// Cut adds "…" to head, the beginning of a longer text. If the second half of head has a space, head is cut
// there; otherwise, if that half has a slash, it is cut behind the slash.
func Cut(head string) string {
	if i := strings.LastIndexByte(head, ' '); i > len(head)/2 {
		head = head[:i]
	} else if i := strings.LastIndexByte(head, '/'); i > len(head)/2 {
		return head[:i+1] + "…"
	}
	return strings.TrimRight(head, " ,;:.") + "…"
}

// Person returns the name of an author for use in a sentence: "Ann <ann@example.com>". The name and
// address of a commit can be any text, and a model may read the sentence. So only letters, digits
// and the punctuation of names are kept.
func Person(name, email string) string {
	name, email = plainName(name), plainName(email)
	switch {
	case email == "":
		return name
	case name == "":
		return "<" + email + ">"
	}
	return name + " <" + email + ">"
}

// address matches a plain e-mail address that leaves no room for a sentence.
var address = Regexp(`^[\w.+-]{1,32}@[\w-]+(?:\.[\w-]+){0,4}$`)

// Address returns an e-mail address for a text that a model reads, or "" if it is not plain and short.
func Address(email string) string {
	if len(email) > 50 || !address.Get().MatchString(email) {
		return ""
	}
	return email
}

func plainName(s string) string {
	const most = 50
	return Shorten(OneLine(strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case unicode.IsLetter(c), unicode.IsDigit(c), unicode.IsMark(c), strings.ContainsRune(".,'’-_+@()[]", c):
			return c
		}
		return -1
	}, strings.ToValidUTF8(s, ""))), most)
}

package checkpoint

import "strings"

// isWhite says whether c separates words within a line.
func isWhite(c byte) bool { return c == ' ' || c == '\t' || c == '\f' || c == '\r' || c == '\n' }

// trimWhite is text without the white space before it.
func trimWhite(text string) string {
	for text != "" && isWhite(text[0]) {
		text = text[1:]
	}
	return text
}

// fieldOf reads `- **Outcome**: text`, with or without its bullet. A name that the
// format knows needs no bold: `- Outcome: text`. The name is "" where a line is
// no field.
func fieldOf(line string) (name, value string, bullet bool) {
	text := trimWhite(line)
	if len(text) > 1 && strings.IndexByte("-*+", text[0]) >= 0 && isWhite(text[1]) {
		text, bullet = trimWhite(text[1:]), true
	}
	if name, value = boldField(text); name == "" {
		name, value = plainField(text)
	}
	return name, value, bullet
}

// boldField reads `**Name**: value`; the colon may stand within the bold, or miss.
func boldField(text string) (name, value string) {
	text, bold := strings.CutPrefix(text, "**")
	n := 0
	for n < len(text) && (isLetter(text[n]) || n > 0 && text[n] == ' ') {
		n++
	}
	rest, closed := strings.CutPrefix(strings.TrimPrefix(text[n:], ":"), "**")
	if !bold || !closed {
		return "", ""
	}
	rest = strings.TrimPrefix(trimWhite(rest), ":")
	return text[:n], trimWhite(rest)
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// plainField reads `Name: value` and `_Name_: value` for the names that a
// Completion has.
func plainField(text string) (name, value string) {
	text = strings.TrimPrefix(text, "_")
	for _, known := range fieldNames {
		if n := len(known); len(text) > n && strings.EqualFold(text[:n], known) {
			rest, ok := strings.CutPrefix(trimWhite(strings.TrimPrefix(text[n:], "_")), ":")
			if value = trimWhite(rest); ok && (rest == "" || value != rest) {
				return text[:n], value
			}
		}
	}
	return "", ""
}

// isSubheading says whether a line is a heading with hashes.
func isSubheading(line string) bool {
	text := strings.TrimLeft(line, " ")
	rest := strings.TrimLeft(text, "#")
	level := len(text) - len(rest)
	return len(line)-len(text) < 4 && 0 < level && level < 7 && (rest == "" || isWhite(rest[0]))
}

// afterMarker is where the text of a list's item begins on its first line, -1
// where the line is none.
func afterMarker(line string) int {
	text := trimWhite(line)
	rest := strings.TrimLeft(text, "0123456789")
	if rest == "" || len(rest) == len(text) && strings.IndexByte("-*+", rest[0]) < 0 || len(rest) < len(text) && strings.IndexByte(".)", rest[0]) < 0 {
		return -1
	}
	rest = rest[1:]
	if text = trimWhite(rest); text == rest {
		return -1
	}
	return len(line) - len(text)
}

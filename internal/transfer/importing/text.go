package importing

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// byteOrderMark begins some files in UTF-8.
const byteOrderMark = "\xef\xbb\xbf"

// plainText returns the text of a file with line feeds at the ends of its lines. It refuses binary and empty files.
func plainText(src []byte) (string, error) {
	if bytes.HasPrefix(src, []byte("SQLite format 3\x00")) {
		return "", fault.New(fault.Invalid, "this is a database of SQLite").
			WithHint("sqlite3 -json FILE 'SELECT * FROM checkpoints' | ckpt import -")
	}
	if line, what := NotText(src); what != "" {
		return "", fault.New(fault.Invalid, "line %d: %s; Markdown in UTF-8 is expected", line, what)
	}
	text := strings.TrimPrefix(string(src), byteOrderMark)
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	if strings.TrimSpace(text) == "" {
		return "", fault.New(fault.Invalid, "it is empty")
	}
	return text, nil
}

// NotText returns the first line of a file that is not UTF-8 text, and the reason. The reason is empty if the whole
// file is text.
func NotText(src []byte) (line int, what string) {
	if bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")) {
		return 1, "this is UTF-16"
	}
	line = 1
	for at := 0; at < len(src); {
		r, size := utf8.DecodeRune(src[at:])
		switch {
		case r == 0:
			return line, "a zero byte: this is not text"
		case r == utf8.RuneError && size == 1:
			return line, fmt.Sprintf("the byte %#02x is not UTF-8", src[at])
		case r == '\n':
			line++
		}
		at += size
	}
	return 0, ""
}

var unprintable = text.Regexp("[\x00-\x1f\x7f<>]")

// oneLine returns a name without line ends, control characters and angle brackets.
func oneLine(name string) string { return text.OneLine(unprintable.Get().ReplaceAllString(name, "_")) }

// countLines returns the number of lines of a text that are neither blank nor rules.
func countLines(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if !isRule(strings.TrimSpace(line)) {
			n++
		}
	}
	return n
}

// isRule reports whether a line is blank, or only draws a rule, as --- and ***** do.
func isRule(line string) bool {
	bare := strings.Join(strings.Fields(line), "")
	return bare == "" || strings.Contains("-*_=#", bare[:1]) && strings.Trim(bare, bare[:1]) == ""
}

// lost returns the first word that a document has fewer times than a text, or "".
func lost(text string, made *doc.Doc) string {
	have := map[string]int{}
	for word := range strings.FieldsSeq(strings.ReplaceAll(string(made.Bytes()), "：", " ")) {
		have[bare(word)]++
	}
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, "：", " ")) {
		key := bare(word)
		if key != "" && have[key] == 0 {
			return word
		}
		have[key]--
	}
	return ""
}

// bare returns a word without the marks of headings, lists and emphasis.
func bare(word string) string {
	word = strings.Trim(word, "#-=_*+<>`~\\")
	number := strings.TrimRight(word, ".)")
	if isMarker := number != word && strings.Trim(number, "0123456789") == ""; isMarker {
		return ""
	}
	return word
}

package importing

import (
	"bytes"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// byteOrderMark begins some files in UTF-8.
const byteOrderMark = "\xef\xbb\xbf"

// plainText returns the text of a file with line feeds at the ends of its lines. It refuses
// a file that is not text.
func plainText(src []byte) (string, error) {
	if bytes.HasPrefix(src, []byte("SQLite format 3\x00")) {
		return "", fault.New(fault.Invalid, "this is a database of SQLite").
			WithHint("sqlite3 -json FILE 'SELECT * FROM checkpoints' | ckpt import -")
	}
	if line, what := NotText(src); what != "" {
		return "", fault.New(fault.Invalid, "line %d: %s; Markdown in UTF-8 is expected", line, what)
	}
	text := plainLines(strings.TrimPrefix(string(src), byteOrderMark))
	if strings.TrimSpace(text) == "" {
		return "", fault.New(fault.Invalid, "there is nothing in it")
	}
	return text, nil
}

// plainLines returns a text with line feeds at the ends of its lines.
func plainLines(text string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
}

// NotText returns the line at which a file stops being UTF-8 text, and the reason, which is empty
// if all of it is text.
func NotText(src []byte) (line int, what string) {
	if bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")) {
		return 1, "this is UTF-16"
	}
	at := bytes.IndexByte(src, 0)
	if at >= 0 {
		return lineAt(src, at), "a zero byte: this is not text"
	}
	at = 0
	for at < len(src) {
		r, size := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && size == 1 {
			return lineAt(src, at), fmt.Sprintf("the byte %#02x is not UTF-8", src[at])
		}
		at += size
	}
	return 0, ""
}

func lineAt(src []byte, at int) int { return bytes.Count(src[:at], []byte("\n")) + 1 }

// oneLine returns a name without line ends, control characters and angle brackets.
func oneLine(name string) string {
	name = strings.Map(func(r rune) rune {
		if control := r < ' ' || r == 0x7f; control || r == '<' || r == '>' {
			return '_'
		}
		return r
	}, name)
	return text.OneLine(name)
}

// countLines returns the number of lines of a text that are not blank and do not only separate others.
func countLines(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if !isRule(strings.TrimSpace(line)) {
			n++
		}
	}
	return n
}

// isRule reports whether a line is blank or only separates others.
func isRule(line string) bool {
	bare := strings.Join(strings.Fields(line), "")
	return bare == "" || strings.Contains("-*_=#", bare[:1]) && strings.Trim(bare, bare[:1]) == ""
}

// Lost returns the words of a text that a document lacks, each as many times as it is missing. The marks of
// headings, lists and emphasis do not count.
func Lost(text string, made *doc.Doc) []string {
	have := map[string]int{}
	for word := range words(string(made.Bytes())) {
		have[word]++
	}
	var lost []string
	for word := range words(text) {
		if have[word] == 0 {
			lost = append(lost, word)
			continue
		}
		have[word]--
	}
	return lost
}

// words iterates over the words of Markdown.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.FieldsSeq(text) {
			word = strings.Trim(word, "#-=_*+>`~\\")
			bare := strings.TrimRight(word, ".)")
			isMarker := strings.Trim(bare, "0123456789") == "" && bare != word
			if word != "" && !isMarker && !yield(word) {
				return
			}
		}
	}
}

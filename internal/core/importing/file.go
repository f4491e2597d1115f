package importing

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
)

// file is a file of a source, read.
type file struct {
	name  string // in its folder, "" for a source that is a file
	front string // the frontmatter, fences included, where only its writer knows what it means
	doc   *doc.Doc
	given *doc.Doc                   // the whole file, where its frontmatter can be read
	means map[string]checkpoint.Kind // what headings mean in a file of its kind, in lower case
}

// open reads a file. Frontmatter that is no YAML is text like any other, unless it is
// a checkpoint's.
func open(name, text string) (file, error) {
	if _, err := checkpoint.Parse("", []byte(text)); errors.Is(err, checkpoint.ErrConflict) {
		return file{}, err
	}
	f := file{name: name}
	whole, err := doc.Parse([]byte(text))
	if err == nil {
		f.given = whole
		f.front = whole.Slice(whole.Front.Span)
	} else if f.front = fenced(text); isHeader(f.front) || f.front == "" && isHeader(text) {
		return file{}, err
	} // else it begins with a rule, or with what its writer alone can read
	// A blank line first: what follows frontmatter is none, whatever it looks like.
	if f.doc, err = doc.Parse([]byte("\n" + text[len(f.front):])); err != nil {
		return file{}, err
	}
	f.front = strings.TrimRight(f.front, "\n")
	return f, nil
}

// fenced is the frontmatter of a text that nobody could read, "" where there is none.
func fenced(text string) string {
	if !strings.HasPrefix(text, "---\n") {
		return ""
	}
	end := strings.Index(text[4:], "\n---\n")
	if end < 0 {
		return ""
	}
	return text[:4+end+5]
}

// isHeader says whether frontmatter means to be a checkpoint's.
func isHeader(front string) bool {
	return strings.HasPrefix(front, "checkpoint:") || strings.Contains(front, "\ncheckpoint:")
}

// isCheckpoint says whether a file is one in the format, with or without its header:
// what has most of the required sections under the names that the format gives them,
// or the heading above them that is the format's alone.
func (f file) isCheckpoint() bool {
	if f.given == nil {
		return false
	}
	if id, ok := f.given.Front.Get("checkpoint"); ok && strings.TrimSpace(id) != "" {
		return true
	}
	have := map[checkpoint.Kind]bool{}
	for _, s := range f.doc.Sections() {
		k, known := checkpoint.KindNamed(s.Title)
		if known && (k.Template().Required || k == checkpoint.Essential) && strings.EqualFold(s.Title, k.String()) {
			have[k] = true
		}
	}
	return (len(have) >= 5 || have[checkpoint.Essential]) && (have[checkpoint.Problem] || have[checkpoint.Intent])
}

// title is the one heading of the first level that the file begins with, where it
// has one: its name, and no section.
func (f file) title() (doc.Section, bool) {
	var title doc.Section
	n := 0
	for i, s := range f.doc.Sections() {
		if s.Level == 1 {
			n++
			if i == 0 && f.doc.Content(f.doc.Preamble()).Len() == 0 {
				title = s
			}
		}
	}
	return title, n == 1 && title.Level == 1
}

// NotText says on which line a file stops being text in UTF-8, and how; "" where it
// does not.
func NotText(src []byte) (line int, what string) {
	switch {
	case isUTF16(src):
		return 1, "this is UTF-16"
	case bytes.IndexByte(src, 0) >= 0:
		return lineAt(src, bytes.IndexByte(src, 0)), "a zero byte: this is no text"
	case utf8.Valid(src):
		return 0, ""
	}
	at := 0
	for at < len(src) {
		r, size := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return lineAt(src, at), fmt.Sprintf("the byte %#02x is no UTF-8", src[at])
}

// byteOrderMark begins some files in UTF-8.
const byteOrderMark = "\xef\xbb\xbf"

func isUTF16(src []byte) bool {
	return bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff"))
}

func lineAt(src []byte, at int) int { return bytes.Count(src[:at], []byte("\n")) + 1 }

// isLedger says whether a file is called as lists of learnings are.
func isLedger(name string) bool {
	stem := strings.ToLower(path.Base(name))
	return strings.HasPrefix(stem, "learnings") || strings.HasPrefix(stem, "lessons")
}

// from is the name of a file as text beside its words.
func (f file) from(source string) string {
	if f.name != "" {
		return oneLine(f.name)
	}
	return oneLine(path.Base(source))
}

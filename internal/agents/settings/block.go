package settings

import (
	"bytes"
	"strings"
)

// marks are the lines between which the text of ours stands.
type marks struct{ begin, end string }

// blockEnd is the last line of our text in a file of instructions.
const blockEnd = "<!-- ckpt:end -->"

var (
	markdownMarks = marks{"<!-- ckpt:begin -->", blockEnd}
	tomlMarks     = marks{"# ckpt:begin", "# ckpt:end"}
)

// block is a part of a file that belongs to somebody else.
type block struct {
	place
	text  string // sealed, between its markers, without a last line break
	marks marks
}

// span is where the block stands: its lines, the last line break not included.
// from is -1 where there is none.
func (b block) span(src []byte) (from, to int, err error) {
	from, to = -1, -1
	at := 0
	for line := range bytes.Lines(src) {
		switch text := strings.TrimRight(string(line), "\r\n"); {
		case text == b.marks.begin && from < 0:
			from = at
		case text == b.marks.end && from >= 0 && to < 0:
			to = at + len(text)
		case text == b.marks.begin, text == b.marks.end:
			return 0, 0, invalid(src, at, "%s stands where it does not belong", text)
		}
		at += len(line)
	}
	if from >= 0 && to < 0 {
		return 0, 0, invalid(src, from, "%s has no %s", b.marks.begin, b.marks.end)
	}
	return from, to, nil
}

// State implements [Piece].
func (b block) State(src []byte) (State, string, error) {
	from, to, err := b.span(src)
	if err != nil || from < 0 {
		return Absent, "", err
	}
	switch text := strings.ReplaceAll(string(src[from:to]), "\r\n", "\n"); {
	case text == b.text:
		return Present, "", nil
	case intact(text):
		return Stale, "another version of ckpt wrote the block", nil
	}
	return Edited, "somebody has written in the block", nil
}

// Add implements [Piece]. The block comes last, below an empty line. A file that does
// not end with a line break does not afterwards: so Drop knows what was there.
func (b block) Add(src []byte) ([]byte, error) {
	state, _, err := b.State(src)
	if err != nil || state == Present || state == Edited {
		return src, err
	}
	nl := newline(src)
	text := strings.ReplaceAll(b.text, "\n", nl)
	if from, to, _ := b.span(src); from >= 0 {
		return apply(src, []splice{{from, to, text}}), nil
	}
	switch {
	case src == nil:
		return []byte(text + nl), nil
	case bytes.HasSuffix(src, []byte("\n")):
		text = nl + text + nl
	default:
		text = nl + nl + text
	}
	return append(bytes.Clone(src), text...), nil
}

// Drop implements [Piece].
func (b block) Drop(src []byte) ([]byte, error) {
	state, _, err := b.State(src)
	if err != nil || state == Absent || state == Edited {
		return src, err
	}
	from, to, _ := b.span(src)
	before, after := src[:from], src[to:]
	nl := []byte(newline(src[from:to]))
	if len(after) == 0 {
		before = bytes.TrimSuffix(before, nl)
	}
	before = bytes.TrimSuffix(before, nl)
	after = bytes.TrimPrefix(after, nl)
	if from == 0 && len(after) == 0 {
		return nil, nil
	}
	return append(bytes.Clone(before), after...), nil
}

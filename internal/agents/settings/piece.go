package settings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
)

// State is the state of a piece in a file.
type State string

// The states. A stale piece was written by another version of ckpt, or for another folder. A user has changed
// an edited piece, which setup and unsetup therefore leave alone.
const (
	Absent  State = "absent"
	Present State = "present"
	Stale   State = "stale"
	Edited  State = "edited"
)

// Piece is one thing that connects an agent or git with ckpt, such as hooks,
// instructions or a skill. It is a part of one file, or a whole file.
type Piece struct {
	What string // the name: "hooks"
	Path string // slash path, absolute or from the repository's root
	Top  string // a folder above the file, which is never removed; empty means the root
	part part
}

// part is how a piece is written in a file. In its methods a nil slice means that the
// file does not exist.
type part interface {
	// state returns the part's state in a file, and a remark on it.
	state(src []byte) (State, string, error)
	// add returns the file with the part, which is absent or stale in src.
	add(src []byte) ([]byte, error)
	// drop returns the file without the part, which is present or stale in src.
	drop(src []byte) ([]byte, error)
}

// State returns the state of the piece in a file, and a remark on it. Src is nil if the file does
// not exist.
func (p Piece) State(src []byte) (State, string, error) { return p.part.state(src) }

// Add returns the file with the piece. It does not change a piece that is present or edited.
func (p Piece) Add(src []byte) ([]byte, error) {
	before, _, err := p.State(src)
	if err != nil || before == Present || before == Edited {
		return src, err
	}
	after, err := p.part.add(src)
	if err != nil {
		return nil, err
	}
	if _, _, err := p.State(after); err != nil { // in TOML, a table cannot add to an inline table
		return nil, fault.New(fault.Invalid, "it would be invalid with ckpt's part (%s): %w", p.What, err)
	}
	return after, nil
}

// Drop returns the file without the piece, or nil if the file is to be removed. The result equals the file
// before Add, except that a file without content is removed. An edited piece stays. Drop refuses a file that
// cannot be parsed only if the file contains the word ckpt, as each piece does.
func (p Piece) Drop(src []byte) ([]byte, error) {
	state, _, err := p.State(src)
	if err != nil && !bytes.Contains(src, []byte("ckpt")) {
		return src, nil
	}
	if err != nil || state == Absent || state == Edited {
		return src, err
	}
	return p.part.drop(src)
}

// A text that ckpt writes for people has a seal: a short hash of its other text. As long as the hash is
// right, no user has edited the text, and any version of ckpt may replace or remove it.
const (
	sealBefore = "made by ckpt setup ("
	sealAfter  = "); ckpt unsetup removes it"
)

// sealed returns a text with its seal in place of %SEAL%.
func sealed(text string) string {
	return strings.Replace(text, "%SEAL%", sealBefore+hash(text)+sealAfter, 1)
}

// isIntact reports whether the hash in a text's seal is right.
func isIntact(text string) bool {
	before, rest, _ := strings.Cut(text, sealBefore)
	sum, after, ok := strings.Cut(rest, sealAfter)
	return ok && hash(before+"%SEAL%"+after) == sum
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(text)))
	return hex.EncodeToString(sum[:4])
}

// sealState returns the state of a text that should equal want, apart from line ends, and a remark on it. Where
// names the text in the remark.
func sealState(text, want, where string) (State, string, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	switch {
	case text == want:
		return Present, "", nil
	case isIntact(text):
		return Stale, where + " is from another version of ckpt or names another folder", nil
	}
	return Edited, where + " was edited by hand", nil
}

// whole is a sealed text that is a file of its own: a skill, a plugin, rules.
type whole string

func (w whole) state(src []byte) (State, string, error) {
	if src == nil {
		return Absent, "", nil
	}
	return sealState(string(src), string(w), "it")
}

func (w whole) add([]byte) ([]byte, error) { return []byte(w), nil }

func (w whole) drop([]byte) ([]byte, error) { return nil, nil }

// block is a sealed text between two marker lines, at the end of a file that also has other text. In a
// shell script it comes first, because a script may exit before its last line.
type block struct {
	begin, end string // the two marker lines
	text       string // includes both marker lines, but not the last line break
	isScript   bool
	// foreign reports whether the rest of the file already does what the block is for, and fails for a
	// file that the agent cannot read. It may be nil.
	foreign func(src []byte) (bool, error)
	remark  string // shown if foreign is true
}

// span returns the offsets of the block in a file, without its last line break. From is -1 if the file has no block.
func (b block) span(src []byte) (from, to int, err error) {
	from, to = -1, -1
	at := 0
	for line := range bytes.Lines(src) {
		text := strings.TrimRight(string(line), "\r\n")
		switch {
		case text == b.begin && from < 0:
			from = at
		case text == b.end && from >= 0 && to < 0:
			to = at + len(text)
		case text == b.begin, text == b.end:
			line := 1 + bytes.Count(src[:at], []byte("\n"))
			return 0, 0, fault.New(fault.Invalid, "line %d: misplaced %s", line, text)
		}
		at += len(line)
	}
	if from >= 0 && to < 0 {
		return 0, 0, fault.New(fault.Invalid, "%s without %s", b.begin, b.end)
	}
	return from, to, nil
}

func (b block) state(src []byte) (State, string, error) {
	from, to, err := b.span(src)
	isForeign := false
	if err == nil && b.foreign != nil {
		isForeign, err = b.foreign(src)
	}
	switch {
	case err != nil:
		return Absent, "", err
	case from >= 0:
		return sealState(string(src[from:to]), b.text, "the block")
	case isForeign:
		return Edited, b.remark, nil
	}
	return Absent, "", nil
}

// shebang is the first line of a script that ckpt creates.
const shebang = "#!/bin/sh\n"

// add puts the block after an empty line. If the file did not end with a line break, it does
// not end with one afterwards, so that drop can restore it.
func (b block) add(src []byte) ([]byte, error) {
	nl := newline(src)
	text := strings.ReplaceAll(b.text, "\n", nl)
	from, to, err := b.span(src)
	switch {
	case err != nil:
		return nil, err
	case from >= 0:
		return slices.Concat(src[:from], []byte(text), src[to:]), nil
	case b.isScript && src == nil:
		return []byte(shebang + text + nl), nil
	case b.isScript:
		first, rest := src[:0], src
		if bytes.HasPrefix(src, []byte("#!")) {
			line, _, _ := bytes.Cut(src, []byte("\n"))
			first, rest = append(bytes.Clone(line), '\n'), src[min(len(line)+1, len(src)):]
		}
		return slices.Concat(first, []byte(text+nl), rest), nil
	case src == nil:
		return []byte(text + nl), nil
	case bytes.HasSuffix(src, []byte("\n")):
		text = nl + text + nl
	default:
		text = nl + nl + text
	}
	return append(bytes.Clone(src), text...), nil
}

func (b block) drop(src []byte) ([]byte, error) {
	from, to, err := b.span(src)
	if err != nil {
		return nil, err
	}
	before, after := src[:from], src[to:]
	nl := []byte(newline(src[from:to]))
	if !b.isScript {
		if len(after) == 0 {
			before = bytes.TrimSuffix(before, nl)
		}
		before = bytes.TrimSuffix(before, nl)
	}
	rest := slices.Concat(before, bytes.TrimPrefix(after, nl))
	if len(rest) == 0 || b.isScript && string(rest) == shebang {
		return nil, nil
	}
	return rest, nil
}

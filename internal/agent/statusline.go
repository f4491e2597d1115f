package agent

import (
	"bytes"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/dialect"
	"example.com/ckpt/internal/core/fault"
)

// StatusPiece is what the status line of ckpt is called.
const StatusPiece = "status line"

// IsStatusLine reports whether a piece is an agent's status line.
func IsStatusLine(p Piece) bool { return p.What() == StatusPiece }

// statusKey is the member of the settings that names the command of the status line.
const statusKey = "statusLine"

// statusLine is the command in an agent's settings that prints its status line. There is one for
// all settings together, so it belongs to one person: in a project's settings it would
// replace the status lines of all who work there. Another command is the user's own.
type statusLine struct {
	place
	agent Agent
}

func (s statusLine) entry() item {
	return member(statusKey, object(member("type", scalar("command")), member("command", scalar(s.agent.call(dialect.StatusLine)))))
}

// read parses the file. ours is the member with the status line, nil for none.
func (s statusLine) read(src []byte) (root, ours *node, err error) {
	root, err = settings(s).read(src)
	if err != nil {
		return nil, nil, err
	}
	return root, root.member(statusKey), nil
}

// State implements [Piece].
func (s statusLine) State(src []byte) (State, string, error) {
	if blank(src) {
		return Absent, "", nil
	}
	_, found, err := s.read(src)
	if err != nil || found == nil {
		return Absent, "", err
	}
	if command := found.member("command"); command == nil || command.text(src) != s.agent.call(dialect.StatusLine) {
		return Edited, "it has a status line of its own", nil
	}
	return Present, "", nil
}

// Add implements [Piece].
func (s statusLine) Add(src []byte) ([]byte, error) {
	state, _, err := s.State(src)
	if err != nil || state != Absent {
		return src, err
	}
	var now []byte
	if blank(src) {
		text := object(s.entry())(layoutOf(src, nil), "")
		if src == nil {
			text += "\n"
		}
		now = append(bytes.Clone(src), text...)
	} else {
		root, _, err := s.read(src)
		if err != nil {
			return nil, err
		}
		now = apply(src, []splice{appended(src, root, root, layoutOf(src, root), []item{s.entry()})})
	}
	if state, said, err := s.State(now); err != nil || state != Present {
		return nil, fault.New(fault.Failed, "the edited settings would not do: %s", said)
	}
	if back, err := s.Drop(now); err != nil || !bytes.Equal(back, src) || (back == nil) != (src == nil) {
		return nil, fault.New(fault.Failed, "the edit of the settings could not be taken back")
	}
	return now, nil
}

// Drop implements [Piece].
func (s statusLine) Drop(src []byte) ([]byte, error) {
	state, _, err := s.State(src)
	if err != nil && !strings.Contains(string(src), s.agent.Mark()) {
		return src, nil
	}
	if err != nil || state != Present {
		return src, err
	}
	root, ours, err := s.read(src)
	if err != nil {
		return nil, err
	}
	c := cut{src: src, gone: map[*node]bool{ours: true}}
	if c.all(root) {
		return c.root(root), nil
	}
	c.take(root)
	slices.SortFunc(c.edits, func(a, b splice) int { return a.from - b.from })
	return apply(src, c.edits), nil
}

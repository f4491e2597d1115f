package settings

import (
	"strings"

	"example.com/ckpt/internal/agents/protocol"
)

// StatusPiece is the name of the piece with the status line.
const StatusPiece = "status line"

// IsStatusLine reports whether a piece is an agent's status line.
func IsStatusLine(p Piece) bool { return p.What() == StatusPiece }

// statusKey is the member of the settings that names the command of the status line.
const statusKey = "statusLine"

// statusLine is the command in an agent's settings that prints its status line. An agent
// shows one: in the settings of a project it would replace that of all who work there, so
// it goes into those of one person. Another command there is the user's own.
type statusLine struct {
	place
	agent Agent
}

func (s statusLine) entry() item {
	return member(statusKey, object(member("type", scalar("command")), member("command", scalar(s.agent.call(protocol.StatusLine)))))
}

// read parses the file. line is the member with a status line, nil for none.
func (s statusLine) read(src []byte) (root, line *node, err error) {
	root, err = settings(s).read(src)
	return root, root.member(statusKey), err
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
	if command := found.member("command"); command == nil || command.text(src) != s.agent.call(protocol.StatusLine) {
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
	if blank(src) {
		return verified(s, src, begun(src, s.entry()), state)
	}
	root, _, err := s.read(src)
	if err != nil {
		return nil, err
	}
	now := apply(src, []splice{appended(src, root, root, layoutOf(src, root), []item{s.entry()})})
	return verified(s, src, now, state)
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
	return c.result(root), nil
}

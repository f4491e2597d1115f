package settings

import "strings"

// whole is a file that is all ours: a skill, a plugin.
type whole struct {
	place
	text string // sealed
}

// State implements [Piece].
func (w whole) State(src []byte) (State, string, error) {
	switch text := strings.ReplaceAll(string(src), "\r\n", "\n"); {
	case src == nil:
		return Absent, "", nil
	case text == w.text:
		return Present, "", nil
	case intact(text):
		return Stale, "another version of ckpt wrote it", nil
	}
	return Edited, "somebody has written in it", nil
}

// Add implements [Piece].
func (w whole) Add(src []byte) ([]byte, error) {
	if state, _, _ := w.State(src); state == Present || state == Edited {
		return src, nil
	}
	return []byte(w.text), nil
}

// Drop implements [Piece].
func (w whole) Drop(src []byte) ([]byte, error) {
	if state, _, _ := w.State(src); state == Edited {
		return src, nil
	}
	return nil, nil
}

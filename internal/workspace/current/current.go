// Package current remembers which checkpoint was current before the present one.
package current

import (
	"path/filepath"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/text"
)

// Memory records in the git folder of a worktree which checkpoint was current before.
type Memory struct {
	Dir string // the folder for the record
}

// previousFile has the id of the previous current checkpoint and, on the second line, the time when
// another one became current.
func (m *Memory) previousFile() string { return filepath.Join(m.Dir, "previous") }

// Previous returns the id of the previous current checkpoint, or "" if it is not known.
func (m *Memory) Previous() string {
	src, err := disk.ReadFile(m.previousFile())
	if err != nil {
		return ""
	}
	return text.FirstLine(string(src))
}

// Moved returns the time when another checkpoint became current, or the zero time if it is not
// known.
func (m *Memory) Moved() time.Time {
	src, err := disk.ReadFile(m.previousFile())
	if err != nil {
		return time.Time{}
	}
	_, at, _ := strings.Cut(strings.TrimSpace(string(src)), "\n")
	moved, _ := checkpoint.ParseTime(at)
	return moved
}

// RememberPrevious records the checkpoint that was current until now, for `use -`. An error is
// ignored.
func (m *Memory) RememberPrevious(id string, now time.Time) {
	_ = disk.WriteFile(m.previousFile(), []byte(id+"\n"+checkpoint.FormatTime(now)+"\n"), false)
}

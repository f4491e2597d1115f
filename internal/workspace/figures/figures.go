// Package figures records what commands did and how long it took.
package figures

import (
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/stats"
)

// File is the file in the git folder in which commands record what they did and how long it
// took, one line each, for the clone and all its worktrees. It is never committed and contains no
// text of a checkpoint.
type File struct {
	Path string
	Now  func() time.Time
}

// maxFigures is the size in bytes above which the file is compacted: its last keptFigures lines
// stay, and the others are added up.
const (
	maxFigures  = 64 << 10
	keptFigures = 512
)

// Record records a command that began at the given time and has ended. It does nothing if the file cannot be written.
func (f File) Record(e stats.Entry, began time.Time) {
	e.At, e.Took, e.Count = f.Now(), time.Since(began), 1
	size, err := disk.Append(f.Path, e.Line(), 0o666)
	if err != nil || size <= maxFigures {
		return
	}
	if src, err := disk.ReadFile(f.Path); err == nil {
		// If this fails, the next command tries again.
		_ = disk.WriteFile(f.Path, stats.Parse(src).Compact(keptFigures), false)
	}
}

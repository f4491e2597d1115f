package workspace

import (
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/stats"
)

// Figures is the file in the git folder in which commands note what they did and how long it
// took, a line each, for the clone and all its worktrees. It is never committed and contains
// no text of a checkpoint.
type Figures struct {
	File string
	now  func() time.Time
}

// maxFigures is the size in bytes at which the file is cut to its last keptFigures lines and
// the sums of the others.
const (
	maxFigures  = 64 << 10
	keptFigures = 512
)

// Record notes a command that began at a time and is done. It does nothing if the file
// cannot be written.
func (f Figures) Record(e stats.Entry, began time.Time) {
	e.At, e.Took = f.now(), time.Since(began)
	size, err := disk.Append(f.File, e.Line())
	if err != nil || size <= maxFigures {
		return
	}
	if src, err := disk.ReadFile(f.File); err == nil {
		_ = disk.WriteFile(f.File, stats.Parse(src).Compact(keptFigures), false) // the next command tries again
	}
}

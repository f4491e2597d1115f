package workspace

import (
	"path/filepath"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/stats"
)

// What commands note of themselves lies in the git folder, for the clone and all its
// working trees: a line each, what was done and how long it took. Nothing of it is
// committed, and nothing of what is in a checkpoint is in it.

// figuresMost bounds that file, in bytes; figuresKept is how many lines stay when it
// is reached. What the others add up to stays, too.
const (
	figuresMost = 64 << 10
	figuresKept = 512
)

func (p *Workspace) FiguresFile() string { return filepath.Join(p.Repo.CommonDir(), "ckpt", "figures") }

// RecordFigure notes a command that is done. Where that cannot be written it is not noted.
func (p *Workspace) RecordFigure(e stats.Entry, began time.Time) {
	e.At, e.Took = p.Now(), time.Since(began)
	size, err := disk.Append(p.FiguresFile(), e.Line())
	if err != nil || size <= figuresMost {
		return
	}
	if src, err := disk.ReadFile(p.FiguresFile()); err == nil {
		_ = disk.WriteFile(p.FiguresFile(), stats.Parse(src).Compact(figuresKept), false) // the next one tries again
	}
}

// size is how many bytes an operation writes.
func (o *Tx) size() int { return o.Files.Size() }

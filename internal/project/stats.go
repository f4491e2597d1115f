package project

import (
	"context"
	"path/filepath"
	"strconv"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/learnings"
	"example.com/ckpt/internal/core/stats"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/store"
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

func (p *Project) figures() string { return filepath.Join(p.Repo.CommonDir(), "ckpt", "figures") }

// noted notes a command that is done. Where that cannot be written it is not noted.
func (p *Project) noted(e stats.Entry, began time.Time) {
	e.At, e.Took = p.Now(), time.Since(began)
	size, err := disk.Append(p.figures(), e.Line())
	if err != nil || size <= figuresMost {
		return
	}
	if src, err := disk.ReadFile(p.figures()); err == nil {
		_ = disk.WriteFile(p.figures(), stats.Parse(src).Compact(figuresKept), false) // the next one tries again
	}
}

// size is how many bytes an operation writes.
func (o *operation) size() int { return o.files.Size() }

// Stats are figures about all checkpoints: history's, the files', and what this clone
// has noted.
func (p *Project) Stats(ctx context.Context) (*stats.Figures, error) {
	set, err := p.read(ctx, store.All)
	if err != nil {
		return nil, err
	}
	content := stats.Content{Unreadable: len(set.Broken)}
	for _, c := range set.All {
		if c.Status() == checkpoint.Archived {
			content.Archived++
		} else {
			content.Active++
		}
		content.Bytes += len(c.Doc.Bytes())
		for _, d := range c.Decisions() {
			if !d.Live() {
				content.Superseded++
			} else {
				content.Decisions++
			}
		}
		if n, err := strconv.Atoi(c.Field("tokens_used")); err == nil && n > 0 {
			content.Tokens += n
		}
	}
	entries, err := p.entries(ctx)
	if err != nil {
		return nil, err
	}
	content.Learnings = len(learnings.List(entries))
	past, err := p.history(ctx, 0, func(past) bool { return true })
	if err != nil {
		return nil, err
	}
	var history []stats.Operation
	for _, o := range past {
		history = append(history, stats.Operation{Op: o.Op, At: o.Time.Time})
	}
	log, _ := disk.ReadFile(p.figures()) // none was noted, or it cannot be read: the rest is worth having
	return stats.Of(history, content, stats.Parse(log), p.Now()), nil
}

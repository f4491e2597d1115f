package query

import (
	"context"
	"strconv"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/stats"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Stats returns figures about all checkpoints: from history, from the files, and from the records
// of this clone.
func (p *Query) Stats(ctx context.Context) (*stats.Figures, error) {
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return nil, err
	}
	set := view.Set
	content := stats.Content{Files: stats.Files{Unreadable: len(set.Broken)}}
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
	all, err := view.Learnings()
	if err != nil {
		content.Unreadable++
	}
	content.Learnings = len(learnings.Unique(all))
	past, err := p.history.OnAllLines(ctx)
	if err != nil {
		return nil, err
	}
	var history []result.Operation
	for _, o := range past {
		if o.Op != workspace.OpInit {
			history = append(history, o.Operation)
		}
	}
	log, _ := disk.ReadFile(p.Figures.Path) // without recorded commands the other figures are still shown
	return stats.Of(history, content, stats.Parse(log), p.Now()), nil
}

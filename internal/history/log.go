package history

import (
	"context"

	"example.com/ckpt/internal/history/revisions"
)

// Log returns at most limit versions of a checkpoint, with the changes of each. A limit of 0 means
// all.
func (p *History) Log(ctx context.Context, name string, limit int) (*revisions.Log, error) {
	vs, err := p.Versions(ctx, name)
	if err != nil {
		return nil, err
	}
	list := vs.List
	if limit > 0 && len(list) > limit {
		list = list[:limit]
	}
	log := &revisions.Log{ID: vs.ID, Older: len(vs.List) - len(list)}
	log.Changes, err = vs.Changes(ctx, list)
	log.Edited = len(list) > 0 && vs.IsEdited()
	return log, err
}

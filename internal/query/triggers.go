package query

import (
	"context"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/policy"
)

// Triggers returns what Due does, with every trigger and the time at which a delta of the current
// checkpoint last named it. Unlike Due, it reads history.
func (p *Query) Triggers(ctx context.Context) (policy.Reminder, []policy.TriggerState, error) {
	answer, err := p.Due(ctx)
	if err != nil {
		return answer, nil, err
	}
	last := map[policy.Trigger]time.Time{}
	if answer.ID != "" {
		last, err = p.lastTriggers(ctx, answer.ID)
		if err != nil {
			return answer, nil, err
		}
	}
	return answer, answer.List(last), nil
}

// lastTriggers returns when deltas of a checkpoint last named each trigger, by its file and
// its versions in history. It skips versions that cannot be read.
func (p *Query) lastTriggers(ctx context.Context, id string) (map[policy.Trigger]time.Time, error) {
	last := map[policy.Trigger]time.Time{}
	note := func(c *checkpoint.Checkpoint) {
		if t := policy.Trigger(c.Field("trigger")); t != "" && c.Changed().After(last[t]) {
			last[t] = c.Changed()
		}
	}
	if c, err := p.history.Show(ctx, id); err == nil {
		note(c)
	}
	vs, err := p.history.VersionsOfID(ctx, id)
	if fault.KindOf(err) == fault.NotFound {
		return last, nil // the checkpoint is in no commit yet
	}
	if err != nil {
		return nil, err
	}
	var blobs []string
	for _, v := range vs.List {
		blobs = append(blobs, v.Blob)
	}
	if err := vs.Load(ctx, blobs...); err != nil {
		return nil, err
	}
	for _, v := range vs.List {
		c, err := vs.Checkpoint(ctx, v)
		if err != nil {
			continue
		}
		note(c)
	}
	return last, nil
}

package hooks

import (
	"context"
	"slices"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/resume"
	"example.com/ckpt/internal/workspace"
)

// recordUnrecorded writes the delta that other sessions left out, if config.yaml says so,
// before a session that starts gets the brief. While another session may be active, or
// if this one has such work itself, it writes none, and the brief names the work.
func (p *Handler) recordUnrecorded(ctx context.Context) error {
	policy, err := p.Policy(ctx)
	if err != nil || !policy.Recover || p.Repo.InProgress() != "" {
		return err
	}
	if err := p.recordOthers(ctx); err != nil {
		return fault.New(fault.KindOf(err), "record what other sessions did: %w", err)
	}
	return nil
}

// recordOthers writes the delta that other sessions left out.
func (p *Handler) recordOthers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, resume.RecoverWait)
	defer cancel()
	wait, cancelWait := context.WithTimeout(ctx, resume.RecoverLockWait)
	defer cancelWait()
	unlock, err := p.Repo.Lock(wait, disk.Exclusive) // of two sessions that start one writes
	if err != nil {
		if wait.Err() != nil {
			return nil // another ckpt is at work; the brief names what it leaves
		}
		return err
	}
	defer unlock()
	if record.Alive(p.SessionEntries(p.Now().Add(-resume.MayBeAlive)), p.Session, p.Now(), resume.MayBeAlive) {
		return nil
	}
	c, work, err := p.resume.WorkOfOthers(ctx)
	if len(work) == 0 || err != nil {
		return err
	}
	if slices.ContainsFunc(p.resume.Undescribed(c), func(w record.Work) bool { return w.Session == p.Session }) {
		return nil
	}
	if work[0].Last.After(p.Now()) { // the clock was wrong: after any delta it would be told again
		return nil
	}
	last, err := p.history.History(ctx, 1, func(o history.Past) bool { return o.ID == c.ID })
	if err != nil || len(last) > 0 && last[0].Op == workspace.OpUndo { // it may have undone this very delta
		return err
	}
	_, err = p.edit.Delta(ctx, edit.DeltaRequest{ID: c.ID, Recovered: true})
	return err
}

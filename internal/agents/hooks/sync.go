package hooks

import (
	"context"
	"time"

	"example.com/ckpt/internal/sync"
	"example.com/ckpt/internal/workspace"
)

// answerTime is the part of a hook's time that a sync leaves for the answer.
const answerTime = 500 * time.Millisecond

// syncLimit is how long a session waits for a sync at most.
const syncLimit = 2 * time.Second

// sync exchanges the checkpoints with the remote if config.yaml has `sync: session`. With onlyToSend, which is
// for the end of a turn or session, it does nothing unless there is something to send. It ignores failures: the
// next sync tries again, and the work does not need a network.
func (p *Handler) sync(ctx context.Context, onlyToSend bool) {
	cfg, err := p.Policy(ctx)
	if err != nil || !cfg.SyncSession {
		return
	}
	limit := time.Now().Add(syncLimit)
	if end, ok := ctx.Deadline(); ok && end.Add(-answerTime).Before(limit) {
		limit = end.Add(-answerTime)
	}
	ctx, cancel := context.WithDeadline(ctx, limit)
	defer cancel()
	done := make(chan struct{})
	go func() { // sync does not wait for it after the time limit: git may take a moment to end
		defer close(done)
		defer func() { _ = recover() }() // a panic would end the agent's hook with an error
		w, err := workspace.Open(ctx, p.Settings)
		if err == nil {
			sync.New(w).SyncInSession(ctx, onlyToSend)
		}
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

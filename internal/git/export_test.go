package git

import (
	"context"
	"time"

	"example.com/ckpt/internal/change"
)

// Prepare is PrepareOn wherever HEAD is.
func (r *Repo) Prepare(ctx context.Context, files []change.File, message string, now time.Time) (*Draft, error) {
	return r.Committer().Prepare(ctx, Checkout{}, files, message, now)
}

// SetSignLimit shortens the wait for a signer.
func (r *Repo) SetSignLimit(d time.Duration) { r.signLimit = d }

package checkout

import (
	"context"
	"errors"
	"slices"
	"strings"

	"example.com/ckpt/internal/workspace/store"
)

// Recover completes what a killed process has begun to publish: it updates the index to the branch.
func (b Branch) Recover(ctx context.Context) error {
	s, err := b.Load()
	if err != nil || s.landing == "" && !b.Repo.Index().LockedByUs() {
		return err
	}
	if err := errors.Join(b.Repo.Sweep(), (&store.Store{Dir: b.Dir}).Sweep()); err != nil {
		return err
	}
	head, err := b.Repo.Head()
	if err != nil {
		return err
	}
	landing := strings.TrimPrefix(s.landing, Nothing)
	if s.landing != "" && head.Hash != "" && head.Hash != landing {
		c, err := b.Repo.Objects().Commit(ctx, head.Hash)
		if err != nil {
			return err
		}
		if slices.Equal(c.Parents, strings.Fields(landing)) {
			differ, err := b.differing(ctx, landing, head.Hash)
			if err == nil {
				err = b.Repo.Index().Repair(ctx, b.Prefix, differ)
			}
			if err != nil {
				return err
			}
		}
	}
	s.landing = ""
	return b.Save(s)
}

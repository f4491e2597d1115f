package checkout

import (
	"context"
	"errors"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/workspace/store"
)

// Recover completes what a killed process has begun to publish: it makes the index and the files match the branch.
// After the commit of a migration it calls follow with the new mode.
func (b Branch) Recover(ctx context.Context, follow func(context.Context, policy.Commit) error) error {
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
			err := b.repair(ctx, landing, head.Hash)
			was, is := b.ModeAt(ctx, landing), b.ModeAt(ctx, head.Hash)
			if err == nil && was == policy.Ref && is != was {
				_, err = b.Arrive()
			}
			if migrated := (was == policy.Ref) != (is == policy.Ref); err == nil && migrated {
				err = follow(ctx, is)
			}
			if err != nil {
				return err
			}
		}
	}
	s.landing = ""
	return b.Save(s)
}

// repair updates the files and the index from one commit to another. It skips what is not as in the first commit.
func (b Branch) repair(ctx context.Context, from, to string) error {
	differ, err := b.differing(ctx, from, to)
	if err != nil {
		return err
	}
	var files []change.File
	for rel, v := range differ {
		f := change.File{Path: b.Prefix + "/" + rel, Before: b.fileAt(ctx, from, rel), After: b.fileAt(ctx, to, rel)}
		if f.Gone() == v[1].IsZero() { // the new version could be read
			files = append(files, f)
		}
	}
	if _, err := b.writeAll(files); err != nil && !errors.Is(err, disk.ErrChanged) {
		return err
	}
	return b.Repo.Index().Repair(ctx, b.Prefix, differ)
}

package project

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/ledger"
	"example.com/ckpt/internal/store"
)

// What a merge without a conflict can leave: nothing that one file shows.

// oneOfTwo unites a checkpoint that is in archive/ and in active/: one side has
// archived it, the other gone on with it. Two that only share an id are named.
func (r *resolving) oneOfTwo(ctx context.Context) error {
	set := r.after()
	for _, done := range set.Archived() {
		i := slices.IndexFunc(set.All, func(c *checkpoint.Checkpoint) bool { return c.ID == done.ID && c.Status() != checkpoint.Archived })
		if i < 0 || len(r.names) > 0 && !slices.ContainsFunc(r.names, (&conflicted{id: done.ID}).called) {
			continue
		}
		open := set.All[i]
		if !open.Created().Equal(done.Created()) {
			r.o.remarks = append(r.o.remarks, fmt.Sprintf("%s and %s are two checkpoints with one id: give one another (ckpt edit)", r.fromRoot(open.Path), r.fromRoot(done.Path)))
			continue
		}
		c := &conflicted{id: done.ID, paths: []string{open.Path}, elsewhere: true,
			ours: done.Doc.Bytes(), oursAt: done.Path, theirs: open.Doc.Bytes(), theirsAt: open.Path}
		m, ok, err := r.Repo.LastMerge(ctx)
		if err != nil {
			return err
		}
		if ok {
			was, err := m.At(ctx, r.Repo, r.fromRoot(open.Path))
			if err != nil {
				return err
			}
			c.base = was.Base
		}
		if err := r.settleOne(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// harvested brings the learnings of a checkpoint that a merge has archived into
// LEARNINGS.md, and takes its status, which says nothing there.
func (r *resolving) harvested(rel string, src []byte) error {
	c, err := checkpoint.Parse(rel, src)
	if err != nil {
		return nil // left for a person
	}
	if c.Field("status") != "" {
		if c, err = c.Revise().Drop("status").Apply(); err != nil {
			return err
		}
		if err := r.want(rel, c.Doc.Bytes()); err != nil {
			return err
		}
	}
	learnings, err := r.holds(store.Learnings)
	if err != nil || len(c.Learnings()) == 0 {
		return err
	}
	out := ledger.Harvest(learnings, c.ID, r.now, c.Learnings())
	if change.Same(out, learnings) {
		return nil
	}
	return r.want(store.Learnings, out)
}

// oneCurrent leaves one current checkpoint: the one that -c names, else that of our
// side of the merge, else the one that was worked on last.
func (r *resolving) oneCurrent(ctx context.Context) error {
	set := r.after()
	found := set.MarkedCurrent()
	if len(found) < 2 || len(r.names) > 0 {
		return nil
	}
	stays, why, err := r.stays(ctx, found)
	if err != nil {
		return err
	}
	for _, c := range found {
		if c == stays {
			continue
		}
		revised, err := c.Revise().SetStatus(checkpoint.Active).Apply()
		if err != nil {
			return err
		}
		if err := r.want(c.Path, revised.Doc.Bytes()); err != nil {
			return err
		}
		r.say(c.Path, c.ID, fmt.Sprintf("no longer current: %s stays, %s (ckpt use %s)", stays.ID, why, c.ID))
	}
	return nil
}

// stays is the one of several currents that stays, and why.
func (r *resolving) stays(ctx context.Context, found []*checkpoint.Checkpoint) (*checkpoint.Checkpoint, string, error) {
	if r.Pinned != "" && !r.Shared {
		c, err := (&checkpoint.Set{All: found}).Resolve(r.Pinned)
		if err != nil {
			return nil, "", fault.New(fault.Usage, "%s is none of those that are current: %s", r.Pinned, strings.Join(ids(found), ", ")).WithHint("ckpt resolve -c %s", found[0].ID)
		}
		return c, "as you say", nil
	}
	c, why := r.chooseCurrent(ctx, found)
	return c, why, nil
}

// indexesFollow brings an INDEX.md in step: with what was settled, or, as two sides of a
// clean merge leave it, with the folder.
func (r *resolving) indexesFollow() error {
	after := r.after()
	for _, index := range []string{store.ActiveIndex, store.ArchiveIndex} {
		archived := index == store.ArchiveIndex
		src, err := r.holds(index)
		if err != nil {
			return err
		}
		touched := slices.ContainsFunc(r.o.files.Files, func(f change.File) bool {
			return f.Path == index || isCheckpointPath(f.Path) && checkpoint.InArchive(f.Path) == archived
		})
		if src == nil || !touched && len(r.names) > 0 {
			continue
		}
		if out := ledger.FollowIndex(src, r.set, after, archived); !change.Same(src, out) {
			if err := r.want(index, out); err != nil {
				return err
			}
			if !touched {
				r.say(index, "", "brought in step")
			}
		}
	}
	return nil
}

package checkout

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/merge"
)

// IsSteady reports whether git has changed nothing since the files were read. If the index has other versions of
// some files than HEAD it looks once more: git writes the index before it moves HEAD.
func (c *Checkout) IsSteady(ctx context.Context, f *Found, files []change.File) (bool, error) {
	paths := change.Paths(files)
	for i := range paths {
		paths[i] = c.Prefix + "/" + paths[i]
	}
	staged, err := c.Repo.Index().Entries(ctx, paths)
	if err != nil {
		return false, err
	}
	head, err := c.Repo.Objects().EntriesIn(ctx, f.Head.Hash, paths)
	if err != nil {
		return false, err
	}
	for _, path := range paths {
		if staged[path].Hash != head[path].Hash {
			time.Sleep(moment)
			break
		}
	}
	moved, err := c.hasMoved(f)
	return !moved, err
}

// hasMoved reports whether git may have changed files since they were read.
func (c *Checkout) hasMoved(f *Found) (bool, error) {
	on, err := c.Repo.Checkout()
	if err != nil {
		return false, err
	}
	now, err := c.Repo.Still(on)
	if errors.Is(err, git.ErrLeft) {
		err = nil
	}
	return !now.Same(on) || f.Unsure() || c.Repo.Index().Stamp() != f.At, err
}

// moment is how long git may take between writing the index and moving HEAD.
const moment = 30 * time.Millisecond

// findEdits decides which of the files were edited by hand. A file that git has in conflict, or has
// written without moving HEAD yet, was not.
func (c *comparing) findEdits(paths []string) error {
	inTree := make([]string, len(paths))
	for i, rel := range paths {
		inTree[i] = c.Prefix + "/" + rel
	}
	entries, err := c.Repo.Index().Entries(c.ctx, inTree)
	if err != nil {
		return err
	}
	busy := c.Repo.InProgress() != ""
	had, err := c.hadOnRef(c.ctx, c.tip, paths)
	if err != nil {
		return err
	}
	for i, rel := range paths {
		f, e := c.files[rel], entries[inTree[i]]
		staged := false
		if f.disk != nil && !e.IsZero() {
			src, err := c.content(e.Hash)
			if err != nil {
				return err
			}
			staged, err = c.converted(rel, f.disk, src)
			if err != nil {
				return err
			}
		}
		switch {
		case e.Conflict, busy && staged, f.disk == nil && e.Skipped:
			continue
		case f.disk == nil && e.IsZero() && busy:
			continue
		case staged:
			if err := c.waitForHead(rel); err != nil {
				return err
			}
		}
		if is, err := c.isOlder(had[rel], rel); is || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		f.byHand, f.base = true, f.head
		if f.base == nil {
			f.base, err = c.writtenAt(rel)
			if err != nil {
				return err
			}
		}
	}
	if moved, err := c.hasMoved(c.Found); moved || err != nil {
		return cmp.Or(err, git.ErrMoved)
	}
	return nil
}

// waitForHead waits for the moment between git's writing of the index and of HEAD, and returns git.ErrMoved if
// the file is another one then.
func (c *comparing) waitForHead(rel string) error {
	time.Sleep(moment)
	now, err := c.onDisk(rel)
	if err == nil && !same(now, c.files[rel].disk) {
		err = git.ErrMoved
	}
	return err
}

// isOlder reports whether the file on disk is one that the ref had before: git wrote it, or somebody took it
// from history.
func (c *comparing) isOlder(had []string, rel string) (bool, error) {
	src := c.files[rel].disk
	if src == nil {
		return false, nil
	}
	hash, err := c.hash(Shared(rel, src))
	return slices.Contains(had, hash), err
}

// mergeEdits lays the files that were edited by hand on a version which is older than that of the ref: each
// is merged with it.
func (c *comparing) mergeEdits() error {
	base, ours, theirs := merge.Set{}, merge.Set{}, merge.Set{}
	put := func(set merge.Set, rel string, src []byte) {
		if src != nil {
			set[rel] = Shared(rel, src)
		}
	}
	for rel, f := range c.files {
		if f.byHand && f.disk != nil && !same(Shared(rel, f.base), f.ref) {
			put(base, rel, f.base)
			put(ours, rel, f.ref)
			put(theirs, rel, f.disk)
		}
	}
	if len(theirs) == 0 {
		return nil
	}
	if err := c.addMoved(ours, theirs); err != nil {
		return err
	}
	merged, err := MergeSets(c.ctx, c.Repo, base, ours, theirs)
	if err != nil {
		return err
	}
	for rel := range theirs {
		if after := Shown(rel, merged.Files[rel], c.State.Shown); !same(after, c.files[rel].disk) {
			c.Laid[rel] = after
		}
	}
	for rel, src := range merged.Files {
		if _, asked := theirs[rel]; asked || same(src, ours[rel]) {
			continue
		}
		if c.files[rel] == nil {
			if err := c.addFrom(rel); err != nil {
				return err
			}
		}
		c.Laid[rel] = Shown(rel, src, c.State.Shown)
	}
	return nil
}

// addMoved adds the files of the ref that edited files were moved to, such as archived ones.
func (c *comparing) addMoved(ours, theirs merge.Set) error {
	moved := map[string]bool{}
	for rel := range theirs {
		if ours[rel] == nil {
			moved[path.Base(rel)] = true
		}
	}
	if len(moved) == 0 {
		return nil
	}
	tree, err := c.Repo.Objects().TreeAt(c.ctx, c.tip, c.Prefix)
	for rel, blob := range tree {
		if !Written(rel) || !moved[path.Base(rel)] || ours[rel] != nil {
			continue
		}
		src, err := c.content(blob)
		if err != nil {
			return err
		}
		ours[rel] = src
	}
	return err
}

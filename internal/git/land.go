package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// Land moves the branch to the commit and the index along with it, and returns
// the commit's hash; "" for an empty draft. If HEAD has moved since Prepare the
// commit is built again on top. For up to 5 seconds it waits for other programs;
// then fault.Busy, and nothing has changed. Once the branch has moved it is
// done: an index that could not follow is mended by [Repo.Settle]. ErrLeft and ErrMoved
// mean that it must not move; nothing has changed then either.
//
// The order is git's: index.lock, the new index beside it, HEAD.lock and the
// branch's lock, look again whether HEAD is what we built on, reflogs, the
// branch, the index.
func (d *Draft) Land(ctx context.Context) (string, error) {
	r := d.repo
	if d.Empty() {
		return "", nil
	}
	switch {
	case d.viaGit && d.move != nil:
		return d.moveByGit(ctx)
	case d.viaGit:
		return d.landByGit(ctx)
	}
	unlock, err := r.Lock(ctx, disk.Exclusive) // it makes dead locks of ours known
	if err != nil {
		return "", err
	}
	defer unlock()
	if sync, err := r.Sync(ctx); err != nil {
		return "", err
	} else if err := d.Store(sync); err != nil {
		return "", err
	}
	for deadline := time.Now().Add(lockWait); ; {
		landed, err := d.try(ctx, deadline)
		if err != nil {
			return "", err
		}
		if landed {
			if d.indexByGit {
				r.Release()
				d.setIndex(context.WithoutCancel(ctx)) // the commit stands; Settle mends it
			}
			r.maintain(ctx, d.commit.String())
			return d.commit.String(), nil
		}
		if time.Now().After(deadline) {
			return "", fault.New(fault.Busy, "HEAD keeps moving").WithHint("try again")
		}
		if err := d.rebuild(ctx); err != nil {
			return "", err
		}
		if d.Empty() { // somebody committed the same
			return "", nil
		}
	}
}

// setIndex has git make the index follow the branch.
func (d *Draft) setIndex(ctx context.Context) {
	if d.move != nil {
		_ = d.repo.SetIndex(ctx, d.move.index)
		return
	}
	_ = d.repo.editIndexByGit(ctx, d.entries())
}

// try publishes the commit if HEAD is still what it was built on.
func (d *Draft) try(ctx context.Context, deadline time.Time) (landed bool, err error) {
	r := d.repo
	sync, err := r.Sync(ctx)
	if err != nil {
		return false, err
	}
	locks := &lockFiles{repo: r}
	defer locks.close()
	if err := locks.take(ctx, r.indexFile(), deadline); err != nil {
		return false, err
	}
	now, err := d.tip()
	if err == nil && !now.equal(d.base) {
		err = d.rebuild(ctx) // under the lock, which keeps a program that commits all the time from moving HEAD once more
	}
	if err != nil || !now.equal(d.base) || d.Empty() {
		return false, err // before the work on the index, which may be large
	}
	index, err := r.stageIndex(d.edits, d.files)
	if _, unsupported := errors.AsType[unsupportedIndex](err); unsupported {
		d.indexByGit = true // when the lock is free again
		err = r.refuseConflicts(ctx, paths(d.files))
	}
	if err != nil {
		return false, err
	}
	defer index.Drop()
	for _, name := range d.base.chain {
		if err := locks.take(ctx, r.refFile(name), deadline); err != nil {
			return false, err
		}
	}
	if now, err = d.tip(); err != nil || !now.equal(d.base) {
		return false, err
	}
	file := r.refFile(d.base.chain[len(d.base.chain)-1])
	if info, err := os.Lstat(file); err == nil && info.IsDir() { // git leaves "a/b" empty, and now there is "a"
		removeEmpty(file)
	}
	ref, err := r.stageRef(file, d.commit.String())
	if err != nil {
		return false, err
	}
	defer ref.Drop()
	if sync {
		both, errs := [...]*disk.Staged{index, ref}, [2]error{}
		disk.Each(len(both), true, func(i int) { errs[i] = both[i].Sync() })
		if err := errors.Join(errs[:]...); err != nil {
			return false, err
		}
	}
	if err := r.appendReflogs(ctx, d); err != nil {
		return false, err
	}
	if err := ref.Commit(); err != nil {
		return false, err
	}
	if sync {
		_ = disk.SyncDir(filepath.Dir(file)) // the commit stands, whatever it says
	}
	for range 3 { // the file is complete: only a failing device stands in the way
		if index.Commit() == nil {
			break // else likewise; Settle mends it
		}
	}
	return true, nil
}

// removeEmpty removes a folder that holds nothing but empty folders.
func removeEmpty(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			removeEmpty(filepath.Join(dir, e.Name()))
		}
	}
	_ = os.Remove(dir) // fails where there is a file: then the rename says so
}

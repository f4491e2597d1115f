package git

import (
	"context"
	"errors"
	"io/fs"
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
// done: an index that could not follow is mended by [Repo.Settle].
//
// The order is git's: index.lock, the new index beside it, HEAD.lock and the
// branch's lock, look again whether HEAD is what we built on, reflogs, the
// branch, the index.
func (d *Draft) Land(ctx context.Context) (string, error) {
	r := d.repo
	if d.Empty() {
		return "", nil
	}
	if d.viaGit {
		return d.landByGit(ctx)
	}
	unlock, err := r.Lock(ctx, disk.Exclusive) // it makes dead locks of ours known
	if err != nil {
		return "", err
	}
	defer unlock()
	for deadline := time.Now().Add(lockWait); ; {
		landed, err := d.try(ctx, deadline)
		if err != nil {
			return "", err
		}
		if landed {
			if d.indexByGit {
				_ = r.editIndexByGit(context.WithoutCancel(ctx), d.entries()) // the commit stands; Settle mends it
			}
			r.maintain(d.commit.String())
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

// try publishes the commit if HEAD is still what it was built on.
func (d *Draft) try(ctx context.Context, deadline time.Time) (landed bool, err error) {
	r := d.repo
	sync, err := r.Sync(ctx)
	if err != nil {
		return false, err
	}
	locks, err := r.newLockFiles()
	if err != nil {
		return false, err
	}
	defer locks.close()
	if err := locks.take(ctx, r.indexFile(), deadline); err != nil {
		return false, err
	}
	now, err := r.tip()
	if err != nil || !now.equal(d.base) {
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
	defer index.drop()
	for _, name := range d.base.chain {
		if err := locks.take(ctx, r.refFile(name), deadline); err != nil {
			return false, err
		}
	}
	if now, err = r.tip(); err != nil || !now.equal(d.base) {
		return false, err
	}
	ref, err := stageFile(r.refFile(d.base.chain[len(d.base.chain)-1]), func(f *os.File) error {
		_, err := f.WriteString(d.commit.String() + "\n")
		return err
	})
	if err != nil {
		return false, err
	}
	defer ref.drop()
	if sync {
		if err := syncAll(index, ref); err != nil {
			return false, err
		}
	}
	if err := r.appendReflogs(ctx, d); err != nil {
		return false, err
	}
	if err := ref.commit(); err != nil {
		return false, err
	}
	if sync {
		_ = disk.SyncDir(filepath.Dir(ref.target)) // the commit stands, whatever it says
	}
	for range 3 { // the file is complete: only a failing device stands in the way
		if index.commit() == nil {
			break // else likewise; Settle mends it
		}
	}
	return true, nil
}

// newFile is a finished file beside its target: renaming it publishes it. The
// zero value is no file, and everything done to it does nothing.
type newFile struct{ temp, target string }

// stageFile writes a file that is to replace target, with target's mode.
func stageFile(target string, write func(*os.File) error) (newFile, error) {
	f, err := os.CreateTemp(filepath.Dir(target), ".ckpt-*")
	if err != nil {
		return newFile{}, fault.New(fault.Failed, "write %q: %w", target, err)
	}
	n := newFile{f.Name(), target}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(target); err == nil {
		mode = info.Mode().Perm()
	}
	err = errors.Join(write(f), f.Chmod(mode), f.Close())
	if err != nil {
		n.drop()
		return newFile{}, fault.New(fault.Failed, "write %q: %w", target, err)
	}
	return n, nil
}

// commit renames the file over its target. Empty folders in the way, which git
// leaves where a branch "a/b" was and "a" is to be, are removed.
func (n newFile) commit() error {
	if n.temp == "" {
		return nil
	}
	err := os.Rename(n.temp, n.target)
	if info, serr := os.Lstat(n.target); err != nil && serr == nil && info.IsDir() {
		removeEmpty(n.target)
		err = os.Rename(n.temp, n.target)
	}
	if err != nil {
		return fault.New(fault.Failed, "write %q: %w", n.target, err)
	}
	return nil
}

// drop removes the file if it was not published.
func (n newFile) drop() {
	if n.temp != "" {
		_ = os.Remove(n.temp)
	}
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

// syncAll brings several files to the device at once.
func syncAll(files ...newFile) error {
	errs := make([]error, len(files))
	parallel(len(files), func(i int) {
		if files[i].temp == "" {
			return
		}
		f, err := os.Open(files[i].temp)
		if err != nil {
			errs[i] = err
			return
		}
		errs[i] = errors.Join(f.Sync(), f.Close())
	})
	if err := errors.Join(errs...); err != nil {
		return fault.New(fault.Failed, "sync: %w", err)
	}
	return nil
}

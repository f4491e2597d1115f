package commit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/index"
)

// Hold takes index.lock, so that no other program can begin a commit or a checkout, and makes the commit again if
// HEAD has moved since Prepare. If git makes the commit, it needs the lock, and Hold only compares. The
// caller has ckpt's own lock, writes the files, calls Land, and releases the lock of the index.
func (d *Draft) Hold(ctx context.Context) error {
	if !d.viaGit {
		if err := d.repo.Index().Hold(ctx); err != nil {
			return err
		}
	}
	now, err := d.repo.Still(d.on)
	switch {
	case err != nil:
	case d.allHooks:
		d.base = now
	case !now.Same(d.base):
		err = d.remake(ctx, now)
	}
	if err != nil {
		d.repo.Index().Release()
	}
	return err
}

// Land moves the branch to the commit and the index along with it, and returns the commit's
// hash; "" for an empty draft. If HEAD has moved since Prepare the commit is built again on
// top. For up to 5 seconds Land waits for other programs, then it returns fault.Busy, and
// nothing has changed. Once the branch has moved the operation is done; [Draft.Behind] reports
// an index that could not follow. git.ErrLeft and git.ErrMoved mean that the branch must not move;
// nothing has changed then either.
//
// The order is git's: index.lock, the new index beside it, HEAD.lock and the branch's lock,
// compare HEAD with what the commit was built on, reflogs, the branch, the index.
func (d *Draft) Land(ctx context.Context) (string, error) {
	r := d.repo
	if d.Empty() {
		return "", nil
	}
	unlock, err := r.Lock(ctx, disk.Exclusive) // with this lock, locks of killed ckpt processes can be recognized
	if err != nil {
		return "", err
	}
	defer unlock()
	if d.viaGit {
		return d.landByGit(ctx)
	}
	for deadline := time.Now().Add(git.LockWait); ; {
		landed, now, err := d.tryLand(ctx, deadline)
		if err != nil {
			return "", err
		}
		if landed {
			if d.indexByGit {
				r.Index().Release()
				d.behind = r.Index().Set(context.WithoutCancel(ctx), d.entries) != nil // the commit is made
			}
			d.by.maintain(ctx, d.commit)
			return d.commit, nil
		}
		if time.Now().After(deadline) {
			return "", fault.New(fault.Busy, "HEAD keeps moving").WithHint("try again")
		}
		if err := d.remake(ctx, now); err != nil {
			return "", err
		}
		if d.Empty() { // another program has committed the same content
			return "", nil
		}
	}
}

// tryLand publishes the commit if HEAD is still what it was built on; otherwise it returns what HEAD is now.
func (d *Draft) tryLand(ctx context.Context, deadline time.Time) (landed bool, now git.Checkout, err error) {
	r := d.repo
	sync, err := r.Config().Sync(ctx)
	if err != nil {
		return false, now, err
	}
	locks := r.FileRefs().Locks.NewSet()
	defer locks.Release()
	if err := locks.Take(ctx, r.Index().File(), deadline); err != nil {
		return false, now, err
	}
	newIndex, err := r.Index().Rewrite(d.entries, d.files)
	if _, unsupported := errors.AsType[index.Unsupported](err); unsupported {
		d.indexByGit = true // git does it after the lock is freed
		err = r.Index().CheckMerged(ctx, change.Paths(d.files))
	}
	if err != nil {
		return false, now, err
	}
	defer newIndex.Drop()
	for _, name := range d.base.Refs() {
		if err := locks.Take(ctx, r.FileRefs().File(name), deadline); err != nil {
			return false, now, err
		}
	}
	now, err = r.Still(d.on)
	if err != nil || !now.Same(d.base) {
		return false, now, err
	}
	branch := now.Refs()[len(now.Refs())-1]
	r.FileRefs().RemoveEmpty(branch)
	ref, err := r.FileRefs().Stage(branch, d.commit)
	if err != nil {
		return false, now, err
	}
	defer ref.Drop()
	if sync {
		both, errs := [...]*disk.Staged{newIndex, ref}, [2]error{}
		disk.Each(len(both), true, func(i int) { errs[i] = both[i].Sync() })
		if err := errors.Join(errs[:]...); err != nil {
			return false, now, err
		}
	}
	if err := d.appendReflogs(ctx); err != nil {
		return false, now, err
	}
	if err := ref.Commit(); err != nil {
		return false, now, err
	}
	if sync {
		_ = disk.SyncDir(filepath.Dir(r.FileRefs().File(branch))) // the branch has moved, so an error is ignored
	}
	d.behind = true
	for try := 0; d.behind && try < 3; try++ { // the file is complete, so only a failing device can prevent the rename
		d.behind = newIndex.Commit() != nil
	}
	return true, now, nil
}

// Behind reports whether Land has moved the branch, but could not update the index. The next command
// does that.
func (d *Draft) Behind() bool { return d.behind }

// appendReflogs records the move of the branch in the reflogs of HEAD and of every symbolic ref on
// the way to the branch, as git does: a missing log is created if core.logAllRefUpdates asks for
// it.
func (d *Draft) appendReflogs(ctx context.Context) error {
	old := d.Parent()
	if old == "" {
		old = strings.Repeat("0", len(d.commit))
	}
	line := old + " " + d.commit + " " + string(d.committer) + "\t" + d.reflogMessage(d.Parent()) + "\n"
	logs, err := d.repo.Config().Setting(ctx, "core.logallrefupdates", "true")
	if err != nil {
		return err
	}
	for _, name := range d.base.Refs() {
		create := strings.EqualFold(logs, "always") ||
			git.IsTrue(logs) && (name == "HEAD" || strings.HasPrefix(name, "refs/heads/"))
		if err := d.repo.FileRefs().AppendLog(name, line, create); err != nil {
			return err
		}
	}
	return nil
}

// reflogMessage returns the message for reflogs about a move from a commit.
func (d *Draft) reflogMessage(from string) string {
	what := "commit (ckpt)"
	if from == "" {
		what = "commit (initial)"
	}
	if action := os.Getenv("GIT_REFLOG_ACTION"); action != "" {
		what = action
	}
	return what + ": " + subject(d.message)
}

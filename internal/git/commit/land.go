package commit

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/index"
	"example.com/ckpt/internal/git/refs"
	"example.com/ckpt/internal/text"
)

// Land moves the branch to the commit, updates the index, and returns the commit's hash. For an empty draft it updates
// only the index, and the hash is "". Land calls write, which writes the files, while it has index.lock, so that no
// other program can begin a commit or a checkout. If git has to move the branch ([Committer.ByGit]), git takes that
// lock, but only after write.
//
// Land waits up to 5 seconds for other programs, and then returns fault.Busy. It returns git.ErrMoved or git.ErrLeft if
// HEAD is not what the commit was built on. After an error neither the branch nor the index has changed, but write may
// have changed files. Once the branch has moved there is no error: if the index could not follow, [Draft.IndexBehind]
// reports that.
//
// The order is git's: index.lock, the new index beside it, HEAD.lock and the branch's lock, compare HEAD with what the
// commit was built on, reflogs, the branch, the index.
func (d *Draft) Land(ctx context.Context, write func() error) (string, error) {
	r := d.repo
	unlock, err := r.Lock(ctx, disk.Exclusive) // with this lock, locks of killed ckpt processes can be recognized
	if err != nil {
		return "", err
	}
	defer unlock()
	locks, deadline := r.FileRefs().Locks.NewSet(), time.Now().Add(git.LockWait)
	defer locks.Release()
	if !d.viaGit {
		if err := locks.Take(ctx, r.Index().File(), deadline); err != nil {
			return "", err
		}
	}
	if err := d.checkStill(); err != nil {
		return "", err
	}
	err = write()
	indexByGit := d.viaGit || d.Empty
	switch {
	case err != nil, d.Empty:
	case d.viaGit:
		err = d.moveByGit(ctx)
	default:
		indexByGit, err = d.move(ctx, locks, deadline)
	}
	if err != nil {
		return "", err
	}
	locks.Release()
	if indexByGit {
		d.indexBehind = r.Index().Set(context.WithoutCancel(ctx), d.entries) != nil // not an error: the commit is made
	}
	if d.allHooks && !d.Empty {
		_ = d.by.runHooks(context.WithoutCancel(ctx), "post-commit", r.Index().File()) // the commit cannot be refused now
	}
	d.by.maintain(ctx, d.commit)
	return d.commit, nil
}

// checkStill returns git.ErrMoved or git.ErrLeft if HEAD is not what the commit was built on.
func (d *Draft) checkStill() error {
	now, err := d.repo.Still(d.on)
	if err == nil && !now.Same(d.on) {
		err = git.ErrMoved
	}
	return err
}

// move moves the branch and the index. If only git can write the index, it stays as it is and move returns true.
func (d *Draft) move(ctx context.Context, locks *refs.LockSet, deadline time.Time) (indexByGit bool, err error) {
	r := d.repo
	sync, err := r.Config().Sync(ctx)
	if err != nil {
		return false, err
	}
	newIndex, err := r.Index().Rewrite(d.entries, d.files)
	if _, unsupported := errors.AsType[index.Unsupported](err); unsupported {
		indexByGit = true
		err = r.Index().CheckMerged(ctx, change.Paths(d.files))
	}
	if err != nil {
		return false, err
	}
	defer newIndex.Drop()
	for _, name := range d.on.Refs {
		if err := locks.Take(ctx, r.FileRefs().File(name), deadline); err != nil {
			return false, err
		}
	}
	if err := d.checkStill(); err != nil {
		return false, err
	}
	branch := d.on.Refs[len(d.on.Refs)-1]
	r.FileRefs().RemoveEmpty(branch)
	ref, err := r.FileRefs().Stage(branch, d.commit)
	if err != nil {
		return false, err
	}
	defer ref.Drop()
	if sync {
		both, errs := [...]*disk.Staged{newIndex, ref}, [2]error{}
		disk.Each(len(both), true, func(i int) { errs[i] = both[i].Sync() })
		if err := errors.Join(errs[:]...); err != nil {
			return false, err
		}
	}
	if err := d.appendReflogs(ctx); err != nil {
		return false, err
	}
	if err := ref.Commit(); err != nil {
		return false, err
	}
	d.indexBehind = true
	for try := 0; d.indexBehind && try < 3; try++ { // the file is complete: only a failing device can prevent the rename
		d.indexBehind = newIndex.Commit() != nil
	}
	return indexByGit, nil
}

// IndexBehind reports whether Land moved the branch, but failed to update the index or to remove a lock. The next
// command does what is missing.
func (d *Draft) IndexBehind() bool { return d.indexBehind || d.repo.FileRefs().Locks.Left }

// appendReflogs records the move of the branch in its reflog, and in those of HEAD and of symbolic refs between them.
// As in git, a missing log is created if core.logAllRefUpdates asks for it.
func (d *Draft) appendReflogs(ctx context.Context) error {
	old := cmp.Or(d.Parent, strings.Repeat("0", len(d.commit)))
	line := old + " " + d.commit + " " + string(d.committer) + "\t" + d.reflogMessage() + "\n"
	logs, err := d.repo.Config().Setting(ctx, "core.logallrefupdates", "true")
	if err != nil {
		return err
	}
	for _, name := range d.on.Refs {
		create := strings.EqualFold(logs, "always") ||
			git.IsTrue(logs) && (name == "HEAD" || strings.HasPrefix(name, "refs/heads/"))
		if err := d.repo.FileRefs().AppendLog(name, line, create); err != nil {
			return err
		}
	}
	return nil
}

// reflogMessage returns the message for reflogs.
func (d *Draft) reflogMessage() string {
	what := "commit (ckpt)"
	if d.Parent == "" {
		what = "commit (initial)"
	}
	if action := os.Getenv("GIT_REFLOG_ACTION"); action != "" {
		what = action
	}
	return what + ": " + text.Paragraph(d.message)
}

package git

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// manyByGit is how many files git commits at most: it is given their paths as
// arguments, of which a process takes a megabyte at least.
const manyByGit = 5000

// prepareByGit checks what can be checked before `git commit` runs. Hooks that
// git is to run have their say only in Land.
func (d *Draft) prepareByGit(ctx context.Context, message string) error {
	r := d.repo
	if err := r.Left(d.on); err != nil {
		return err
	}
	var err error
	other, err := r.lacksByGit(ctx, d.files)
	if d.same = err == nil && len(other) == 0; d.same || err != nil {
		return err
	}
	if n := len(d.files); n > manyByGit {
		return fault.New(fault.Unsupported, "git itself has to commit in this repository, %d files at a time, and these are %d", manyByGit, n).
			WithHint("ckpt doctor   (says why)")
	}
	mode, err := r.hookMode(ctx)
	if err != nil {
		return err
	}
	if mode == hooksAll {
		d.message = cleanMessage(message)
		return nil // and the hooks, message included, in Land
	}
	d.message, err = r.checkMessage(ctx, message)
	return err
}

// landByGit commits with `git add -N` and `git commit --only`, trying again
// while other programs hold git's locks.
func (d *Draft) landByGit(ctx context.Context) (string, error) {
	r := d.repo
	unlock, err := r.Lock(ctx, disk.Exclusive)
	if err != nil {
		return "", err
	}
	defer unlock()
	tracked, err := r.inIndex(ctx, paths(d.files))
	if err != nil {
		return "", err
	}
	var fresh, all []string
	for _, f := range d.files {
		entry, known := tracked[f.Path]
		switch {
		case entry.conflict:
			return "", fault.New(fault.Refused, "%q has a merge conflict", f.Path).WithHint("ckpt resolve")
		case known:
			all = append(all, f.Path)
		case !f.Gone():
			all, fresh = append(all, f.Path), append(fresh, f.Path)
		}
	}
	base, err := r.headByGit(ctx)
	if err != nil {
		return "", err
	}
	hooks, err := r.hookMode(ctx)
	if err != nil {
		return "", err
	}
	taken := false
	err = r.patiently(func() error {
		if err := r.Left(d.on); err != nil {
			return err
		}
		err := d.commitOnly(ctx, fresh, all)
		if err != nil && r.Left(d.on) == nil {
			taken = d.taken(ctx)
		}
		if taken {
			return nil
		}
		return err
	})
	ctx = context.WithoutCancel(ctx) // the commit stands, or is to leave no trace
	if taken {
		return "", nil
	}
	if err != nil && hooks == hooksAll {
		return "", d.afterHooks(ctx, err)
	}
	if err != nil {
		return "", err
	}
	if hooks == hooksAll {
		if err := d.onlyOurs(ctx, base.Hash); err != nil {
			return "", d.afterHooks(ctx, d.uncommit(ctx, base.Hash, tracked, err))
		}
		_ = d.followHooks(ctx) // Settle mends the index
	}
	head, err := r.headByGit(ctx)
	return head.Hash, err
}

// taken reports whether a commit of another program, such as `git commit -a`, has
// committed the files as they are to be while git tried to.
func (d *Draft) taken(ctx context.Context) bool {
	other, err := d.repo.lacksByGit(ctx, d.files)
	return err == nil && len(other) == 0
}

// followHooks makes the index hold what a hook changed in our files on the way
// into the commit: `git commit --only` forgets it there.
func (d *Draft) followHooks(ctx context.Context) error {
	head, err := d.repo.atHead(ctx, paths(d.files))
	if err != nil {
		return err
	}
	index, err := d.repo.inIndex(ctx, paths(d.files))
	if err != nil {
		return err
	}
	entries := map[string]stored{}
	for _, f := range d.files {
		if head[f.Path] != index[f.Path] {
			entries[f.Path] = head[f.Path]
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return d.repo.editIndexByGit(ctx, entries)
}

// patiently tries again for a while where git met another program's lock, for
// which it does not wait itself. A dead lock of ours is removed.
func (r *Repo) patiently(do func() error) error {
	for deadline := time.Now().Add(lockWait); ; time.Sleep(50 * time.Millisecond) {
		err := do()
		if err == nil || !lockedOut(err) {
			return err
		}
		if time.Now().After(deadline) {
			return fault.New(fault.Busy, "another git program is at work: %w", err).WithHint("try again")
		}
		if lock := r.indexFile() + ".lock"; r.ours(lock) {
			_ = os.Remove(lock) // git names it if that failed
		}
	}
}

// commitOnly is one try. A failure leaves the index as it was.
func (d *Draft) commitOnly(ctx context.Context, fresh, all []string) error {
	r := d.repo
	if len(fresh) > 0 {
		args := append([]string{"add", "--intent-to-add", "--force", "--sparse", "--"}, fresh...)
		if _, err := r.gitForCommit(ctx, nil, args...); err != nil {
			return err
		}
	}
	args, err := r.durable(ctx)
	if err != nil {
		return err
	}
	args = append(args, "-c", "commit.cleanup=whitespace")
	mode, err := r.hookMode(ctx)
	if err != nil {
		return err
	}
	if mode != hooksAll {
		none, err := r.withoutHooks(ctx)
		if err != nil {
			return err
		}
		args = append(args, none...)
	}
	args = append(args, "commit", "--quiet", "--only", "--file=-", "--")
	limited, cancel := context.WithCancel(ctx)
	if sign, err := r.signs(ctx); err == nil && sign && mode != hooksAll { // hooks may take their time
		limited, cancel = context.WithTimeout(ctx, r.signLimit)
	}
	defer cancel()
	for _, path := range all {
		args = append(args, ":(top,literal)"+path)
	}
	cmd := r.command(limited, args...)
	cmd.Env = append(cmd.Env, d.identityEnv()...)
	if os.Getenv("GIT_REFLOG_ACTION") == "" {
		cmd.Env = append(cmd.Env, "GIT_REFLOG_ACTION="+reflogAction)
	}
	_, err = output(cmd, []byte(d.message))
	if err == nil {
		return nil
	}
	if fresh = d.onlyAnnounced(ctx, fresh); len(fresh) > 0 {
		names := strings.Join(fresh, "\x00") + "\x00"
		if _, undo := r.gitForCommit(ctx, []byte(names), "update-index", "--force-remove", "-z", "--stdin"); undo != nil {
			return undo
		}
	}
	if exit, ok := errors.AsType[*exitError](err); ok && exit.code == 1 && exit.said == "" {
		if mode != hooksAll {
			return fault.New(fault.Busy, "git found nothing to commit: another program has changed the files meanwhile").WithHint("try again")
		}
		err = fault.New(fault.Failed, "%w", &exitError{exit.verb, "it gave no reason", exit.code})
	}
	if vetoed := exitCode(err) == 1 || exitCode(err) == 128 && abortedByHook(err.Error()); vetoed && mode == hooksAll {
		return fault.New(fault.Refused, "a hook refused: %w", err).WithHint("git config --unset ckpt.hooks   (runs commit-msg only)")
	}
	return signFault(ctx, limited, err)
}

// abortedByHook reports whether git says that a reference-transaction hook refused:
// "aborted by hook", or from 2.54 on "aborted by the reference-transaction hook".
func abortedByHook(said string) bool {
	_, by, found := strings.Cut(said, "aborted by ")
	return found && strings.Contains(by, "hook")
}

// onlyAnnounced returns those of the paths that HEAD does not have: another program
// may have committed what was announced with intent-to-add.
func (d *Draft) onlyAnnounced(ctx context.Context, fresh []string) []string {
	if len(fresh) == 0 {
		return nil
	}
	head, err := d.repo.atHead(ctx, fresh)
	if err != nil {
		return nil // git cannot be asked: an announced name does no harm
	}
	return slices.DeleteFunc(slices.Clone(fresh), func(path string) bool { return head[path].mode != filemode.Empty })
}

// identityEnv is author and committer, dates included, for a git process.
func (d *Draft) identityEnv() []string {
	return append(d.author.env("GIT_AUTHOR"), d.committer.env("GIT_COMMITTER")...)
}

// lockedOut says whether git failed because another program was quicker.
func lockedOut(err error) bool {
	said := err.Error()
	return strings.Contains(said, ".lock': File exists") || strings.Contains(said, "cannot lock ref") ||
		strings.Contains(said, "unable to write new index file") ||
		strings.Contains(said, "data is locked") || strings.Contains(said, "data concurrently modified") // a reftable
}

// settleByGit is Settle where git has to read the objects or write the index.
func (r *Repo) settleByGit(ctx context.Context, files []change.File) error {
	head, err := r.atHead(ctx, paths(files))
	if err != nil {
		return err
	}
	index, err := r.inIndex(ctx, paths(files))
	if err != nil {
		return err
	}
	entries := map[string]stored{}
	for _, f := range files {
		was := ""
		if f.Before != nil {
			if was, err = r.hashByGit(ctx, f.Path, f.Before); err != nil {
				return err
			}
		}
		now := index[f.Path]
		if !now.conflict && now.hash == was && was != head[f.Path].hash {
			entries[f.Path] = head[f.Path]
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return r.editIndexByGit(ctx, entries)
}

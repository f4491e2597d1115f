package commit

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
)

// In some repositories git moves the branch and the index: in repositories with
// SHA-256, with a reftable or with an unknown extension, in those of another user, and if hooks
// other than commit-msg are to run. The command `git commit --only` was tried. It commits what
// hooks add to its index, loses what they change in ours, and cannot tell that another program has
// committed the same. So hooks run with an index of
// their own, and git's plumbing moves the branch to a commit that is made as elsewhere.

// landByGit makes git move the branch to the commit, and update the index. It tries again while other programs
// have git's locks.
func (d *Draft) landByGit(ctx context.Context) (string, error) {
	r := d.repo
	durable, err := r.Durable(ctx)
	if err != nil {
		return "", err
	}
	err = r.Retry(func() error { return d.moveByGit(ctx, durable) })
	ctx = context.WithoutCancel(ctx) // from here on the operation must not be canceled half way
	if err != nil && d.allHooks {
		return "", d.undoHooks(ctx, err)
	}
	if err != nil || d.empty {
		return "", err
	}
	d.behind = r.Index().Set(ctx, d.entries) != nil
	if d.allHooks {
		_ = d.by.runHooks(ctx, "post-commit", r.Index().File()) // this hook cannot refuse any more
	}
	d.by.maintain(ctx, d.commit)
	return d.commit, nil
}

// moveByGit makes git move the branch to the commit, which it makes anew if HEAD has moved. Nothing moves if
// another program has already committed the files, such as `git commit -a`.
func (d *Draft) moveByGit(ctx context.Context, durable []string) error {
	r := d.repo
	if err := r.Index().CheckMerged(ctx, change.Paths(d.files)); err != nil {
		return err
	}
	now, err := r.Still(d.on)
	switch {
	case err != nil:
	case d.allHooks:
		err = d.remakeByHooks(ctx, now)
	case !now.Same(d.base):
		err = d.remake(ctx, now)
	}
	if err != nil || d.empty {
		return err
	}
	from := cmp.Or(d.Parent(), strings.Repeat("0", len(d.commit)))
	_, err = r.Hooks().Git(ctx, nil,
		append(durable, "update-ref", "-m", d.reflogMessage(d.Parent()), "HEAD", d.commit, from)...)
	if err != nil && d.allHooks && abortedByHook(err.Error()) {
		return hookRefused(err)
	}
	return err
}

// remakeByHooks runs the hooks of a commit, and makes it of what they leave.
func (d *Draft) remakeByHooks(ctx context.Context, now git.Checkout) error {
	d.base = now
	if err := d.setEntries(ctx); err != nil || d.empty {
		return err
	}
	if err := d.runCommitHooks(ctx, d.Parent()); err != nil {
		return err
	}
	return d.make(ctx)
}

// runCommitHooks runs the hooks of a commit with an index that has only HEAD and our files. Changes
// that hooks make to our files and to the message are committed; other files that they add are not.
func (d *Draft) runCommitHooks(ctx context.Context, head string) error {
	r := d.repo
	dir, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return fault.New(fault.Failed, "run hooks: %w", err)
	}
	defer os.RemoveAll(dir)
	index, file := filepath.Join(dir, "index"), filepath.Join(dir, "COMMIT_EDITMSG")
	if err := r.Index().Copy(index); err != nil {
		return err
	}
	start := []string{"read-tree", "--empty"}
	if head != "" {
		start = []string{"read-tree", "--reset", head} // with --reset the index keeps the stat data of the other files
	}
	if _, err := r.Aside(ctx, index, nil, start...); err != nil {
		return err
	}
	if _, err := r.Aside(ctx, index, r.Index().Info(d.entries), "update-index", "-z", "--index-info"); err != nil {
		return err
	}
	_, _ = r.Aside(ctx, index, nil, "update-index", "-q", "--refresh")
	if err := os.WriteFile(file, []byte(d.message), 0o666); err != nil {
		return fault.New(fault.Failed, "run hooks: %w", err)
	}
	for _, hook := range [][]string{{"pre-commit"}, {"prepare-commit-msg", file, "message"}, {"commit-msg", file}} {
		if err := d.by.runHooks(ctx, hook[0], index, hook[1:]...); err != nil {
			return err
		}
	}
	message, err := os.ReadFile(file)
	if err != nil {
		return fault.New(fault.Failed, "run hooks: %w", err)
	}
	d.message = CleanMessage(string(message))
	if d.message == "" {
		return fault.New(fault.Refused, "the hooks left no message")
	}
	out, err := r.Aside(ctx, index, nil, "ls-files", "-s", "-z")
	if err != nil {
		return err
	}
	changed := git.ParseEntries(out)
	for path := range d.entries {
		d.entries[path] = changed[path]
	}
	return nil
}

// hookRefused returns the error for a hook's refusal that git reports.
func hookRefused(err error) error {
	return fault.New(fault.Refused, "a hook refused: %w", err).
		WithHint("git config --unset ckpt.hooks   (runs commit-msg only)")
}

// abortedByHook reports whether git's output shows that a reference-transaction hook refused:
// "aborted by hook", or since 2.54 "aborted by the reference-transaction hook".
func abortedByHook(message string) bool {
	_, by, found := strings.Cut(message, "aborted by ")
	return found && strings.Contains(by, "hook")
}

// undoHooks undoes what hooks did to our files before the commit failed with cause, so that the
// caller finds the files as it wrote them. The content from the hooks is stored as an object that
// the error names: it may also be an edit that the user made at that moment.
func (d *Draft) undoHooks(ctx context.Context, cause error) error {
	failed := func(err error) error { return fault.New(fault.Failed, "%w; putting the files back: %w", cause, err) }
	for _, f := range d.files {
		file := d.repo.PathOf(f.Path)
		now, err := os.ReadFile(file)
		gone := errors.Is(err, fs.ErrNotExist)
		if gone {
			now, err = nil, nil
		}
		if err != nil {
			return failed(err)
		}
		asAfter := gone == f.Gone() && string(now) == string(f.After)
		asBefore := gone == (f.Before == nil) && string(now) == string(f.Before)
		if asAfter || asBefore {
			continue
		}
		if !gone {
			blob, err := d.repo.Objects().Store(ctx, now)
			if err != nil {
				return failed(err)
			}
			cause = fault.New(fault.KindOf(cause), "%w\n%q was changed meanwhile; that is in git show %s", cause, f.Path, blob).
				WithHint("%s", fault.HintOf(cause))
		}
		if f.Gone() {
			err = disk.Remove(file)
		} else {
			err = disk.WriteFile(file, f.After, false)
		}
		if err != nil {
			return failed(err)
		}
	}
	return cause
}

// WriteTree stores the tree of a commit, "" for none, with entries set or removed.
func (c Committer) WriteTree(ctx context.Context, commit string, entries map[string]git.Entry) (string, error) {
	dir, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return "", fault.New(fault.Failed, "write a tree: %w", err)
	}
	defer os.RemoveAll(dir)
	index := filepath.Join(dir, "index")
	if commit != "" {
		if _, err := c.repo.Aside(ctx, index, nil, "read-tree", commit); err != nil {
			return "", err
		}
	}
	if _, err := c.repo.Aside(ctx, index, c.repo.Index().Info(entries), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	out, err := c.repo.Aside(ctx, index, nil, "write-tree", "--missing-ok")
	return strings.TrimSpace(string(out)), err
}

// commitTree stores the commit of a tree, signed if the user wants commits to be signed: git
// knows the keys and formats.
func (cm Committer) commitTree(ctx context.Context, c object.CommitText) (string, error) {
	sign, err := cm.Signs(ctx)
	if err != nil {
		return "", err
	}
	args, err := cm.repo.Durable(ctx)
	if err != nil {
		return "", err
	}
	args = append(args, "-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-F", "-")
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	if sign {
		args = append(args, "-S")
		limited, cancel = context.WithTimeout(ctx, cm.signLimit)
		defer cancel()
	}
	out, err := cm.runCommitTree(limited, args, c)
	if ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
		return "", fault.New(fault.Busy, "sign the commit: %w", ErrSigner).
			WithHint("unlock your key and try again, or: git config commit.gpgsign false")
	}
	return out, err
}

// StoreCommit stores a commit without a signature, since no branch will contain it.
func (cm Committer) StoreCommit(ctx context.Context, c object.CommitText) (string, error) {
	args, err := cm.repo.Durable(ctx)
	if err != nil {
		return "", err
	}
	return cm.runCommitTree(ctx, append(args, "commit-tree", "-F", "-"), c)
}

func (cm Committer) runCommitTree(ctx context.Context, args []string, c object.CommitText) (string, error) {
	for _, parent := range c.Parents {
		args = append(args, "-p", parent)
	}
	cmd := cm.repo.Command(ctx, append(args, c.Tree)...)
	cmd.Env = slices.Concat(cmd.Env, c.Author.Env("GIT_AUTHOR"), c.Committer.Env("GIT_COMMITTER"))
	out, err := git.Output(cmd, []byte(c.Message))
	return strings.TrimSpace(string(out)), err
}

// signLimit is how long a signing program may take. One that waits for a passphrase would make an
// agent wait forever.
const signLimit = 10 * time.Second

// ErrSigner is in the error of Prepare, or, if git commits, of Land: the signing program did not
// answer in time. Nothing has changed then.
var ErrSigner = errors.New("the signer did not answer in time")

// Signs reports whether the user wants commits to be signed: commit.gpgSign.
func (c Committer) Signs(ctx context.Context) (bool, error) {
	value, err := c.repo.Config().Setting(ctx, "commit.gpgsign", "false")
	return git.IsTrue(value), err
}

// signedCommit stores the objects of a batch and then a commit.
func (cm Committer) signedCommit(ctx context.Context, b *object.Batch, c object.CommitText) (string, error) {
	sync, err := cm.repo.Config().Sync(ctx)
	if err != nil {
		return "", err
	}
	if err := b.Flush(sync); err != nil {
		return "", err
	}
	return cm.commitTree(ctx, c)
}

// maintain starts `git maintenance` after about every 256th commit, chosen by the commit's hash, so
// that no counter is needed. Git decides by the user's settings whether there is anything to do.
// ckpt does not wait for it and ignores errors.
func (c Committer) maintain(ctx context.Context, commit string) {
	if !strings.HasPrefix(commit, "00") {
		return
	}
	if auto, err := c.repo.Config().Setting(ctx, "maintenance.auto", "true"); err != nil || !git.IsTrue(auto) {
		return
	}
	cmd := c.repo.Command(context.WithoutCancel(ctx), "maintenance", "run", "--auto", "--quiet")
	cmd.Env = append(cmd.Env, "GIT_DIR="+c.repo.GitDir(), "GIT_WORK_TREE="+c.repo.Root())
	detach(cmd)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }() // Wait prevents a zombie process
	}
}

package commit

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
)

// Git itself moves the branch and the index in repositories with a reftable, and if hooks other than commit-msg are to
// run. `git commit --only` is not suitable: it commits what hooks add to its temporary index, loses what they change in
// the user's index, and does not notice that another program has committed the same files. So hooks run with an index
// of their own, and git's plumbing moves the branch to a commit that ckpt makes.

// ByGit returns why git must move the branch and the index; "" if ckpt can. It reads a few files at most.
func (c Committer) ByGit(ctx context.Context) (why string, err error) {
	if why := c.repo.Refs().Foreign(); why != "" {
		return why, nil
	}
	mode, err := c.repo.Hooks().Mode(ctx)
	if err != nil || mode != git.HooksAll {
		return "", err
	}
	for _, name := range git.HookNames() {
		has, err := c.repo.Hooks().Has(ctx, name)
		if err != nil {
			return "", err
		}
		if has && name != "commit-msg" {
			return "ckpt.hooks is all and there is a " + name + " hook", nil
		}
	}
	return "", nil
}

// moveByGit runs the hooks, if allHooks is set, and makes git move the branch to the commit. It tries again while other
// programs have git's locks.
func (d *Draft) moveByGit(ctx context.Context) error {
	r := d.repo
	durable, err := r.Durable(ctx)
	if err != nil {
		return err
	}
	if err := r.Index().CheckMerged(ctx, change.Paths(d.files)); err != nil {
		return err
	}
	if d.allHooks {
		err = d.runCommitHooks(ctx)
		if err == nil {
			err = d.make(ctx, d.repo.Objects().NewBatch(ctx))
		}
	}
	if err != nil {
		return err
	}
	from := cmp.Or(d.Parent, strings.Repeat("0", len(d.commit)))
	move := append(durable, "update-ref", "-m", d.reflogMessage(), "HEAD", d.commit, from)
	return r.Retry(func() error {
		if err := d.checkStill(); err != nil {
			return err
		}
		_, err := r.Hooks().Git(ctx, nil, move...)
		return err
	})
}

// runCommitHooks runs the hooks of a commit with a temporary index: HEAD with the draft's files. Changes that hooks
// make to these files and to the message are committed. Other files that hooks add are not.
func (d *Draft) runCommitHooks(ctx context.Context) error {
	r := d.repo
	dir, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return fault.New(fault.Failed, "run hooks: %w", err)
	}
	defer os.RemoveAll(dir)
	index := filepath.Join(dir, "index")
	if err := r.Index().Copy(index); err != nil {
		return err
	}
	start := []string{"read-tree", "--empty"}
	if head := d.Parent; head != "" {
		start = []string{"read-tree", "--reset", head} // with --reset the index keeps the stat data of the other files
	}
	if _, err := r.Aside(ctx, index, nil, start...); err != nil {
		return err
	}
	if _, err := r.Aside(ctx, index, r.Index().Info(d.entries), "update-index", "-z", "--index-info"); err != nil {
		return err
	}
	_, _ = r.Aside(ctx, index, nil, "update-index", "-q", "--refresh")
	d.message, err = d.by.runMessageHooks(ctx, d.message, index, "pre-commit", "prepare-commit-msg", "commit-msg")
	if err != nil {
		return err
	}
	out, err := r.Aside(ctx, index, nil, "ls-files", "-t", "-s", "-z")
	if err != nil {
		return err
	}
	changed := git.ParseIndex(out)
	for path := range d.entries {
		d.entries[path] = changed[path].Entry
	}
	return nil
}

// signedCommit makes git store a signed commit of the tree and returns its hash: git knows the keys and formats.
func (cm Committer) signedCommit(ctx context.Context, c object.CommitText) (string, error) {
	args, err := cm.repo.Durable(ctx)
	if err != nil {
		return "", err
	}
	args = append(args, "-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-F", "-", "-S")
	for _, parent := range c.Parents {
		args = append(args, "-p", parent)
	}
	limited, cancel := context.WithTimeout(ctx, cm.signLimit)
	defer cancel()
	cmd := cm.repo.Command(limited, append(args, c.Tree)...)
	cmd.Env = slices.Concat(cmd.Env, c.Author.Env("GIT_AUTHOR"), c.Committer.Env("GIT_COMMITTER"))
	out, err := git.Output(cmd, []byte(c.Message))
	if ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
		return "", fault.New(fault.Busy, "sign the commit: %w", ErrSigner).
			WithHint("unlock your key and try again, or: git config commit.gpgsign false")
	}
	return strings.TrimSpace(string(out)), err
}

// signLimit is how long a signing program may take. One that waits for a passphrase would make an
// agent wait forever.
const signLimit = 10 * time.Second

// ErrSigner means that the signing program did not answer in time. Errors of Prepare, Make and StoreTree wrap it, and
// of Land if that runs the hooks. No ref and no index has changed then.
var ErrSigner = errors.New("the signer did not answer in time")

// Signs reports whether the user wants commits to be signed: commit.gpgSign.
func (c Committer) Signs(ctx context.Context) (bool, error) {
	value, err := c.repo.Config().Setting(ctx, "commit.gpgsign", "false")
	return git.IsTrue(value), err
}

// RunsPrograms reports whether a commit may run a hook or a signing program.
func (c Committer) RunsPrograms(ctx context.Context) bool {
	signs, err := c.Signs(ctx)
	mode, failed := c.repo.Hooks().Mode(ctx)
	if signs || mode == git.HooksAll || errors.Join(err, failed) != nil {
		return true
	}
	has, err := c.repo.Hooks().Has(ctx, "commit-msg")
	return err != nil || has && mode != git.HooksNone
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

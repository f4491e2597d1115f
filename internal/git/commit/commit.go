// Package commit commits exactly the files that it is given. Everything else that the user has (index, working tree,
// refs, hooks, locks of other programs) stays as it was.
//
// It writes objects, the index and refs itself (git/object, git/index, git/refs), under git's locks. The alternatives
// have drawbacks. `git commit --only` takes several times as long in a large repository (docs/performance.md), also
// commits what hooks add, and rewrites the whole index. go-git's worktree functions commit whatever is staged and take
// no lock. `git fast-import` with `git update-index` takes three processes, and does not move the branch and the index
// together. Where only git can write, git's plumbing does it (see ByGit). What that cannot do either is refused with
// fault.Unsupported.
//
// Prepare makes a [Draft]. Its Land moves the branch at HEAD, and the index with it. Make and StoreTree only store
// objects: no branch, index or working tree takes part.
package commit

import (
	"cmp"
	"context"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
)

// Committer makes commits.
type Committer struct {
	repo      *git.Repo
	signLimit time.Duration
}

// Of returns the committer of a repository.
func Of(repo *git.Repo) Committer { return Committer{repo: repo, signLimit: signLimit} }

// Draft is a commit to which the branch has yet to move. All checks that can refuse the commit were made: a missing
// identity, a commit-msg hook, a folder in place of a file. With ckpt.hooks=all the hooks run later, in [Draft.Land].
// Nothing visible has changed yet.
type Draft struct {
	Parent string // the commit that the new one is built on; "" for none
	Empty  bool   // HEAD already has the new contents: there is nothing to commit

	by        Committer
	repo      *git.Repo    // the same as by.repo
	on        git.Checkout // the checkout on which the commit is built
	files     []change.File
	message   string
	author    object.Signature
	committer object.Signature

	viaGit   bool // git moves the branch and the index; see [Committer.ByGit]
	allHooks bool // Land runs all hooks and then makes the commit; only if viaGit is set

	commit      string               // the hash of the new commit; "" before it is made
	blobs       map[string]string    // the blobs of the new content by path; removed paths are missing
	entries     map[string]git.Entry // the new entries of the paths, in the tree and in the index
	indexBehind bool                 // the branch has moved, and the index has not
}

// filesByGit is the maximum number of files in a commit by git. Each file takes a process or an argument, and the
// arguments of one process may have about a megabyte in all.
const filesByGit = 5000

// Prepare builds one commit of files (paths from the root) on the checkout that HEAD has. No other path changes. The
// commit's time is now, unless GIT_AUTHOR_DATE or GIT_COMMITTER_DATE gives another. Prepare takes no lock and moves
// nothing: Land does that. With ckpt.hooks=all the hooks run only in Land.
func (c Committer) Prepare(ctx context.Context, on git.Checkout, files []change.File, message string,
	now time.Time) (*Draft, error) {
	d := &Draft{by: c, repo: c.repo, on: on, Parent: on.Head().Hash, files: files}
	err := c.repo.Worktree().CheckPaths(files)
	if err != nil {
		return nil, err
	}
	d.author, d.committer, err = c.repo.Config().Identities(ctx, now)
	if err != nil {
		return nil, err
	}
	why, failed := c.ByGit(ctx)
	hooks, err := c.repo.Hooks().Mode(ctx)
	if err := cmp.Or(failed, err); err != nil {
		return nil, err
	}
	d.viaGit = why != ""
	d.allHooks = d.viaGit && hooks == git.HooksAll
	if n := len(files); d.viaGit && n > filesByGit {
		return nil, fault.New(fault.Unsupported,
			"git itself has to commit in this repository, %d files at a time, and these are %d", filesByGit, n).
			WithHint("ckpt doctor   (says why)")
	}
	b := c.repo.Objects().NewBatch(ctx)
	d.blobs, err = c.repo.Objects().BlobsOf(ctx, b, files)
	if err != nil {
		return nil, err
	}
	if err := d.setEntries(ctx); err != nil || d.Empty {
		return d, err
	}
	if d.allHooks {
		d.message = CleanMessage(message)
		return d, c.flush(ctx, b)
	}
	d.message, err = c.checkMessage(ctx, message)
	if err == nil {
		err = d.make(ctx, b)
	}
	return d, err
}

// setEntries sets d.entries, the entries of the paths in the new commit, and d.Empty.
func (d *Draft) setEntries(ctx context.Context) error {
	had, err := d.repo.Objects().EntriesIn(ctx, d.Parent, change.Paths(d.files))
	if err != nil {
		return err
	}
	d.entries, d.Empty = make(map[string]git.Entry, len(d.files)), true
	for _, f := range d.files {
		was := had[f.Path]
		to := git.Entry{}
		if !f.Gone() {
			to = git.FileEntry(d.blobs[f.Path])
			switch was.Mode {
			case filemode.Symlink, filemode.Submodule:
				return fault.New(fault.Refused, "%q is a link or a submodule in the repository, not a file", f.Path)
			case filemode.Dir:
				return fault.New(fault.Refused, "%q is a folder in the repository, not a file", f.Path)
			case filemode.Empty, filemode.Regular:
			default:
				to.Mode = was.Mode
			}
		}
		d.entries[f.Path] = to
		d.Empty = d.Empty && to == was
	}
	return nil
}

// make stores the commit, together with the blobs of a batch. No ref points to it yet.
func (d *Draft) make(ctx context.Context, b *object.Batch) error {
	sign, err := d.by.Signs(ctx)
	if err != nil {
		return err
	}
	c := object.CommitText{Author: d.author, Committer: d.committer, Message: d.message}
	if parent := d.Parent; parent != "" {
		c.Parents = []string{parent}
	}
	d.commit, err = d.by.storeTree(ctx, b, c, d.Parent, d.entries, sign)
	return err
}

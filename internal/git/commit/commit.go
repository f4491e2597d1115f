// Package commit commits exactly the files that it is given. Everything else that the user has
// (index, working tree, refs, hooks, locks of other programs) stays as it was.
//
// It writes objects, the index and refs itself (git/object, git/index, git/refs), under git's
// locks. In a large repository that takes a fraction of the time of `git commit --only`
// (docs/performance.md), which also takes along what hooks add, and rewrites the whole index;
// go-git's worktree functions commit whatever is staged and take no lock. `git fast-import` with
// `git update-index` was tried, too: three processes, and the branch and the index are not moved
// together. Where only git can write, git's plumbing does (see Backend), and what that cannot do
// either is refused with fault.Unsupported.
//
// Prepare and PrepareMove make a [Draft], which moves the branch at HEAD and the index with it.
// Make, StoreTree and WriteTree store objects alone: no branch, index or working tree takes
// part.
package commit

import (
	"context"
	"errors"
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

// Draft is a commit that is complete except for moving the branch. All checks that can refuse it (a
// missing identity, a hook, a folder in place of a file) were made, and nothing visible has changed
// yet.
type Draft struct {
	by        Committer
	repo      *git.Repo    // of by
	on        git.Checkout // what HEAD must have checked out when the branch moves
	files     []change.File
	message   string
	author    object.Signature
	committer object.Signature

	viaGit bool // git makes the commit, in Land; see [Committer.Backend]
	same   bool // with viaGit: HEAD already has the files

	base    git.Checkout         // what the new commit is built on
	commit  string               // "" if there is nothing to commit
	blobs   map[string]string    // the blobs of the new content by path; removed paths are missing
	found   map[string]string    // the blobs by path in the commit that Prepare found; nil before
	entries map[string]git.Entry // the new entries of the paths, in the tree and in the index

	batch      *object.Batch // the objects that Store writes; nil for none
	indexByGit bool          // only git can write this index
	behind     bool          // the branch has moved, and the index has not
}

// Prepare builds the commit of files (paths from the root) on HEAD. Only these paths change, in
// one commit. The commit's time is now, unless GIT_AUTHOR_DATE or GIT_COMMITTER_DATE give
// another. It takes no lock and moves nothing; the caller then calls Store and Hold, writes the files
// and calls Land. Hold and Land return git.ErrLeft if HEAD has left the checkout on which the
// operation began.
func (c Committer) Prepare(ctx context.Context, on git.Checkout, files []change.File, message string,
	now time.Time) (*Draft, error) {
	d := &Draft{by: c, repo: c.repo, on: on, files: files}
	err := c.repo.Worktree().CheckPaths(files)
	if err != nil {
		return nil, err
	}
	d.author, d.committer, err = c.repo.Config().Identities(ctx, now)
	if err != nil {
		return nil, err
	}
	if _, err := c.repo.Config().Sync(ctx); err != nil {
		return nil, err
	}
	d.base = on
	if on.Refs() == nil {
		d.base, err = c.repo.Checkout()
		if err != nil {
			return nil, err
		}
	}
	why, err := c.needsGit(ctx)
	if err != nil {
		return nil, err
	}
	if why == "" {
		err = d.prepare(ctx, message)
	}
	if why != "" || errors.Is(err, object.ErrMissing) { // a partial clone: git fetches what it needs
		d.viaGit = true
		err = d.prepareByGit(ctx, message)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

func (d *Draft) prepare(ctx context.Context, message string) error {
	b := d.repo.Objects().Database().NewBatch()
	var err error
	d.blobs, err = d.repo.Objects().BlobsOf(ctx, b, d.files)
	if err != nil {
		return err
	}
	tree, err := d.plan(ctx, b)
	if err != nil || tree == "" {
		return err
	}
	d.message, err = d.by.checkMessage(ctx, message)
	if err != nil {
		return err
	}
	return d.finish(ctx, b, tree)
}

// Empty reports whether HEAD already has the files: then there is nothing to commit, and Land does
// nothing.
func (d *Draft) Empty() bool {
	if d.viaGit {
		return d.same
	}
	return d.commit == ""
}

// Parent returns the commit that the new one is built on; "" for none.
func (d *Draft) Parent() string { return d.base.Head().Hash }

// plan builds the trees on top of d.base and returns the new root. It returns "" if that already has
// the files.
func (d *Draft) plan(ctx context.Context, b *object.Batch) (string, error) {
	d.commit, d.batch = "", nil
	head, err := object.ReadCommit(b, d.base.Head().Hash)
	if err != nil {
		return "", err
	}
	if err := d.setEntries(ctx, object.PathsOf(b, head.Tree).At); err != nil {
		return "", err
	}
	tree, err := b.Rewrite(head.Tree, d.entries)
	if err != nil || tree == head.Tree {
		return "", err
	}
	if tree == "" { // the last file is removed
		tree = b.Add(object.Tree, nil)
	}
	return tree, nil
}

// setEntries finds what the paths are to have on top of a commit, which has the entries that
// at returns. It returns git.ErrMoved if that commit has a version of a file that the operation
// has not seen, since the new commit would take that version away.
func (d *Draft) setEntries(ctx context.Context, at func(path string) (git.Entry, error)) error {
	d.entries = make(map[string]git.Entry, len(d.files))
	found := map[string]string{}
	for _, f := range d.files {
		was, err := at(f.Path)
		if err != nil {
			return err
		}
		found[f.Path] = was.Hash
		if d.found != nil {
			if err := d.checkUnmoved(ctx, f, was.Hash); err != nil {
				return err
			}
		}
		to := git.Entry{}
		if !f.Gone() {
			to = object.File(d.blobs[f.Path])
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
	}
	d.found = found
	return nil
}

// checkUnmoved returns git.ErrMoved if the branch has another version of a file than expected: the
// one that Prepare found, and the ones before and after the operation.
func (d *Draft) checkUnmoved(ctx context.Context, f change.File, now string) error {
	if now == d.found[f.Path] || now == d.blobs[f.Path] {
		return nil
	}
	before := ""
	if f.Before != nil {
		var err error
		before, err = d.repo.Objects().BlobOf(ctx, f.Path, f.Before)
		if err != nil {
			return err
		}
	}
	if now != before {
		return git.ErrMoved
	}
	return nil
}

// finish makes the commit of a tree on top of d.base. Store writes the objects later, unless git
// needs them now for a signature.
func (d *Draft) finish(ctx context.Context, b *object.Batch, tree string) error {
	c := object.CommitText{Tree: tree, Author: d.author, Committer: d.committer, Message: d.message}
	if parent := d.Parent(); parent != "" {
		c.Parents = []string{parent}
	}
	sign, err := d.by.Signs(ctx)
	if err != nil {
		return err
	}
	if sign {
		d.commit, err = d.by.signedCommit(ctx, b, c)
		return err
	}
	d.commit, d.batch = b.Add(object.Commit, c.Encode()), b
	return nil
}

// Store writes the commit's objects, to which nothing refers yet. Without it Land writes them. It
// may run concurrently with anything that does not use the repository.
func (d *Draft) Store(sync bool) error {
	b := d.batch
	d.batch = nil
	return b.Flush(sync)
}

// rebuild makes the commit again on a HEAD that has moved.
func (d *Draft) rebuild(ctx context.Context, now git.Checkout) error {
	d.base = now
	b := d.repo.Objects().Database().NewBatch()
	tree, err := d.plan(ctx, b)
	if err != nil || tree == "" {
		return err
	}
	if err := d.finish(ctx, b, tree); err != nil {
		return err
	}
	return d.storeDurably(ctx)
}

func (d *Draft) storeDurably(ctx context.Context) error {
	sync, err := d.repo.Config().Sync(ctx)
	if err != nil {
		return err
	}
	return d.Store(sync)
}

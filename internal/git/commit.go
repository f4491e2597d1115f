package git

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/git/refs"
)

// Committer makes commits.
type Committer struct{ repo *Repo }

// Committer returns the committer of the repository.
func (r *Repo) Committer() Committer { return Committer{repo: r} }

// Draft is a commit that is complete but for the moment when the branch moves. What can be
// refused (a missing identity, a hook's veto, a folder in a file's place) was refused by
// then; nothing visible has changed.
type Draft struct {
	repo      *Repo
	on        Checkout // HEAD has to be on it when the branch moves
	files     []change.File
	message   string
	author    object.Signature
	committer object.Signature

	viaGit bool // git makes the commit, in Land; see [Committer.Backend]
	same   bool // then: HEAD has the files already
	moves  bool // the branch moves to a commit that exists, instead of a new one

	base    refs.Tip                // what the commit is built on
	commit  string                  // "" if there is nothing to commit
	blobs   map[string]string       // the new content by path; a removed path is not in it
	found   map[string]string       // the blobs in the commit that Prepare found, by path; nil before
	entries map[string]object.Entry // what the paths are to have, in the tree and the index

	batch      *object.Batch // the objects that Store is to write; nil for none
	indexByGit bool          // only git can write this index
}

// Prepare builds the commit of files (paths from the root) on HEAD. Only these paths change, in
// one commit. The commit's time is now, unless GIT_AUTHOR_DATE or GIT_COMMITTER_DATE give
// another. It takes no lock and moves nothing; the caller then calls Store, writes the files
// and calls Land. Prepare and Land return ErrLeft if HEAD has left the checkout on which the
// operation began.
func (c Committer) Prepare(ctx context.Context, on Checkout, files []change.File, message string,
	now time.Time) (*Draft, error) {
	d := &Draft{repo: c.repo, on: on, files: files}
	err := c.checkPaths(files)
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
	d.blobs, err = d.repo.Objects().blobsOf(ctx, b, d.files)
	if err != nil {
		return err
	}
	tree, err := d.plan(ctx, b)
	if err != nil || tree == "" {
		return err
	}
	d.message, err = d.repo.Hooks().checkMessage(ctx, message)
	if err != nil {
		return err
	}
	return d.finish(ctx, b, tree)
}

// Empty reports whether HEAD has the files already: there is nothing to commit, and Land
// does nothing.
func (d *Draft) Empty() bool {
	if d.viaGit {
		return d.same
	}
	return d.commit == ""
}

// ByGit reports whether git makes the commit, in Land.
func (d *Draft) ByGit() bool { return d.viaGit }

// tip returns where the commit is to go; ErrLeft if HEAD was to be there and is not.
func (d *Draft) tip() (refs.Tip, error) {
	now, err := d.repo.refs.Head()
	if err == nil && !d.on.equal(now.Chain) {
		err = ErrLeft
	}
	if err == nil && d.on.refs != nil && d.repo.InProgress() != "" {
		err = ErrLeft
	}
	return now, err
}

// plan builds the trees on HEAD and returns the new root, or "" if HEAD has the files.
func (d *Draft) plan(ctx context.Context, b *object.Batch) (string, error) {
	d.commit, d.batch = "", nil
	var err error
	d.base, err = d.tip()
	if err != nil {
		return "", err
	}
	head, err := object.ReadCommit(b, d.base.Hash)
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
// at returns. It returns ErrMoved if that commit has a version of a file that the operation
// has not seen, since the new commit would take that version away.
func (d *Draft) setEntries(ctx context.Context, at func(path string) (object.Entry, error)) error {
	d.entries = make(map[string]object.Entry, len(d.files))
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
		to := object.Entry{}
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

// checkUnmoved returns ErrMoved if the branch has a version of a file that is neither the one
// that Prepare found, nor the file as it was before or is after the operation.
func (d *Draft) checkUnmoved(ctx context.Context, f change.File, now string) error {
	if now == d.found[f.Path] || now == d.blobs[f.Path] {
		return nil
	}
	before := ""
	if f.Before != nil {
		var err error
		before, err = (&attributes{repo: d.repo}).blob(ctx, nil, f.Path, f.Before)
		if err != nil {
			return err
		}
	}
	if now != before {
		return ErrMoved
	}
	return nil
}

// finish makes the commit of a tree on d.base. Its objects are written by Store, unless git
// has to read them for a signature.
func (d *Draft) finish(ctx context.Context, b *object.Batch, tree string) error {
	c := object.CommitText{Tree: tree, Author: d.author, Committer: d.committer, Message: d.message}
	if d.base.Hash != "" {
		c.Parents = []string{d.base.Hash}
	}
	sign, err := d.repo.Committer().signs(ctx)
	if err != nil {
		return err
	}
	if sign {
		d.commit, err = d.repo.Committer().signedCommit(ctx, b, c)
		return err
	}
	d.commit, d.batch = b.Add(object.Commit, c.Encode()), b
	return nil
}

// Store writes the commit's objects, to which nothing points yet; otherwise Land does so. It
// may run beside anything that does not use the repository.
func (d *Draft) Store(sync bool) error {
	b := d.batch
	d.batch = nil
	return b.Flush(sync)
}

// rebuild makes the commit again on a HEAD that has moved.
func (d *Draft) rebuild(ctx context.Context) error {
	if d.moves {
		return ErrMoved
	}
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

// Sync reports whether what is committed has to survive a power cut: git config ckpt.fsync,
// on by default.
func (c Config) Sync(ctx context.Context) (bool, error) {
	value, err := c.Setting(ctx, "ckpt.fsync", "on")
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true, err
	case "false", "no", "off", "0", "":
		return false, err
	}
	return true, fault.New(fault.Invalid, "git config ckpt.fsync: %q is neither on nor off", value).
		WithHint("git config ckpt.fsync on")
}

func paths(files []change.File) []string {
	var all []string
	for _, f := range files {
		all = append(all, f.Path)
	}
	return all
}

package git

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/fault"
)

// Draft is a commit that is ready but for the moment when the branch moves. All
// that can be refused (no identity, a hook's veto, a file in a folder's place)
// has been refused by then; nothing visible has changed.
type Draft struct {
	repo      *Repo
	files     []change.File
	message   string
	author    person
	committer person
	blobs     map[string]plumbing.Hash // path to new content; a removed path is not in it

	on    Checkout                 // what HEAD is to be on when the branch moves
	found map[string]plumbing.Hash // what the files were in the commit that Prepare found; nil before

	move *move // instead of a new commit, the branch moves to one that exists

	viaGit bool // the git binary commits, in Land; see [Repo.Cylinder]
	same   bool // then: HEAD holds the files already

	base   tip           // what the commit was built on
	commit plumbing.Hash // zero where there is nothing to commit
	edits  []edit        // what the paths are to hold, in tree and index

	objects    *batch // what Store is to write; nil for nothing
	indexByGit bool   // only git can write this index
}

// PrepareOn builds the commit of files (paths from the root) on HEAD: the After bytes
// where there are any, else the file is gone. Only these paths change, in one commit. The
// commit's time is now, unless GIT_AUTHOR_DATE or GIT_COMMITTER_DATE give another. It takes
// no lock and moves nothing; the caller then calls Store, writes the files and calls Land.
// Both return ErrLeft if HEAD has left the checkout on which the operation began.
func (r *Repo) PrepareOn(ctx context.Context, on Checkout, files []change.File, message string, now time.Time) (*Draft, error) {
	d := &Draft{repo: r, on: on, files: files, blobs: map[string]plumbing.Hash{}}
	err := r.checkPaths(files)
	if err != nil {
		return nil, err
	}
	if d.author, err = r.identity(ctx, "author", now); err != nil {
		return nil, err
	}
	if d.committer, err = r.identity(ctx, "committer", now); err != nil {
		return nil, err
	}
	if _, err := r.Sync(ctx); err != nil {
		return nil, err
	}
	why, err := r.needsGit(ctx)
	if err != nil {
		return nil, err
	}
	if why == "" {
		err = d.prepare(ctx, message)
	}
	if why != "" || errors.Is(err, errMissing) { // a partial clone: git fetches what it needs
		d.viaGit = true
		err = d.prepareByGit(ctx, message)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

func (d *Draft) prepare(ctx context.Context, message string) error {
	r := d.repo
	b := &batch{db: r.objectsDB()}
	stored := namer{repo: r, batch: b}
	var err error
	for _, f := range d.files {
		if f.Gone() {
			continue
		}
		if d.blobs[f.Path], err = stored.file(ctx, f); err != nil {
			return err
		}
	}
	base, err := d.tip()
	if err != nil {
		return err
	}
	root, err := d.plan(ctx, b, base)
	if err != nil || root.IsZero() {
		return err
	}
	if d.message, err = r.checkMessage(ctx, message); err != nil {
		return err
	}
	return d.finish(ctx, b, root)
}

// Empty says whether HEAD holds the files already: there is nothing to commit,
// and Land does nothing.
func (d *Draft) Empty() bool {
	if d.viaGit {
		return d.same
	}
	return d.commit.IsZero()
}

// ByGit reports whether the git binary makes the commit, in Land.
func (d *Draft) ByGit() bool { return d.viaGit }

// plan builds the trees on base and returns the new root; zero where base has
// them already.
func (d *Draft) plan(ctx context.Context, b *batch, base tip) (plumbing.Hash, error) {
	d.base, d.commit, d.edits, d.objects = base, plumbing.ZeroHash, nil, nil
	old, err := treeOf(b.db, base.hash)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	set, head := map[string]place{}, lookups{db: b, root: old}
	found := map[string]plumbing.Hash{}
	for _, f := range d.files {
		was, err := head.place(f.Path)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		if found[f.Path] = was.hash; d.found != nil {
			if err := d.unmoved(ctx, f, was.hash); err != nil {
				return plumbing.ZeroHash, err
			}
		}
		to := place{}
		if !f.Gone() {
			to = place{filemode.Regular, d.blobs[f.Path]}
			switch was.mode {
			case filemode.Empty, filemode.Regular:
			case filemode.Symlink, filemode.Submodule:
				return plumbing.ZeroHash, fault.New(fault.Refused, "%q is a link or a submodule in the repository, not a file", f.Path)
			default:
				to.mode = was.mode
			}
		}
		set[f.Path] = to
		d.edits = append(d.edits, edit{path: f.Path, to: to})
	}
	d.found = found
	root, err := rewrite(b, old, set)
	if err != nil || root == old {
		return plumbing.ZeroHash, err
	}
	if root.IsZero() { // the last file went
		root = b.add(plumbing.TreeObject, nil)
	}
	return root, nil
}

// unmoved returns ErrMoved if the branch has got a version of a file that the operation
// has not seen: its commit would take that version away.
func (d *Draft) unmoved(ctx context.Context, f change.File, now plumbing.Hash) error {
	if now == d.found[f.Path] || now == d.blobs[f.Path] {
		return nil
	}
	var before plumbing.Hash
	if f.Before != nil {
		var err error
		if before, err = (&namer{repo: d.repo}).blob(ctx, f.Path, f.Before); err != nil {
			return err
		}
	}
	if now != before {
		return ErrMoved
	}
	return nil
}

// finish makes the commit of root on base. Its objects wait for Store, unless git
// has to read them for a signature.
func (d *Draft) finish(ctx context.Context, b *batch, root plumbing.Hash) error {
	sync, err := d.repo.Sync(ctx)
	if err != nil {
		return err
	}
	if sign, err := d.repo.signs(ctx); err != nil {
		return err
	} else if sign {
		if err := b.flush(sync); err != nil {
			return err
		}
		d.commit, err = d.signed(ctx, root)
		return err
	}
	d.commit = b.add(plumbing.CommitObject, d.text(root.String()))
	d.objects = b
	return nil
}

// Store writes the commit's objects, to which nothing points yet; Land does it
// otherwise. It may run beside anything that does not use the repository.
func (d *Draft) Store(sync bool) error {
	b := d.objects
	d.objects = nil
	if b == nil {
		return nil
	}
	return b.flush(sync)
}

// text is the unsigned commit of a tree, as git stores it.
func (d *Draft) text(tree string) []byte {
	var parents []string
	if d.base.hash != "" {
		parents = []string{d.base.hash}
	}
	return commitText(tree, parents, d.author, d.committer, d.message)
}

func commitText(tree string, parents []string, author, committer person, message string) []byte {
	var c bytes.Buffer
	c.WriteString("tree " + tree + "\n")
	for _, parent := range parents {
		c.WriteString("parent " + parent + "\n")
	}
	c.WriteString("author " + string(author) + "\ncommitter " + string(committer) + "\n\n" + message)
	return c.Bytes()
}

// rebuild makes the commit again on a HEAD that has moved.
func (d *Draft) rebuild(ctx context.Context) error {
	if d.move != nil {
		return ErrMoved
	}
	base, err := d.tip()
	if err != nil {
		return err
	}
	b := &batch{db: d.repo.objectsDB()}
	root, err := d.plan(ctx, b, base)
	if err != nil || root.IsZero() {
		return err
	}
	if err := d.finish(ctx, b, root); err != nil {
		return err
	}
	sync, err := d.repo.Sync(ctx)
	if err != nil {
		return err
	}
	return d.Store(sync)
}

// Sync says whether what is committed has to survive a power cut: git config
// ckpt.fsync, on by default.
func (r *Repo) Sync(ctx context.Context) (bool, error) {
	value, err := r.setting(ctx, "ckpt.fsync", "on")
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true, err
	case "false", "no", "off", "0", "":
		return false, err
	}
	return true, fault.New(fault.Invalid, "git config ckpt.fsync: %q is neither on nor off", value).WithHint("git config ckpt.fsync on")
}

// entries is the edits as git takes them.
func (d *Draft) entries() map[string]stored {
	entries := map[string]stored{}
	for _, e := range d.edits {
		entries[e.path] = e.to.stored()
	}
	return entries
}

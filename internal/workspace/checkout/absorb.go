package checkout

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/text"
)

// OpAbsorb is the operation that adds to the ref what commits of a branch have changed.
const OpAbsorb = "absorb"

// TrailerHistory names, in a commit of the ref, the commit of a branch whose history was taken in.
const TrailerHistory = "Checkpoint-History"

// IsUnseen reports whether a commit or one of its ancestors has changes of the folder that were not taken into the
// ref yet. Publishing on top of such a commit would undo these changes.
func (b Branch) IsUnseen(ctx context.Context, commit string) (bool, error) {
	if commit == "" {
		return false, nil
	}
	l, err := b.ledger()
	if err != nil || slices.Contains(l.seen, commit) {
		return false, err
	}
	tree, err := b.tree(ctx, commit)
	if err != nil {
		return false, err
	}
	if len(l.seen) == 0 {
		return tree != "", nil
	}
	// The usual cases are fast: a few commits on top of the last seen one, or one that replaces it with the same folder.
	last, isSame := l.seen[len(l.seen)-1], true
	for at, n := commit, 0; n < 20; n++ {
		c, err := b.Repo.Objects().Commit(ctx, at)
		if err != nil || len(c.Parents) != 1 {
			break
		}
		at = c.Parents[0]
		before, err := b.tree(ctx, at)
		isSame = isSame && before == tree && err == nil
		if at == last {
			return !isSame, nil
		}
	}
	if then, err := b.tree(ctx, last); err == nil && then == tree {
		return false, nil
	}
	args := append([]string{"rev-list", "--ignore-missing", "-1", commit, "--not"}, l.seen...)
	out, err := b.Repo.Offline().Git(ctx, nil, append(args, "--", b.Prefix)...)
	return len(out) > 0, err
}

// Absorbed is what commits of a branch have changed in the folder, to be added to the ref.
type Absorbed struct {
	Tip    string // a commit with the changes, to which nothing points yet; the commit of the ref if there are none
	Remark string // a remark for the user; usually empty

	Branch
	ctx       context.Context
	branch    string
	head, tip string // the commits of HEAD and of the ref

	noArchive bool                 // the files of the archive are left out
	had       map[string]log.Blobs // by file name: the versions that the ref has had
	passed    []string             // the versions in the commits that the ref never had: blob, seconds and path
	pending   step                 // changes that are not merged into set yet
	set       map[string][]byte    // by path: the new contents of files of the ref; nil removes a file
}

// Absorb stores a commit with what commits of HEAD have changed in the folder, on top of tip, the commit of the ref.
// It returns nil if nothing is new. The caller has the exclusive lock, and moves the ref.
func (b Branch) Absorb(ctx context.Context, tip string, now time.Time) (*Absorbed, error) {
	head, err := b.Repo.Head()
	if err != nil {
		return nil, err
	}
	a, err := b.gather(ctx, head, tip, false)
	if a == nil || err != nil {
		return nil, err
	}
	a.branch, err = b.ownBranch()
	if err == nil && len(a.set) > 0 {
		a.Tip, err = a.commit(now)
		if tip != "" {
			a.Remark = "took in " + text.Count(len(a.set), "file") + " that git brought" + a.Remark
		}
	}
	return a, err
}

// Begin records the branch on which the absorbed files are published. The caller moves the ref afterwards.
func (a *Absorbed) Begin() error {
	return a.owe(a.branch, change.At(slices.Sorted(maps.Keys(a.set))), "")
}

// Done records, once the ref has moved, that the ref has seen the commits of the branch.
func (a *Absorbed) Done() error { return a.saw(a.head, a.head) }

// MoveRef moves the ref to Tip and calls Done. It does nothing if a is nil.
func (a *Absorbed) MoveRef(ctx context.Context) error {
	if a == nil {
		return nil
	}
	if a.Tip != a.tip {
		err := a.Begin()
		if err == nil {
			err = a.Ref.Move(ctx, a.Tip, a.tip, "ckpt: "+OpAbsorb)
		}
		if err != nil {
			return err
		}
	}
	return a.Done()
}

// gather returns what commits of HEAD have changed in the folder, or nil if nothing is new. If noArchive is set, it
// leaves out the archive.
func (b Branch) gather(ctx context.Context, head git.Head, tip string, noArchive bool) (*Absorbed, error) {
	if state := b.Repo.InProgress(); state != "" && state != "bisect" && state != "merge" {
		return nil, nil // git may still drop the commits
	}
	unseen, err := b.IsUnseen(ctx, head.Hash)
	if !unseen || err != nil {
		return nil, err
	}
	a := &Absorbed{
		Tip: tip, Branch: b, ctx: ctx, head: head.Hash, tip: tip, noArchive: noArchive, set: map[string][]byte{},
	}
	if tip == "" {
		return a, a.readAll()
	}
	return a, a.replay()
}

// readAll takes in every file of HEAD, for a ref that does not exist yet.
func (a *Absorbed) readAll() error {
	differ, err := a.differing(a.ctx, "", a.head)
	for rel, v := range differ {
		if err == nil && v[1].Regular() && !a.skips(rel) {
			src, failed := a.Repo.Objects().Blob(v[1].Hash)
			a.set[rel], err = Shared(rel, src), failed
		}
	}
	return err
}

// skips reports whether a file is not taken in.
func (a *Absorbed) skips(rel string) bool {
	return !Written(rel) || a.noArchive && checkpoint.InArchive(rel)
}

// isLost reports whether src is not a checkpoint file any more, although the file on the ref is one.
func isLost(rel string, ref, src []byte) bool {
	_, err := checkpoint.Parse(rel, src)
	return src != nil && errors.Is(err, checkpoint.ErrOther) && checkpoint.IDIn(ref) != ""
}

// filesAt returns the files of a commit that have one of these names, or such a name with a number that a merge added.
func (c *Checkout) filesAt(ctx context.Context, tip string, names map[string]bool) (merge.Set, error) {
	tree, err := c.Repo.Objects().TreeAt(ctx, tip, c.Prefix)
	files := merge.Set{}
	for rel, blob := range tree {
		isNamed := names[path.Base(rel)] || names[path.Base(merge.Unnumbered(rel))]
		if err == nil && Written(rel) && isNamed {
			files[rel], err = c.Repo.Objects().Blob(blob)
		}
	}
	return files, err
}

// commit stores the commit with the changes. If it is the first of a ref, all clones at the same HEAD store the same
// one.
func (a *Absorbed) commit(now time.Time) (string, error) {
	spec := commit.Spec{Parents: []string{a.tip}, Files: map[string]git.Entry{}, Contents: map[string][]byte{}, Time: now}
	ids := map[string]bool{}
	for rel, src := range a.set {
		at := a.Prefix + "/" + rel
		spec.Files[at] = git.Entry{}
		if src != nil {
			spec.Files[at], spec.Contents[at] = git.FileEntry(""), src
		}
		if id := checkpoint.IDIn(src); id != "" {
			ids[id] = true
		}
	}
	what := text.Count(len(a.set), "file")
	if a.branch != "" {
		what += " of " + a.branch
	}
	trailers := "Checkpoint-Op: " + OpAbsorb + "\n" + TrailerHistory + ": "
	if a.tip != "" {
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			trailers = "Checkpoint: " + id + "\n" + trailers
		}
		spec.Message = "ckpt: take in " + what + "\n\n" + trailers + a.head + "\n"
		for _, blob := range a.passed { // the merge of a sync reads them
			spec.Message += log.HadTrailer + ": " + blob + "\n"
		}
		return a.Ref.Store(a.ctx, spec, false)
	}
	last := a.head
	if c, ok, err := log.Of(a.Repo).Last(a.ctx, log.Files{Dir: a.Prefix}, a.head); ok && err == nil {
		last = c.Hash // without the trees of older commits, as in a partial clone, last stays HEAD
	}
	root, failed := a.Ref.Root(a.ctx)
	c, err := a.Repo.Objects().Commit(a.ctx, last)
	if err := cmp.Or(failed, err); err != nil {
		return "", err
	}
	c.Parents, c.Message = []string{root}, "ckpt: take in the checkpoints of a branch\n\n"+trailers+last+"\n"
	return commit.Of(a.Repo).StoreTree(a.ctx, c, root, spec.Files, spec.Contents, false)
}

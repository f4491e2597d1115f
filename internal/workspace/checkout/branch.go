package checkout

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/workspace/store"
)

// Branch is the checkpoints folder of a worktree, and what is published in it. In the commit modes own and off
// its files are on the branches of the code. A branch may have older files than the ref, or lack files that
// were begun on another branch. Readers get the version of the ref instead.
type Branch struct {
	*Checkout
	Ref ckptref.Ref

	Blind  bool              // Compare takes all files from the ref, as it does while git changes them
	Opened map[string][]byte // by path: the text that an editor opened, from which the file on disk was edited
}

// During returns the folder as it is with a checkout; see [git.Repo.During].
func (b Branch) During(on git.Checkout) Branch {
	files := *b.Checkout
	files.Repo, files.recorded = b.Repo.During(on), &ledger{}
	b.Checkout = &files
	return b
}

// Found is how the folder of a worktree compares with a commit of the ref.
type Found struct {
	State State         // what the worktree remembers once it has seen that commit
	Laid  store.Overlay // what is to be read in place of the files on disk
	Head  git.Head      // the commit of the branch

	Edited map[string]bool // the files with edits by hand that the ref lacks
	Linked []string        // the files that HEAD has a link in place of, so that it never gets those of the ref

	Marks string // the ids that the branch marks as current
	At    string // the state of the index when the files were read; "" if git was changing it
	Wrote int    // how many files were written without a commit

	landed time.Time // when the index was written with a commit of ours; zero for never

	in      Branch
	files   map[string]*file
	brought map[string][]byte // the files that commits of the branch have brought and the ref lacks
	moved   bool              // in ref mode: State has to change, though no file may differ
}

// file is a file that differs between two commits, or whose mark of the current checkpoint has to change. The files
// on disk are from the first commit: HEAD or, if they are on no branch, the commit of the ref that was written last.
// The second is the commit of the ref.
type file struct {
	head []byte // in the commit that the files are from; nil for none
	disk []byte
	want []byte // as the ref has it, with the mark of the current checkpoint
	ref  []byte // as the ref has it

	skipped bool // a sparse checkout leaves the file out

	link      bool   // the first commit has a link or the like: the ref is read in place of it
	aside     bool   // left alone: HEAD has a link or the like, or the file on disk cannot be read
	unsettled bool   // the index has it in conflict: a person may have resolved a part
	byHand    bool   // the file on disk was edited by hand
	base      []byte // the version that was edited by hand; nil for none
}

// outdated reports whether the file on disk is as ckpt or git wrote it, but not as the ref has it.
func (f *file) outdated() bool { return !f.byHand && !f.aside && !change.Same(f.disk, f.want) }

// Saved returns the files on disk that differ from HEAD, unchanged. It is called if a save found nothing to save, so
// they do not count as edited by hand any more. While git is busy it returns none, because git may have written them.
func (f *Found) Saved() (files []change.File) {
	if f.in.Repo.InProgress() != "" {
		return nil
	}
	for _, rel := range slices.Sorted(maps.Keys(f.files)) {
		if file := f.files[rel]; !change.Same(file.disk, file.head) && !file.aside {
			file.byHand = false
			files = append(files, change.File{Path: rel, Before: file.disk, After: file.disk})
		}
	}
	return files
}

// IsBehind reports whether files on no branch, or their state file, are not as they should be.
func (f *Found) IsBehind() bool { return len(f.Laid) > 0 || f.moved }

// IsBehind reports whether the worktree may lack something of a commit of the ref, and can get it now: before an
// operation has taken in what the branch has brought, it cannot.
func (b Branch) IsBehind(f *Found, tip string) bool {
	s := f.State
	switch {
	case tip == "":
		return false
	case s.landing != "", b.Repo.Index().LockedByUs():
		return true
	case b.Repo.Index().IsLocked(), b.Repo.InProgress() != "", len(f.brought) > 0: // a reader does not wait for git
		return false
	case s.isNew:
		return len(b.debtors()) > 0
	default:
		isElsewhere := func(branch string) bool { return branch != s.Branch && !strings.HasPrefix(branch, detached) }
		waits := slices.ContainsFunc(b.debtors(), isElsewhere) && time.Since(disk.Changed(b.Repo.Index().File())) > patience
		return waits || s.written != tip || s.at != stamp(f.Head)
	}
}

// Unsure reports whether git was changing the files. If so, all are read from the ref, and edits by hand are not
// recognized.
func (f *Found) Unsure() bool { return f.At == "" }

// Compare compares the folder with a commit of the ref. Unless the branch is Blind, it returns git.ErrMoved if it
// cannot tell whether git or a person wrote a file, because HEAD moves meanwhile. After an operation that has changed
// files, before is what the operation found; the edits by hand in it do not count as such any more.
func (b Branch) Compare(ctx context.Context, tip string, before *Found, changed []change.File) (*Found, error) {
	s, failed := b.Load()
	head, err := b.Repo.Head()
	if err := cmp.Or(failed, err); err != nil {
		return nil, err
	}
	if b.apart && s.apart != tip && !log.Of(b.Repo).HasCommit(s.apart) {
		s.apart = "" // git has removed it, as a gc does once the ref was deleted: all files count as edited
		clear(s.left)
	}
	was := s
	if s.announced != "" {
		b.complete(ctx, &s, tip)
	}
	if s.Worktree == "" {
		s.isNew, s.Worktree = true, fmt.Sprintf("%016x", rand.Uint64())
	}
	f := &Found{in: b, State: s, Laid: store.Overlay{}, Edited: map[string]bool{}, Head: head, files: map[string]*file{}}
	c := comparing{
		Branch: b, ctx: ctx, Found: f, tip: tip, from: head.Hash, was: was, before: before, changed: changed,
	}
	if b.apart {
		f.At, f.State.Branch, f.State.apart, c.from = apart, head.Branch(), tip, was.apart
		f.State.left = map[string]string{}
		return f, c.read(c.addMissing, c.showCurrent)
	}
	c.was.left = nil
	if !b.Blind {
		f.At = b.Repo.Index().Stamp()
	}
	f.State.Branch, err = b.ownBranch()
	if err != nil {
		return nil, err
	}
	c.away = f.State.Branch != "" && head.Ref == ""
	if !b.Repo.Locked() { // with the lock, Absorb has taken in what is new
		c.noArchive = tip == "" && !b.isSparse() // it is on disk as a whole, and nothing in it is current
		a, err := b.gather(ctx, head, tip, c.noArchive)
		if err != nil {
			return nil, err
		}
		if a != nil {
			c.brought = a.set
		}
	}
	err = c.read(c.addUnknown, c.addConflicts, c.addSkipped, c.addBrought, c.decideCurrent)
	if tip == "" && c.brought == nil {
		f.Laid = nil // there is nothing else to read than the files
	}
	return f, err
}

// apart is the value of [Found].At for files that git does not change.
const apart = "apart"

// ownBranch returns the name of the branch that the user works on, also while a rebase or a bisect has detached
// HEAD; "" for none.
func (c *Checkout) ownBranch() (string, error) {
	ref, err := c.Repo.Branches().OwnBranch()
	return strings.TrimPrefix(ref, git.LocalRefs), err
}

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

// During returns b with a repository that answers from a checkout; see [git.Repo.During].
func (b Branch) During(on git.Checkout) Branch {
	files := *b.Checkout
	files.Repo, files.recorded = b.Repo.During(on), &ledger{}
	b.Checkout = &files
	return b
}

// Found is how the folder of a worktree compares with a commit of the ref.
type Found struct {
	State State         // the state of the worktree after the comparison
	Laid  store.Overlay // the contents that readers get in place of the files on disk
	Head  git.Head      // HEAD when the folder was compared

	Edited map[string]bool // the files with edits by hand that the ref lacks
	Linked []string        // the files that cannot be published, since HEAD has a link or the like in their place

	Marks string // the ids that the branch marks as current
	At    string // the state of the index when the files were read; "" if git was changing it
	Wrote int    // how many files were written without a commit

	landed time.Time // when Publish wrote the index with its commit; zero if it made none

	in      Branch
	files   map[string]*file
	brought map[string][]byte // by path: contents in commits of the branch that the ref lacks
	moved   bool              // in ref mode: State has to be saved, even if no file differs
	idle    bool              // git has written no file since ckpt last wrote files, and then the state
}

// file is a file that differs between two commits, or whose mark of the current checkpoint has to change. The files
// on disk are from the first commit: HEAD or, in ref mode, the commit of the ref from which they were last written.
// The second commit is that of the ref.
type file struct {
	head []byte // the content in the first commit; nil if the file is not there
	disk []byte
	want []byte // the content on the ref, with the mark of the current checkpoint
	ref  []byte // the content on the ref

	skipped bool // a sparse checkout leaves the file out

	link      bool   // the first commit has a link or the like here; the ref is read instead
	aside     bool   // left alone: HEAD has a link or the like, or the file on disk cannot be read
	unsettled bool   // the index has a conflict, of which a person may have resolved a part
	byHand    bool   // the file on disk was edited by hand
	base      []byte // the version from which an edit by hand was made; nil for a new file
}

// outdated reports whether the file on disk is as ckpt or git wrote it, but not as the ref has it.
func (f *file) outdated() bool { return !f.byHand && !f.aside && !change.Same(f.disk, f.want) }

// Saved is called after a save that found no edits. It returns the files on disk that differ from HEAD, unchanged,
// and does not count them as edited by hand any more. While git is busy it returns none: git may have written them.
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

// IsBehind reports whether, in ref mode, the files or the state file have to be updated.
func (f *Found) IsBehind() bool { return len(f.Laid) > 0 || f.moved }

// IsBehind reports whether the worktree may lack something of a commit of the ref, and can get it now. It cannot
// while git is busy, or while the ref lacks changes of the branch.
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

// Compare compares the folder with a commit of the ref. Unless b is Blind, it returns git.ErrMoved if HEAD moves
// meanwhile: git or a person may have written the files. After an operation on changed files, before is the
// comparison that it began with: edits by hand that it found do not count as such any more.
func (b Branch) Compare(ctx context.Context, tip string, before *Found, changed []change.File) (*Found, error) {
	s, failed := b.Load()
	head, err := b.Repo.Head()
	if err := cmp.Or(failed, err); err != nil {
		return nil, err
	}
	if b.apart && s.apart != tip && !log.Of(b.Repo).HasCommit(s.apart) {
		s.apart = "" // a gc has removed the commit after the ref was deleted: all files count as edited
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
		c.noArchive = tip == "" && !b.isSparse() // the whole archive is on disk, and nothing in it is current
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
		f.Laid = nil // there is nothing to read but the files
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

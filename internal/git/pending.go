package git

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/disk"
)

// Operations wait where neither the working tree nor the branch may be touched:
// while git is in the middle of something, and inside its hooks. They are kept as
// commits on a ref of our own, refs/ckpt/pending/<worktree>, each on top of the
// one before; the first has no parent, so `git log` of the ref lists what waits
// and nothing else. The tree of each says all: base/ holds the files as they were
// before, now/ as they are to be, both by their paths from the root. A file that is
// in one of them only is to be made, or removed. seen/ holds those that were found
// otherwise than in base/, which is so where hand edits were saved. `git diff
// refs/ckpt/pending/main:base refs/ckpt/pending/main:now` shows it to a person.
//
// A mark in this working tree's own folder says that the ref is worth a look, so
// that not waiting costs one stat wherever refs are kept: loose, packed or in a
// table. The mark comes before the ref and goes after it. Where the operations belong to
// one branch, since HEAD left it while they were made, its second line names that branch.
// The mark goes with its worktree, the ref does not: so each commit also names the branch
// that its worktree was on, in a trailer.

const (
	pendingRefs = "refs/ckpt/pending/"
	pendingBase = "base"
	pendingSeen = "seen"
	pendingNow  = "now"
)

// Waiting is the operations that wait in a pending ref.
type Waiting struct {
	Ref   string
	Files []Held // by path from the root

	// Branch is the full name of the branch that the operations belong to; "" where they
	// land wherever HEAD is.
	Branch string

	// Inherited reports that an earlier worktree of the same name left the operations.
	Inherited bool

	tip string // the commit
}

// Held is one file that waits; nil bytes are no file.
type Held struct {
	Path string
	Base []byte // what both it and the working tree began as
	Seen []byte // what it was found as when the last operation was done on it
	Now  []byte // what it is to be
}

// PendingRef is where operations of this working tree wait.
func (r *Repo) PendingRef() string {
	if r.gitDir == r.commonDir {
		return pendingRefs + "main"
	}
	name := filepath.Base(r.gitDir)
	if strings.EqualFold(name, "main") || strings.HasPrefix(name, "linked-") {
		name = "linked-" + name // a linked one may be called main, too
	}
	return pendingRefs + name
}

func (r *Repo) pendingMark() string { return filepath.Join(r.gitDir, "ckpt", "pending") }

// Waiting is what waits for this working tree; nil where nothing does, which one
// stat tells.
func (r *Repo) Waiting(ctx context.Context) (*Waiting, error) {
	mark, err := os.ReadFile(r.pendingMark())
	if errors.Is(err, fs.ErrNotExist) {
		return r.inherited(ctx)
	}
	tip, err := r.refValue(ctx, r.PendingRef())
	if err != nil {
		return nil, err
	}
	if tip == "" {
		if r.lock != nil { // nobody is about to make the ref: a death left the mark
			_ = os.Remove(r.pendingMark())
		}
		return nil, nil
	}
	w, err := r.waitingAt(ctx, tip)
	if err == nil {
		_, branch, _ := strings.Cut(string(mark), "\n")
		w.Branch = strings.TrimSpace(branch)
	}
	return w, err
}

// Awaits reports whether operations belong to another branch than the one that HEAD is on,
// or goes back to after a rebase or a bisect. They stay pending until it is on theirs, as
// long as that is there.
func (r *Repo) Awaits(ctx context.Context, w *Waiting, on Checkout) (bool, error) {
	if w.Branch == "" {
		return false, nil
	}
	own, err := r.OwnBranch(on)
	if err != nil || w.Branch == own {
		return false, err
	}
	tip, err := r.refValue(ctx, w.Branch)
	return tip != "", err
}

// OwnBranch returns the full name of the branch that HEAD is on, or goes back to after a
// rebase or a bisect; "" for none.
func (r *Repo) OwnBranch(on Checkout) (string, error) {
	for _, name := range [...]string{"rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"} {
		branch, err := r.gitNote(name)
		if err != nil {
			return "", err
		}
		if branch = strings.TrimPrefix(branch, "refs/heads/"); branch != "" && !isHash(branch) && branch != "detached HEAD" {
			return "refs/heads/" + branch, nil
		}
	}
	if on.Branch() == "" {
		return "", nil
	}
	return "refs/heads/" + on.Branch(), nil
}

func (r *Repo) waitingAt(ctx context.Context, tip string) (*Waiting, error) {
	w := &Waiting{Ref: r.PendingRef(), tip: tip}
	held := map[string]Held{}
	for _, side := range []struct {
		dir string
		set func(h *Held, src []byte)
	}{
		{pendingBase, func(h *Held, src []byte) { h.Base, h.Seen = src, src }},
		{pendingSeen, func(h *Held, src []byte) { h.Seen = src }},
		{pendingNow, func(h *Held, src []byte) { h.Now = src }},
	} {
		files, err := r.filesAt(ctx, w.tip, side.dir)
		if err != nil {
			return nil, err
		}
		for path, src := range files {
			h := held[path]
			h.Path = path
			side.set(&h, src)
			held[path] = h
		}
	}
	w.Files = slices.Collect(maps.Values(held))
	slices.SortFunc(w.Files, func(a, b Held) int { return strings.Compare(a.Path, b.Path) })
	return w, nil
}

// Wait adds an operation to those that wait, if they still are what was; nil for
// none. Files is all that is to wait from now on, that of the earlier operations
// included; branch is [Waiting.Branch] of all of them. The caller holds the lock.
func (r *Repo) Wait(ctx context.Context, was *Waiting, branch string, files []Held, message string, now time.Time) error {
	author, err := r.identity(ctx, "author", now)
	if err != nil {
		return err
	}
	committer, err := r.identity(ctx, "committer", now)
	if err != nil {
		return err
	}
	sync, err := r.Sync(ctx)
	if err != nil {
		return err
	}
	old := ""
	if was != nil {
		old = was.tip
	} else if old, err = r.refValue(ctx, r.PendingRef()); err != nil {
		return err // without a mark: what waits there unseen stays in its history
	}
	d := &Draft{repo: r, author: author, committer: committer, message: cleanMessage(message)}
	d.base.hash = old
	var commit string
	if r.foreign() != "" {
		commit, err = d.pendingByGit(ctx, files)
	} else {
		commit, err = d.pending(files, sync)
	}
	if err != nil {
		return err
	}
	if branch != "" {
		branch += "\n"
	}
	if err := disk.WriteFile(r.pendingMark(), []byte(r.PendingRef()+"\n"+branch), sync); err != nil {
		return err
	}
	return r.moveRef(ctx, r.PendingRef(), commit, old)
}

// pending stores the commit whose tree holds files as they were and are to be.
func (d *Draft) pending(files []Held, sync bool) (string, error) {
	b := &batch{db: d.repo.objectsDB()}
	set := map[string]place{}
	for _, f := range files {
		for _, side := range sides(f) {
			set[side.path] = place{filemode.Regular, b.add(plumbing.BlobObject, side.content)}
		}
	}
	root, err := rewrite(b, plumbing.ZeroHash, set)
	if err != nil {
		return "", err
	}
	if root.IsZero() {
		root = b.add(plumbing.TreeObject, nil)
	}
	commit := b.add(plumbing.CommitObject, d.text(root.String()))
	return commit.String(), b.flush(sync)
}

// side is what one side of the tree holds at a path.
type side struct {
	path    string
	content []byte
}

func sides(f Held) []side {
	var all []side
	if f.Base != nil {
		all = append(all, side{pendingBase + "/" + f.Path, f.Base})
	}
	if f.Seen != nil && !bytes.Equal(f.Base, f.Seen) {
		all = append(all, side{pendingSeen + "/" + f.Path, f.Seen})
	}
	if f.Now != nil {
		all = append(all, side{pendingNow + "/" + f.Path, f.Now})
	}
	return all
}

// Operations are the operations that wait, the newest first.
func (r *Repo) Operations(ctx context.Context, w *Waiting) ([]Commit, error) {
	out, err := r.git(ctx, nil, "log", "--first-parent", "-z", "--no-color", "--no-show-signature", "--encoding=UTF-8", logFormat(), w.tip, "--")
	if err != nil {
		return nil, err
	}
	return parseCommits(string(out), "")
}

// Before is what waited before the operation that a commit of [Repo.Operations]
// holds; nil for nothing.
func (r *Repo) Before(ctx context.Context, c Commit) (*Waiting, error) {
	if len(c.Parents) == 0 {
		return nil, nil
	}
	return r.waitingAt(ctx, c.Parents[0])
}

// Drop forgets the operations that wait in w and not in to, which [Repo.Before] has
// found; nil for all. If the ref has moved in the meantime it stays, and that is an
// error. The caller holds the lock.
func (r *Repo) Drop(ctx context.Context, w, to *Waiting) error {
	if to == nil {
		return r.Landed(ctx, w)
	}
	return r.moveRef(ctx, w.Ref, to.tip, w.tip)
}

// Landed forgets what waited: it is where it belongs now. If the ref has moved in
// the meantime it stays, and that is an error. The caller holds the lock.
func (r *Repo) Landed(ctx context.Context, w *Waiting) error {
	if err := r.moveRef(ctx, w.Ref, "", w.tip); err != nil {
		return err
	}
	return disk.Remove(r.pendingMark())
}

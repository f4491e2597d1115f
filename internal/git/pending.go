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

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/object"
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
	tip, err := r.Ref(ctx, r.PendingRef())
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
	tip, err := r.Ref(ctx, w.Branch)
	return tip != "", err
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
	author, committer, err := r.identities(ctx, now)
	if err != nil {
		return err
	}
	old := ""
	if was != nil {
		old = was.tip
	} else if old, err = r.Ref(ctx, r.PendingRef()); err != nil {
		return err // without a mark: what waits there unseen stays in its history
	}
	c := object.CommitText{Author: author, Committer: committer, Message: cleanMessage(message)}
	if old != "" {
		c.Parents = []string{old}
	}
	entries, contents := map[string]Entry{}, map[string][]byte{}
	for _, f := range files {
		for _, side := range sides(f) {
			entries[side.path], contents[side.path] = FileEntry(""), side.content
		}
	}
	commit, err := r.store(ctx, c, "", entries, contents, false)
	if err != nil {
		return err
	}
	sync, err := r.Sync(ctx)
	if err != nil {
		return err
	}
	if branch != "" {
		branch += "\n"
	}
	if err := disk.WriteFile(r.pendingMark(), []byte(r.PendingRef()+"\n"+branch), sync); err != nil {
		return err
	}
	return r.MoveRef(ctx, r.PendingRef(), commit, old)
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
	out, err := r.Git(ctx, nil, "log", "--first-parent", "-z", "--no-color", "--no-show-signature", "--encoding=UTF-8", logFormat(), w.tip, "--")
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
	return r.MoveRef(ctx, w.Ref, to.tip, w.tip)
}

// Landed forgets what waited: it is where it belongs now. If the ref has moved in
// the meantime it stays, and that is an error. The caller holds the lock.
func (r *Repo) Landed(ctx context.Context, w *Waiting) error {
	if err := r.MoveRef(ctx, w.Ref, "", w.tip); err != nil {
		return err
	}
	return disk.Remove(r.pendingMark())
}

// filesAt is the content of every file below dir in a commit, by its path there.
func (r *Repo) filesAt(ctx context.Context, commit, dir string) (map[string][]byte, error) {
	names, err := r.TreeAt(ctx, commit, dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for path, name := range names {
		src, err := r.Blob(name)
		if err != nil {
			return nil, err
		}
		if src == nil {
			src = []byte{}
		}
		files[path] = src
	}
	return files, nil
}

// BranchTrailer is the trailer of a pending commit that names the branch, in full, that
// its worktree was on.
const BranchTrailer = "Checkpoint-Branch"

// Orphan is a pending ref that no worktree knows of.
type Orphan struct {
	Ref    string
	Branch string // the full name of the branch that its operations belong to; "" where they name none

	tip string
}

// Orphans returns the pending refs of worktrees that are gone, of those that are there again
// under the same name, and of copies of a repository. Where nothing is pending in any
// worktree it runs no git.
func (r *Repo) Orphans(ctx context.Context) ([]Orphan, error) {
	if some, err := r.somethingPending(); err != nil || !some {
		return nil, err
	}
	out, err := r.Git(ctx, nil, "for-each-ref", "--format=%(refname) %(objectname) %(contents:trailers:key="+BranchTrailer+",valueonly)", pendingRefs)
	if err != nil {
		return nil, err
	}
	var gone []Orphan
	for line := range strings.Lines(string(out)) {
		field := append(strings.Fields(line), "")
		if len(field) < 3 || !strings.HasPrefix(field[0], pendingRefs) { // the line that ends a trailer
			continue
		}
		if !disk.Exists(r.markOf(field[0])) {
			gone = append(gone, Orphan{Ref: field[0], tip: field[1], Branch: field[2]})
		}
	}
	return gone, nil
}

// markOf is where the worktree that a pending ref is named after has its mark.
func (r *Repo) markOf(ref string) string {
	dir := r.commonDir
	if ref != pendingRefs+"main" {
		dir = filepath.Join(dir, "worktrees", strings.TrimPrefix(strings.TrimPrefix(ref, pendingRefs), "linked-"))
	}
	return filepath.Join(dir, "ckpt", "pending")
}

// somethingPending reports whether any worktree may have a pending ref.
func (r *Repo) somethingPending() (bool, error) {
	if r.foreign() != "" {
		return true, nil
	}
	loose, err := os.ReadDir(filepath.Join(r.commonDir, filepath.FromSlash(pendingRefs)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fault.New(fault.Failed, "read %s: %w", pendingRefs, err)
	}
	if len(loose) > 0 {
		return true, nil
	}
	packed, err := os.ReadFile(filepath.Join(r.commonDir, "packed-refs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fault.New(fault.Failed, "read packed-refs: %w", err)
	}
	return bytes.Contains(packed, []byte(" "+pendingRefs)), nil
}

// Adopt makes the operations of an orphan pending in this worktree, where none are. A
// death in between leaves them pending in both: landing them twice changes nothing. The
// caller holds the lock.
func (r *Repo) Adopt(ctx context.Context, o Orphan) error {
	if err := r.markPending(); err != nil || o.Ref == r.PendingRef() {
		return err
	}
	if err := r.MoveRef(ctx, r.PendingRef(), o.tip, ""); err != nil {
		return err
	}
	return r.MoveRef(ctx, o.Ref, "", o.tip)
}

// inherited returns what an earlier worktree of the same name left for the branch that
// this one is on; nil for nothing. Where refs are files it costs a stat.
func (r *Repo) inherited(ctx context.Context) (*Waiting, error) {
	if r.gitDir == r.commonDir {
		return nil, nil
	}
	if disk.Exists(filepath.Join(r.gitDir, "ckpt")) && (r.foreign() != "" || !disk.Exists(r.refs.File(r.PendingRef()))) {
		return nil, nil // a worktree that ckpt knows, or a ref that was packed since: [Repo.Orphans] finds it
	}
	tip, err := r.Ref(ctx, r.PendingRef())
	if err != nil || tip == "" {
		return nil, err
	}
	out, err := r.Git(ctx, nil, "log", "-1", "--no-show-signature", "--format=%(trailers:key="+BranchTrailer+",valueonly)", tip)
	if err != nil {
		return nil, err
	}
	on, err := r.Checkout()
	if err != nil {
		return nil, err
	}
	own, err := r.OwnBranch(on)
	if branch := strings.TrimSpace(string(out)); err != nil || branch == "" || branch != own {
		return nil, err
	}
	w, err := r.waitingAt(ctx, tip)
	if err != nil {
		return nil, err
	}
	w.Branch, w.Inherited = own, true
	return w, nil
}

// markPending makes the mark that this worktree has a pending ref.
func (r *Repo) markPending() error {
	return disk.WriteFile(r.pendingMark(), []byte(r.PendingRef()+"\n"), false)
}

// HasBranch reports whether a branch, by its full name, is there.
func (r *Repo) HasBranch(ctx context.Context, name string) (bool, error) {
	tip, err := r.Ref(ctx, name)
	return tip != "", err
}

// CheckedOutIn returns the folder of the other worktree that has a branch, by its full
// name, checked out; empty for none.
func (r *Repo) CheckedOutIn(ctx context.Context, branch string) (string, error) {
	all, err := r.otherWorktrees(ctx)
	for _, t := range all {
		if t.ref == branch {
			return t.root, nil
		}
	}
	return "", err
}

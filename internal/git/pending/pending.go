// Package pending records operations that cannot be committed now: while git is in the middle
// of something, and inside its hooks, neither the working tree nor the branch may be touched.
package pending

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
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/object"
)

// Ref is the pending ref of a working tree.
type Ref struct{ repo *git.Repo }

// Of returns the ref of a repository.
func Of(repo *git.Repo) Ref { return Ref{repo: repo} }

// Pending operations are commits on a ref of their own, refs/ckpt/pending/<worktree>, each on
// top of the one before. The first has no parent, so `git log` of the ref lists the pending
// operations and nothing else. The tree of each has all changes: base/ contains the files as
// they were before, now/ as they are to be, both by their paths from the root. A file that is in
// one of them only is to be made, or removed. seen/ contains those that were found to differ
// from base/, as after hand edits that were saved. `git diff
// refs/ckpt/pending/main:base refs/ckpt/pending/main:now` shows it to a person.
//
// A mark in this working tree's own folder tells that the ref exists, so that one stat is
// enough if nothing is pending, wherever refs are: loose, packed or in a table. The mark comes
// before the ref and goes after it. Where the operations belong to
// one branch, since HEAD left it while they were made, its second line names that branch.
// The mark goes with its worktree, the ref does not: so each commit also names the branch
// that its worktree was on, in a trailer.

const (
	pendingRefs = "refs/ckpt/pending/"
	pendingBase = "base"
	pendingSeen = "seen"
	pendingNow  = "now"
)

// Changes is what the pending operations of a ref amount to.
type Changes struct {
	Ref   string
	Files []File // by path from the root

	// Branch is the full name of the branch to which the operations belong. It is empty if they
	// can be committed on any branch.
	Branch string

	// Inherited reports that an earlier worktree of the same name left the operations.
	Inherited bool

	tip string // the commit
}

// File is a file that pending operations change; nil means that the file does not exist.
type File struct {
	Path string
	Base []byte // what both it and the working tree began as
	Seen []byte // what it was found as when the last operation was done on it
	Now  []byte // what it is to be
}

// Name returns the ref of this working tree.
func (p Ref) Name() string { return pendingRefs + p.repo.WorktreeName() }

func (p Ref) pendingMark() string { return filepath.Join(p.repo.JournalDir(), "pending") }

// Load returns the pending changes of this working tree; nil for none, which takes one stat.
func (p Ref) Load(ctx context.Context) (*Changes, error) {
	mark, err := os.ReadFile(p.pendingMark())
	if errors.Is(err, fs.ErrNotExist) {
		return p.inherited(ctx)
	}
	tip, err := p.repo.Refs().Read(ctx, p.Name())
	if err != nil {
		return nil, err
	}
	if tip == "" {
		if p.repo.Locked() { // no other process is making the ref: a death left the mark
			_ = os.Remove(p.pendingMark())
		}
		return nil, nil
	}
	w, err := p.waitingAt(ctx, tip)
	if err == nil {
		_, branch, _ := strings.Cut(string(mark), "\n")
		w.Branch = strings.TrimSpace(branch)
	}
	return w, err
}

// ForOtherBranch reports whether operations belong to another branch than the one that HEAD is
// on, or goes back to after a rebase or a bisect. They stay pending until HEAD is on theirs, as
// long as that exists.
func (p Ref) ForOtherBranch(ctx context.Context, w *Changes, on git.Checkout) (bool, error) {
	if w.Branch == "" {
		return false, nil
	}
	own, err := p.repo.Branches().OwnBranch(on)
	if err != nil || w.Branch == own {
		return false, err
	}
	tip, err := p.repo.Refs().Read(ctx, w.Branch)
	return tip != "", err
}

func (p Ref) waitingAt(ctx context.Context, tip string) (*Changes, error) {
	w := &Changes{Ref: p.Name(), tip: tip}
	held := map[string]File{}
	for _, side := range []struct {
		dir string
		set func(h *File, src []byte)
	}{
		{pendingBase, func(h *File, src []byte) { h.Base, h.Seen = src, src }},
		{pendingSeen, func(h *File, src []byte) { h.Seen = src }},
		{pendingNow, func(h *File, src []byte) { h.Now = src }},
	} {
		files, err := p.filesAt(ctx, w.tip, side.dir)
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
	slices.SortFunc(w.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return w, nil
}

// Append adds an operation to the pending ones if they still are what was; nil is none. Files
// are all pending changes from now on, those of the earlier operations included; branch is
// [Changes.Branch] of all of them. The caller has the lock.
func (p Ref) Append(ctx context.Context, was *Changes, branch string, files []File, message string,
	now time.Time) error {
	author, committer, err := p.repo.Config().Identities(ctx, now)
	if err != nil {
		return err
	}
	old := ""
	if was != nil {
		old = was.tip
	} else {
		old, err = p.repo.Refs().Read(ctx, p.Name())
		if err != nil {
			return err // without a mark: what waits there unseen stays in its history
		}
	}
	c := object.CommitText{Author: author, Committer: committer, Message: commit.CleanMessage(message)}
	if old != "" {
		c.Parents = []string{old}
	}
	entries, contents := map[string]git.Entry{}, map[string][]byte{}
	for _, f := range files {
		for _, side := range sides(f) {
			entries[side.path], contents[side.path] = git.FileEntry(""), side.content
		}
	}
	commit, err := commit.Of(p.repo).StoreTree(ctx, c, "", entries, contents, false)
	if err != nil {
		return err
	}
	sync, err := p.repo.Config().Sync(ctx)
	if err != nil {
		return err
	}
	if branch != "" {
		branch += "\n"
	}
	if err := disk.WriteFile(p.pendingMark(), []byte(p.Name()+"\n"+branch), sync); err != nil {
		return err
	}
	return p.repo.Refs().Move(ctx, p.Name(), commit, old)
}

// side is the content of a path on one side of the tree.
type side struct {
	path    string
	content []byte
}

func sides(f File) []side {
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

// Commits returns the commits of the pending operations, the newest first.
func (p Ref) Commits(ctx context.Context, w *Changes) ([]log.Commit, error) {
	return log.Of(p.repo).FirstParents(ctx, w.tip)
}

// Before returns the pending changes before the operation of one of [Ref.Commits]; nil for
// none.
func (p Ref) Before(ctx context.Context, c log.Commit) (*Changes, error) {
	if len(c.Parents) == 0 {
		return nil, nil
	}
	return p.waitingAt(ctx, c.Parents[0])
}

// Drop removes the operations of w that are not in to, which Before has found; nil removes all.
// If the ref has moved meanwhile it stays, and that is an error. The caller has the lock.
func (p Ref) Drop(ctx context.Context, w, to *Changes) error {
	if to == nil {
		return p.Delete(ctx, w)
	}
	return p.repo.Refs().Move(ctx, w.Ref, to.tip, w.tip)
}

// Delete removes all pending operations, which are committed now. If the ref has moved
// meanwhile it stays, and that is an error. The caller has the lock.
func (p Ref) Delete(ctx context.Context, w *Changes) error {
	if err := p.repo.Refs().Move(ctx, w.Ref, "", w.tip); err != nil {
		return err
	}
	return disk.Remove(p.pendingMark())
}

// filesAt returns the content of every file below dir in a commit, by path below dir.
func (p Ref) filesAt(ctx context.Context, commit, dir string) (map[string][]byte, error) {
	names, err := p.repo.Objects().TreeAt(ctx, commit, dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for path, name := range names {
		src, err := p.repo.Objects().Blob(name)
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

// BranchTrailer is the trailer of a pending commit with the full name of the branch that its
// worktree was on.
const BranchTrailer = "Checkpoint-Branch"

// Orphan is a pending ref that no worktree has a mark for.
type Orphan struct {
	Ref    string
	Branch string // the full name of the branch to which its operations belong; may be empty

	tip string
}

// Orphans returns the pending refs of worktrees that are gone, of those that exist again under
// the same name, and of copies of a repository. If nothing is pending in any worktree it runs
// no git.
func (p Ref) Orphans(ctx context.Context) ([]Orphan, error) {
	if some, err := p.somethingPending(); err != nil || !some {
		return nil, err
	}
	rows, err := p.repo.Refs().List(ctx,
		[]string{"refname", "objectname", "contents:trailers:key=" + BranchTrailer + ",valueonly"}, pendingRefs)
	var gone []Orphan
	for _, row := range rows {
		if !disk.Exists(p.markOf(row[0])) {
			branch, _, _ := strings.Cut(row[2], "\n")
			gone = append(gone, Orphan{Ref: row[0], tip: row[1], Branch: branch})
		}
	}
	return gone, err
}

// markOf returns the mark of the worktree that a pending ref is named after.
func (p Ref) markOf(ref string) string {
	dir := p.repo.CommonDir()
	if ref != pendingRefs+"main" {
		dir = filepath.Join(dir, "worktrees", strings.TrimPrefix(strings.TrimPrefix(ref, pendingRefs), "linked-"))
	}
	return filepath.Join(dir, "ckpt", "pending")
}

// somethingPending reports whether any worktree may have a pending ref.
func (p Ref) somethingPending() (bool, error) {
	if p.repo.Foreign() != "" {
		return true, nil
	}
	found, err := p.repo.FileRefs().Below(pendingRefs)
	return len(found) > 0, err
}

// Adopt makes the operations of an orphan pending in this worktree, which has none. After a
// death in between they are pending in both: landing them twice changes nothing. The caller has
// the lock.
func (p Ref) Adopt(ctx context.Context, o Orphan) error {
	if err := p.markPending(); err != nil || o.Ref == p.Name() {
		return err
	}
	if err := p.repo.Refs().Move(ctx, p.Name(), o.tip, ""); err != nil {
		return err
	}
	return p.repo.Refs().Move(ctx, o.Ref, "", o.tip)
}

// inherited returns what an earlier worktree of the same name left for the branch that this one
// is on; nil for nothing. It takes a stat where refs are files.
func (p Ref) inherited(ctx context.Context) (*Changes, error) {
	if p.repo.WorktreeName() == "main" {
		return nil, nil
	}
	if disk.Exists(p.repo.JournalDir()) && (p.repo.Foreign() != "" || !disk.Exists(p.repo.FileRefs().File(p.Name()))) {
		return nil, nil // a worktree that ckpt knows, or a ref that was packed since: [Ref.Orphans] finds it
	}
	tip, err := p.repo.Refs().Read(ctx, p.Name())
	if err != nil || tip == "" {
		return nil, err
	}
	out, err := p.repo.Git(ctx, nil, "log", "-1", "--no-show-signature",
		"--format=%(trailers:key="+BranchTrailer+",valueonly)", tip)
	if err != nil {
		return nil, err
	}
	on, err := p.repo.Checkout()
	if err != nil {
		return nil, err
	}
	own, err := p.repo.Branches().OwnBranch(on)
	if branch := strings.TrimSpace(string(out)); err != nil || branch == "" || branch != own {
		return nil, err
	}
	w, err := p.waitingAt(ctx, tip)
	if err != nil {
		return nil, err
	}
	w.Branch, w.Inherited = own, true
	return w, nil
}

// markPending makes the mark that this worktree has a pending ref.
func (p Ref) markPending() error {
	return disk.WriteFile(p.pendingMark(), []byte(p.Name()+"\n"), false)
}

// Times returns when each file below dir was last touched by a pending operation; nil if none
// is pending.
func (p Ref) Times(ctx context.Context, dir string) (map[string]time.Time, error) {
	tip, err := p.repo.Refs().Read(ctx, p.Name())
	if err != nil || tip == "" {
		return nil, err
	}
	found, _, err := log.Of(p.repo).Times(ctx, pendingNow+"/"+dir, "", tip)
	at := make(map[string]time.Time, len(found))
	for path, when := range found {
		at[strings.TrimPrefix(path, pendingNow+"/"+dir+"/")] = when
	}
	return at, err
}

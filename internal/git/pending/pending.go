// Package pending records operations that cannot be committed now. While a merge or the like is in
// progress, and inside hooks of git, neither the working tree nor the branch may be changed.
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

// Pending operations are commits on a ref of their own, refs/ckpt/pending/<worktree>, each on top
// of the one before. The first has no parent, so `git log` of the ref lists the pending operations
// and nothing else. The tree of each has all changes: base/ contains the files from before the
// operation, now/ those from after it, both by their paths from the root. A file that is in only
// one of them was added or removed. seen/ contains files that were found to differ from base/, for
// example because edits by hand were saved. `git diff refs/ckpt/pending/main:base
// refs/ckpt/pending/main:now` shows it to a person.
//
// A marker file in this working tree's git folder tells that the ref exists, so that one stat is
// enough if nothing is pending, however refs are stored. The file is created before the ref and
// removed after it. If the operations belong to one branch, because HEAD left it while they were
// made, the second line names that branch. When a worktree is removed, the file is removed with it
// and the ref stays; so each commit also has a trailer with the branch that its worktree was on.

const (
	pendingRefs = "refs/ckpt/pending/"
	pendingBase = "base"
	pendingSeen = "seen"
	pendingNow  = "now"
)

// Changes has the combined changes of the pending operations of a ref.
type Changes struct {
	Ref   string
	Files []File // sorted by path from the root

	// Branch is the full name of the branch to which the operations belong. It is empty if they
	// can be committed on any branch.
	Branch string

	// Inherited is set if an earlier worktree of the same name left the operations.
	Inherited bool

	tip string // the commit of the ref
}

// File is a file that pending operations change. Nil stands for a missing file.
type File struct {
	Path string
	Base []byte // the content from which both Now and the working tree started
	Seen []byte // the content that the last operation found
	Now  []byte // the new content
}

// Name returns the ref of this working tree.
func (p Ref) Name() string { return pendingRefs + p.repo.WorktreeName() }

func (p Ref) pendingMark() string { return filepath.Join(p.repo.JournalDir(), "pending") }

// Load returns the pending changes of this working tree; nil for none. If nothing is pending, it
// takes one stat.
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
		if p.repo.Locked() { // no other process is creating the ref, so a killed one left the marker file
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

// ForOtherBranch reports whether the operations belong to another branch than that of HEAD, or than
// the one to which HEAD returns after a rebase or a bisect. They stay pending until HEAD is on
// their branch, as long as that branch exists.
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

// Append adds an operation to the pending ones, if those still equal was; nil means none. Files has
// all pending changes including the new ones; branch becomes the [Changes.Branch] of all of them.
// The caller has the lock.
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
			return err // the marker file is missing: commits that it did not announce stay in the ref's history
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

// side is the content of a path on one side of the tree: base, seen or now.
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

// Drop removes the operations of w that are not in to, a result of Before; nil removes all. If the
// ref has moved meanwhile, it stays unchanged and Drop returns an error. The caller has the lock.
func (p Ref) Drop(ctx context.Context, w, to *Changes) error {
	if to == nil {
		return p.Delete(ctx, w)
	}
	return p.repo.Refs().Move(ctx, w.Ref, to.tip, w.tip)
}

// Delete removes all pending operations, after they were committed. If the ref has moved meanwhile,
// it stays unchanged and Delete returns an error. The caller has the lock.
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

// BranchTrailer is the trailer of a pending commit with the full name of the branch of its
// worktree.
const BranchTrailer = "Checkpoint-Branch"

// Orphan is a pending ref without a marker file in any worktree.
type Orphan struct {
	Ref    string
	Branch string // the full name of the branch to which its operations belong; may be empty

	tip string
}

// Orphans returns the pending refs of worktrees that are gone, of such worktrees that were created
// again, and of copies of a repository. If no worktree has a pending ref, it does not run git.
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

// Refs returns the pending refs of all worktrees.
func (p Ref) Refs(ctx context.Context) ([]string, error) {
	if some, err := p.somethingPending(); err != nil || !some {
		return nil, err
	}
	rows, err := p.repo.Refs().List(ctx, []string{"refname"}, pendingRefs)
	var all []string
	for _, row := range rows {
		all = append(all, row[0])
	}
	return all, err
}

// markOf returns the path of the marker file of the worktree that a pending ref is named after.
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

// Adopt makes the operations of an orphan pending in this worktree, which has none. If the process
// is killed half way they are pending in both; committing them twice changes nothing. The caller
// has the lock.
func (p Ref) Adopt(ctx context.Context, o Orphan) error {
	if err := p.markPending(); err != nil || o.Ref == p.Name() {
		return err
	}
	if err := p.repo.Refs().Move(ctx, p.Name(), o.tip, ""); err != nil {
		return err
	}
	return p.repo.Refs().Move(ctx, o.Ref, "", o.tip)
}

// inherited returns what an earlier worktree of the same name left for the branch of this one; nil
// for nothing. If refs are files, it takes a stat.
func (p Ref) inherited(ctx context.Context) (*Changes, error) {
	if p.repo.WorktreeName() == "main" {
		return nil, nil
	}
	if disk.Exists(p.repo.JournalDir()) && (p.repo.Foreign() != "" || !disk.Exists(p.repo.FileRefs().File(p.Name()))) {
		return nil, nil // ckpt has run in this worktree, or the ref was packed since: [Ref.Orphans] finds it
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

// markPending creates the marker file for the pending ref of this worktree.
func (p Ref) markPending() error {
	return disk.WriteFile(p.pendingMark(), []byte(p.Name()+"\n"), false)
}

// Times returns the time of the last pending operation on each file below dir; nil if none is
// pending.
func (p Ref) Times(ctx context.Context, dir string) (map[string]time.Time, error) {
	tip, err := p.repo.Refs().Read(ctx, p.Name())
	if err != nil || tip == "" {
		return nil, err
	}
	found, _, err := log.Of(p.repo).Touched(ctx, pendingNow+"/"+dir, "", tip)
	at := make(map[string]time.Time, len(found.At))
	for path, when := range found.At {
		at[strings.TrimPrefix(path, pendingNow+"/"+dir+"/")] = when
	}
	return at, err
}

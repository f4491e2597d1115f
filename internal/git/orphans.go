package git

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

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
	out, err := r.git(ctx, nil, "for-each-ref", "--format=%(refname) %(objectname) %(contents:trailers:key="+BranchTrailer+",valueonly)", pendingRefs)
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
	if err := r.moveRef(ctx, r.PendingRef(), o.tip, ""); err != nil {
		return err
	}
	return r.moveRef(ctx, o.Ref, "", o.tip)
}

// inherited returns what an earlier worktree of the same name left for the branch that
// this one is on; nil for nothing. Where refs are files it costs a stat.
func (r *Repo) inherited(ctx context.Context) (*Waiting, error) {
	if r.gitDir == r.commonDir {
		return nil, nil
	}
	if disk.Exists(filepath.Join(r.gitDir, "ckpt")) && (r.foreign() != "" || !disk.Exists(r.refFile(r.PendingRef()))) {
		return nil, nil // a worktree that ckpt knows, or a ref that was packed since: [Repo.Orphans] finds it
	}
	tip, err := r.refValue(ctx, r.PendingRef())
	if err != nil || tip == "" {
		return nil, err
	}
	out, err := r.git(ctx, nil, "log", "-1", "--no-show-signature", "--format=%(trailers:key="+BranchTrailer+",valueonly)", tip)
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
	tip, err := r.refValue(ctx, name)
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

// Package modified determines when checkpoints were last changed. That is the latest of four times:
// of the last change recorded in the file, of the last commit that touched it, of the last pending
// operation on it, and of an uncommitted edit.
//
// In ref mode it also determines to which branch a checkpoint belongs: to one on which it was last
// made current, else to the one on which it was begun.
//
// What commits tell is cached in the git folder of the worktree, with the hash of HEAD: history is
// read once, and later only its new part.
package modified

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/pending"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// Times has the times of the last changes of checkpoints. It is safe for concurrent use.
type Times struct {
	*folder.Folder
	ctx       context.Context
	now       func() time.Time
	touched   map[string]time.Time // times of the last commits; the keys are paths in the folder
	begun     map[string]string    // in ref mode, by id: the branch on which it was begun
	current   map[string]string    // in ref mode, by branch: the id that was last made current on it
	committed map[string]string    // blobs in the user's own commit, by path
	pending   map[string]time.Time // times of the last pending operations, by path
	mu        sync.Mutex           // protects the reading of objects
}

// Load reads the times of the folder, or only of active/. The caller has the lock. If the clone
// does not have all of history, Load returns [git.ErrElsewhere], and times that are based on the
// files alone.
func Load(ctx context.Context, at *folder.Folder, now func() time.Time, scope store.Scope) (*Times, error) {
	t := &Times{Folder: at, ctx: ctx, now: now}
	if t.Store.HasPending() {
		var err error
		t.pending, err = pending.Of(t.Repo).Times(ctx, t.Prefix)
		if err != nil {
			return t, err
		}
	}
	own, err := t.Commits.Branches().Origin(ctx)
	if err != nil {
		return t, err
	}
	if own != "" { // git has checked out another commit than the user's own
		t.committed, err = t.Commits.Objects().TreeAt(ctx, own, t.Prefix)
	} else {
		var head git.Head
		head, err = t.Commits.Head()
		if err != nil || head.Hash == "" {
			return t, err
		}
		own = head.Hash
		t.committed, err = t.Committed(scope)
	}
	if err != nil {
		return t, err
	}
	return t, t.readCommits(ctx, scope, own)
}

// LoadToShow loads times as Load does, but accepts a clone without the whole history.
func LoadToShow(ctx context.Context, at *folder.Folder, now func() time.Time, scope store.Scope) (*Times, error) {
	t, err := Load(ctx, at, now, scope)
	if errors.Is(err, git.ErrElsewhere) {
		err = nil
	}
	return t, err
}

// CommittedBlob returns the hash that a file of the folder has in the last commit.
func (t *Times) CommittedBlob(path string) string { return t.committed[path] }

// OfCommitted returns when a checkpoint was last changed whose file is as in the last commit. Told
// is the last change that the file records.
func (t *Times) OfCommitted(path string, told time.Time) time.Time {
	for _, at := range []time.Time{t.touched[path], t.pending[path]} {
		if at.After(told) {
			told = at
		}
	}
	return told
}

// Of returns when a checkpoint was last changed.
func (t *Times) Of(cp *checkpoint.Checkpoint) time.Time {
	last := t.OfCommitted(cp.Path, cp.Changed())
	src := cp.Doc.Bytes()
	// The file on disk of a pending one is git's, and so is its time.
	if t.Store.IsPending(cp.Path) || t.committed[cp.Path] == git.BlobHash(src) {
		return last
	}
	path := t.FromRoot(cp.Path)
	edited := t.Repo.Worktree().ModTime(path).Truncate(time.Second)
	if now := t.now(); edited.After(now) {
		edited = now
	}
	if !edited.After(last) {
		return last
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if lacks, err := t.Lacks(t.ctx, []change.File{{Path: cp.Path, After: src}}); err == nil && len(lacks) == 0 {
		return last // only the line endings differ, which git converts
	}
	return edited
}

func (t *Times) file() string { return filepath.Join(t.Repo.JournalDir(), "touched") }

// readCommits reads when files were last touched by a commit, and the branches of checkpoints. If
// the cache is for this HEAD, it parses only the lines of the scope.
func (t *Times) readCommits(ctx context.Context, scope store.Scope, head string) error {
	known, kept := t.readKept()
	if known == head {
		if scope == store.Live { // the paths are sorted
			kept, _, _ = strings.Cut(kept, " "+store.Archive+"/")
		}
		t.parseKept(kept)
		return nil
	}
	t.parseKept(kept)
	fresh, ok, err := log.Of(t.Commits).Touched(ctx, t.Prefix, known, head)
	if err == nil && !ok {
		t.parseKept("")
		fresh, _, err = log.Of(t.Commits).Touched(ctx, t.Prefix, "", head)
	}
	if err != nil {
		return err
	}
	for path, when := range fresh.At {
		path = strings.TrimPrefix(path, t.Prefix+"/")
		if when.After(t.touched[path]) {
			t.touched[path] = when
		}
	}
	if t.OnRef() {
		maps.Copy(fresh.Branches, t.begun) // the older commits count
		t.begun = fresh.Branches
		t.current, err = t.currents(ctx, head)
		if err != nil {
			return err
		}
	}
	t.keep(head)
	return nil
}

// currents returns the ids that a commit of the checkpoint ref has for branches.
func (t *Times) currents(ctx context.Context, commit string) (map[string]string, error) {
	files, err := t.Repo.Objects().TreeAt(ctx, commit, t.InTree(checkout.CurrentFolder))
	current := map[string]string{}
	for branch, blob := range files {
		src, err := t.Repo.Objects().Blob(blob)
		if err != nil {
			return nil, err
		}
		current[branch] = strings.TrimSpace(string(src))
	}
	return current, err
}

// Branch returns the branch to which a checkpoint belongs, in ref mode: one on which it was last
// made current, the branch here if it is one of several, else the one on which it was begun. It is
// empty if no commit tells.
func (t *Times) Branch(id, here string) string {
	if here != "" && t.current[here] == id {
		return here
	}
	for _, branch := range slices.Sorted(maps.Keys(t.current)) {
		if t.current[branch] == id {
			return branch
		}
	}
	return t.begun[id]
}

// readKept returns the cached lines, each with a time and a path, and the commit that they are for.
// Both are empty if nothing is cached, or if the cache is for another folder.
func (t *Times) readKept() (head, kept string) {
	src, err := disk.ReadFile(t.file())
	first, kept, _ := strings.Cut(string(src), "\n")
	head, of, _ := strings.Cut(first, " ")
	if err != nil || of != t.Prefix {
		return "", ""
	}
	return head, kept
}

// The lines of the cache that name a branch begin with one of these; the others with a time.
const (
	begunOn   = "@" // then the branch, and the id of a checkpoint
	currentOn = "="
)

// parseKept reads the lines of the cache.
func (t *Times) parseKept(lines string) {
	t.touched, t.begun, t.current = map[string]time.Time{}, map[string]string{}, map[string]string{}
	for line := range strings.Lines(lines) {
		first, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if branch, ok := strings.CutPrefix(first, begunOn); ok {
			t.begun[rest] = branch
		} else if branch, ok := strings.CutPrefix(first, currentOn); ok {
			t.current[branch] = rest
		} else if unix, err := strconv.ParseInt(first, 10, 64); err == nil {
			t.touched[rest] = time.Unix(unix, 0)
		}
	}
}

// keep writes the cache. If that fails, history is read again the next time.
func (t *Times) keep(head string) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", head, t.Prefix)
	for _, branch := range slices.Sorted(maps.Keys(t.current)) {
		fmt.Fprintf(&b, "%s%s %s\n", currentOn, branch, t.current[branch])
	}
	for _, id := range slices.Sorted(maps.Keys(t.begun)) {
		fmt.Fprintf(&b, "%s%s %s\n", begunOn, t.begun[id], id)
	}
	for _, path := range slices.Sorted(maps.Keys(t.touched)) {
		if !strings.Contains(path, "\n") {
			fmt.Fprintf(&b, "%d %s\n", t.touched[path].Unix(), path)
		}
	}
	_ = disk.WriteFile(t.file(), []byte(b.String()), false)
}

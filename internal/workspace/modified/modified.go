// Package modified determines when checkpoints were last changed. That is the latest of three times:
// of the last change recorded in the file, of the last commit that touched it, and of an uncommitted
// edit.
//
// It also determines to which branch a checkpoint belongs: one on which it was the last to be made current, or else
// the one on which it was begun.
//
// The commits are those of the checkpoint ref. The result is cached in the git folder of the worktree,
// with the hash of the newest: history is read once, and later only its new part.
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
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// Times has the times of the last changes of checkpoints. It is safe for concurrent use.
type Times struct {
	*folder.Folder
	ctx       context.Context
	now       func() time.Time
	own       string               // the newest commit of the ref, or HEAD without a ref; may be empty
	touched   map[string]time.Time // by path in the folder or id: the time of the last commit that touched it
	begun     map[string]string    // by id: the branch on which it was begun
	current   map[string]string    // by branch: the id that was last made current on it
	committed map[string]string    // the blobs in the newest commit, by path
	mu        sync.Mutex           // protects what follows, and the reading of objects
	atHead    map[string]string    // the blobs in HEAD, by path; nil until they are needed
	onBranch  map[string]time.Time // like touched, for the commits of HEAD; nil until it is needed
}

// Load reads when checkpoints were last changed: all, or only those in active/. The caller holds the lock. In a clone
// without the whole history, Load returns [git.ErrElsewhere] together with times that come from the files alone.
func Load(ctx context.Context, at *folder.Folder, now func() time.Time, scope store.Scope) (*Times, error) {
	t := &Times{Folder: at, ctx: ctx, now: now}
	head, err := t.Commits.Head()
	if err != nil || head.Hash == "" {
		return t, err
	}
	t.own = head.Hash
	t.committed, err = t.Committed(scope)
	if err != nil {
		return t, err
	}
	return t, t.readCommits(ctx)
}

// LoadToShow loads times as Load does, but accepts a clone without the whole history.
func LoadToShow(ctx context.Context, at *folder.Folder, now func() time.Time, scope store.Scope) (*Times, error) {
	t, err := Load(ctx, at, now, scope)
	if errors.Is(err, git.ErrElsewhere) {
		err = nil
	}
	return t, err
}

// Of returns when a checkpoint was last changed.
func (t *Times) Of(cp *checkpoint.Checkpoint) time.Time {
	last := slices.MaxFunc([]time.Time{cp.Changed(), t.touched[cp.Path], t.touched[cp.ID]}, time.Time.Compare)
	src := cp.Doc.Bytes()
	// A file that the overlay replaces was written by git, so its time does not count.
	if t.Store.IsPending(cp.Path) || t.committed[cp.Path] == t.Repo.Objects().BlobHash(checkout.Shared(cp.Path, src)) {
		return last
	}
	path := t.FromRoot(cp.Path)
	if at := t.brought(cp.Path, src); !at.IsZero() {
		return slices.MaxFunc([]time.Time{last, at}, time.Time.Compare)
	}
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

// brought returns when commits of the branch last touched a file that the checkpoint ref does not have yet, as after
// a pull. It returns zero if the file differs from HEAD's, or if the commits cannot be read.
func (t *Times) brought(rel string, src []byte) time.Time {
	head, err := t.Repo.Head()
	if err != nil || head.Hash == "" || !t.OnRef() {
		return time.Time{}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.atHead == nil {
		t.atHead, _ = t.Repo.Objects().TreeAt(t.ctx, head.Hash, t.Prefix)
	}
	if t.atHead[rel] != t.Repo.Objects().BlobHash(src) {
		return time.Time{}
	}
	if t.onBranch == nil {
		t.onBranch, _ = log.Of(t.Repo).LastTouched(t.ctx, head.Hash, t.Prefix)
	}
	return t.onBranch[rel]
}

// readCommits reads when commits last touched files, and the branches of checkpoints. It reads the cache, and only
// the newer part of history.
func (t *Times) readCommits(ctx context.Context) error {
	known := t.readCache()
	if known == t.own {
		return nil
	}
	fresh, ok, err := log.Of(t.Commits).Touched(ctx, t.Prefix, known, t.own)
	if err == nil && !ok { // history was rewritten
		t.forget()
		fresh, _, err = log.Of(t.Commits).Touched(ctx, t.Prefix, "", t.own)
	}
	if err != nil {
		return err
	}
	for path, when := range fresh.At {
		if when.After(t.touched[path]) {
			t.touched[path] = when
		}
	}
	maps.Copy(fresh.Branches, t.begun) // the oldest commit that names a branch counts
	t.begun = fresh.Branches
	t.current, err = t.currents(ctx, t.own)
	if err != nil {
		return err
	}
	t.keep()
	return nil
}

// currents returns the ids that a commit of the checkpoint ref records as current, by branch.
func (t *Times) currents(ctx context.Context, commit string) (map[string]string, error) {
	files, err := t.Repo.Objects().TreeAt(ctx, commit, t.InTree(checkout.CurrentFolder))
	current := map[string]string{}
	for name, blob := range files {
		src, err := t.Repo.Objects().Blob(blob)
		if err != nil {
			return nil, err
		}
		current[checkout.BranchOf(name)] = checkout.FirstLine(src)
	}
	return current, err
}

// Branch returns the branch to which a checkpoint belongs: one on which it was the last to be made current,
// preferably here, or else the one on which it was begun. It returns "" if no commit names a branch.
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

func (t *Times) cacheFile() string { return filepath.Join(t.Repo.StateDir(), "touched") }

func (t *Times) forget() {
	t.touched, t.begun, t.current = map[string]time.Time{}, map[string]string{}, map[string]string{}
}

// readCache reads the cache, and returns the commit that it is for. It returns "" if there is no cache, or if
// it is for another folder.
func (t *Times) readCache() (head string) {
	t.forget()
	src, err := disk.ReadFile(t.cacheFile())
	first, lines, _ := strings.Cut(string(src), "\n")
	head, prefix, ok := strings.Cut(first, " ")
	if err != nil || !ok || prefix != t.Prefix {
		return ""
	}
	t.parseKept(lines)
	return head
}

// Lines of the cache that name a branch begin with one of these. Other lines begin with a time.
const (
	begunOn   = "@" // followed by a branch and the id of a checkpoint
	currentOn = "="
)

// parseKept reads the lines of the cache.
func (t *Times) parseKept(lines string) {
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

// keep writes the cache. If that fails, history is read again the next time. Files that are no longer in active/ are
// left out: if such a file comes back, the commit that adds it gives its time.
func (t *Times) keep() {
	var lines strings.Builder
	lines.WriteString(t.own + " " + t.Prefix + "\n")
	for _, branch := range slices.Sorted(maps.Keys(t.current)) {
		fmt.Fprintf(&lines, "%s%s %s\n", currentOn, branch, t.current[branch])
	}
	for _, id := range slices.Sorted(maps.Keys(t.begun)) {
		fmt.Fprintf(&lines, "%s%s %s\n", begunOn, t.begun[id], id)
	}
	for _, path := range slices.Sorted(maps.Keys(t.touched)) {
		stays := checkpoint.InArchive(path) || t.committed[path] != "" || !strings.Contains(path, "/")
		if stays && !strings.Contains(path, "\n") {
			fmt.Fprintf(&lines, "%d %s\n", t.touched[path].Unix(), path)
		}
	}
	_ = disk.WriteFile(t.cacheFile(), []byte(lines.String()), false)
}

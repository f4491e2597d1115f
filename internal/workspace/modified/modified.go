// Package modified determines when checkpoints were last changed. That is the latest of four times:
// of the last change recorded in the file, of the last commit that touched it, of the last pending
// operation on it, and of an uncommitted edit.
//
// The times of commits are cached in the git folder of the worktree, with the hash of HEAD: history
// is read once, and later only its new part.
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
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// Times has the times of the last changes of checkpoints. It is safe for concurrent use.
type Times struct {
	*folder.Folder
	ctx       context.Context
	now       func() time.Time
	touched   map[string]time.Time // times of the last commits; the keys are paths in the folder
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
		t.committed, err = t.Commits.Objects().TreeAt(ctx, own, t.Tree)
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
	t.touched, err = t.readCommits(ctx, scope, own)
	return t, err
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
	last := cp.Changed()
	for _, at := range []time.Time{t.touched[cp.Path], t.pending[cp.Path]} {
		if at.After(last) {
			last = at
		}
	}
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

// readCommits returns when files were last touched by a commit, by their paths in the folder. If
// the cache is for this HEAD, it parses only the lines of the scope.
func (t *Times) readCommits(ctx context.Context, scope store.Scope, head string) (map[string]time.Time, error) {
	known, kept := t.readKept()
	if known == head {
		if scope == store.Live { // the paths are sorted
			kept, _, _ = strings.Cut(kept, " "+store.Archive+"/")
		}
		return parseTouched(kept), nil
	}
	at := parseTouched(kept)
	fresh, ok, err := log.Of(t.Commits).Times(ctx, t.Tree, known, head)
	if err == nil && !ok {
		at = map[string]time.Time{}
		fresh, _, err = log.Of(t.Commits).Times(ctx, t.Tree, "", head)
	}
	if err != nil {
		return nil, err
	}
	for path, when := range fresh {
		path = strings.TrimPrefix(path, t.Tree+"/")
		if when.After(at[path]) {
			at[path] = when
		}
	}
	t.keep(at, head)
	return at, nil
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

func parseTouched(lines string) map[string]time.Time {
	at := map[string]time.Time{}
	for line := range strings.Lines(lines) {
		seconds, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if unix, err := strconv.ParseInt(seconds, 10, 64); err == nil {
			at[path] = time.Unix(unix, 0)
		}
	}
	return at
}

// keep writes the cache. If that fails, history is read again the next time.
func (t *Times) keep(at map[string]time.Time, head string) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", head, t.Prefix)
	for _, path := range slices.Sorted(maps.Keys(at)) {
		if !strings.Contains(path, "\n") {
			fmt.Fprintf(&b, "%d %s\n", at[path].Unix(), path)
		}
	}
	_ = disk.WriteFile(t.file(), []byte(b.String()), false)
}

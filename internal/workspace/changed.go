package workspace

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
	"example.com/ckpt/internal/workspace/store"
)

// lastChanges tells when checkpoints were last changed: the newest of what the file says,
// the commit that last touched it, a pending operation that did, and an edit that no
// commit has. It is safe for concurrent use.
//
// What commits have touched is kept in the git folder, a working tree's own, for the
// commit that it was found for: history is walked once, and then only what is new of it.
type LastChanges struct {
	Ctx       context.Context
	P         *Workspace
	touched   map[string]time.Time // by path in the folder
	committed map[string]string    // blobs of the user's own commit, likewise
	pending   map[string]time.Time // when pending operations touched files, likewise
	look      sync.Mutex           // into the objects
}

// changes reads what is needed of the folder, or of active/ alone. The caller is inside
// of a glance, or has the lock.
func (p *Workspace) Changes(ctx context.Context, scope store.Scope) (*LastChanges, error) {
	c := &LastChanges{Ctx: ctx, P: p}
	if len(p.Store.Overlay) > 0 {
		var err error
		if c.pending, err = pending.Of(p.Repo).Times(ctx, p.Prefix); err != nil {
			return nil, err
		}
	}
	own, err := p.Repo.Branches().Origin(ctx)
	if err != nil {
		return nil, err
	}
	if own != "" { // git has the working tree at another commit
		c.committed, err = p.Repo.Objects().TreeAt(ctx, own, p.Prefix)
	} else {
		var head git.Head
		if head, err = p.Repo.Head(); err != nil || head.Hash == "" {
			return c, err
		}
		own = head.Hash
		c.committed, err = p.committedFiles(scope)
	}
	if err != nil {
		return nil, err
	}
	c.touched, err = p.touched(ctx, scope, own)
	return c, err
}

// changesToShow is changes for answers that a clone without all of history can give, too:
// what the files say has to do there.
func (p *Workspace) ChangesToShow(ctx context.Context, scope store.Scope) (*LastChanges, error) {
	c, err := p.Changes(ctx, scope)
	if errors.Is(err, git.ErrElsewhere) {
		return c, nil
	}
	return c, err
}

// of returns when a checkpoint was last changed.
func (c *LastChanges) Of(cp *checkpoint.Checkpoint) time.Time {
	last := cp.Changed()
	for _, at := range []time.Time{c.touched[cp.Path], c.pending[cp.Path]} {
		if at.After(last) {
			last = at
		}
	}
	src := cp.Doc.Bytes()
	_, laid := c.P.Store.Overlay[cp.Path] // the file on disk is git's, and so is its time
	if laid || c.committed[cp.Path] == git.BlobHash(src) {
		return last
	}
	path := c.P.FromRoot(cp.Path)
	edited := c.P.Repo.Worktree().ModTime(path).Truncate(time.Second)
	if now := c.P.Now(); edited.After(now) {
		edited = now
	}
	if !edited.After(last) {
		return last
	}
	c.look.Lock()
	defer c.look.Unlock()
	if held, err := c.P.Repo.Objects().HasAll(c.Ctx, []change.File{{Path: path, After: src}}); err == nil && held {
		return last // only its line endings differ, by git's own rules
	}
	return edited
}

func (p *Workspace) touchedFile() string { return filepath.Join(p.Repo.JournalDir(), "touched") }

// touched returns when files were last touched by a commit, by their paths in the folder.
// Where they are kept for this very HEAD, only those of the scope are read.
func (p *Workspace) touched(ctx context.Context, scope store.Scope, head string) (map[string]time.Time, error) {
	known, kept := p.readTouched()
	if known == head {
		if scope == store.Live { // the paths are sorted
			kept, _, _ = strings.Cut(kept, " "+store.Archive+"/")
		}
		return parseTouched(kept), nil
	}
	at := parseTouched(kept)
	fresh, ok, err := log.Of(p.Repo).Times(ctx, p.Prefix, known, head)
	if err == nil && !ok {
		at = map[string]time.Time{}
		fresh, _, err = log.Of(p.Repo).Times(ctx, p.Prefix, "", head)
	}
	if err != nil {
		return nil, err
	}
	for path, when := range fresh {
		if path = strings.TrimPrefix(path, p.Prefix+"/"); when.After(at[path]) {
			at[path] = when
		}
	}
	p.keepTouched(at, head)
	return at, nil
}

// readTouched returns what is kept, a time and a path on each line, and the commit that
// it was found for; "" where nothing is kept, or for another folder.
func (p *Workspace) readTouched() (head, kept string) {
	src, err := disk.ReadFile(p.touchedFile())
	first, kept, _ := strings.Cut(string(src), "\n")
	head, of, _ := strings.Cut(first, " ")
	if err != nil || of != p.Prefix {
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

// keepTouched keeps what was found. Where it cannot be written history is walked again.
func (p *Workspace) keepTouched(at map[string]time.Time, head string) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", head, p.Prefix)
	for _, path := range slices.Sorted(maps.Keys(at)) {
		if !strings.Contains(path, "\n") {
			fmt.Fprintf(&b, "%d %s\n", at[path].Unix(), path)
		}
	}
	_ = disk.WriteFile(p.touchedFile(), []byte(b.String()), false)
}

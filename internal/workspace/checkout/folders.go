package checkout

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/workspace/store"
)

// folders is what two commits of the ref and the worktree have, except for the settled folders:
// those of the archive that are the same in both commits and that had all their files when they
// were last modified. So an archive of 10,000 files costs a stat for each of its months.
type folders struct {
	c        *Checkout
	was, now map[string]string // the blobs of the files that have a copy in the worktree, by path
	present  map[string]bool   // the files that exist in the worktree
	known    map[string]int64  // the folders that are settled according to the state file
	settled  map[string]int64  // those that still are, and those that have become it
}

// look compares the commit of a state, another commit and the worktree.
func (c *Checkout) look(ctx context.Context, s State, tip string) (*folders, error) {
	f := &folders{
		c: c, was: map[string]string{}, now: map[string]string{}, present: map[string]bool{},
		known: s.settled, settled: map[string]int64{},
	}
	objects := c.Repo.Objects()
	was, err := objects.EntriesIn(ctx, s.Tip, []string{c.Prefix})
	if err != nil {
		return nil, err
	}
	now, err := objects.EntriesIn(ctx, tip, []string{c.Prefix})
	if err != nil {
		return nil, err
	}
	err = object.ErrMissing
	if c.Repo.Foreign() == "" {
		err = f.walk("", was[c.Prefix].Hash, now[c.Prefix].Hash)
	}
	if errors.Is(err, object.ErrMissing) {
		err = f.all(ctx, s.Tip, tip) // only git can read the trees
	}
	return f, err
}

// all reads everything.
func (f *folders) all(ctx context.Context, was, now string) error {
	var err error
	f.settled = map[string]int64{}
	f.was, err = f.tree(ctx, was)
	if err != nil {
		return err
	}
	f.now = f.was
	if now != was {
		f.now, err = f.tree(ctx, now)
	}
	for rel := range f.now {
		f.present[rel] = disk.Exists(f.c.file(rel))
	}
	return err
}

// tree returns the blobs of the files of a commit that have a copy in the worktree.
func (f *folders) tree(ctx context.Context, commit string) (map[string]string, error) {
	all, err := f.c.Repo.Objects().TreeAt(ctx, commit, f.c.Prefix)
	maps.DeleteFunc(all, func(rel, _ string) bool { return !Written(rel) })
	return all, err
}

// walk reads a folder, of which the two commits have these trees.
func (f *folders) walk(dir, was, now string) error {
	modified := f.modified(dir) // before the folder is listed
	if known, is := f.known[dir]; is && known == modified && was == now {
		f.settled[dir] = modified
		return nil
	}
	if err := f.list(dir); err != nil {
		return err
	}
	below := map[string][2]string{}
	complete := strings.HasPrefix(dir+"/", store.Archive+"/")
	for i, tree := range [...]string{was, now} {
		entries, err := object.ReadTree(f.c.Repo.Objects().Database(), tree)
		if err != nil {
			return err
		}
		into := [...]map[string]string{f.was, f.now}[i]
		for _, e := range entries {
			rel := strings.TrimPrefix(dir+"/"+e.Name, "/")
			switch {
			case e.IsFolder():
				trees := below[rel]
				trees[i] = e.Hash
				below[rel] = trees
			case Written(rel):
				into[rel] = e.Hash
				complete = complete && f.present[rel]
			}
		}
	}
	old := modified < time.Now().Add(-racy).UnixNano() // else a change at the same moment would not show
	if complete && old && len(below) == 0 {
		f.settled[dir] = modified
	}
	for rel, trees := range below {
		if err := f.walk(rel, trees[0], trees[1]); err != nil {
			return err
		}
	}
	return nil
}

// racy is the time after which a folder's time of modification is trusted: the coarsest that a
// file system has is 2 seconds.
const racy = 3 * time.Second

// modified returns when a folder of the worktree was last modified, or 0 if there is none, which
// is complete if the commit has no files in it.
func (f *folders) modified(dir string) int64 {
	info, err := os.Lstat(f.c.file(dir))
	if err != nil || !info.IsDir() {
		return 0
	}
	return info.ModTime().UnixNano()
}

// list finds the files of a folder of the worktree.
func (f *folders) list(dir string) error {
	entries, err := os.ReadDir(f.c.file(dir))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	if err != nil {
		return fault.New(fault.Failed, "read %s: %w", filepath.Join(f.c.Dir, dir), disk.Pathless(err))
	}
	for _, e := range entries {
		if !e.IsDir() {
			f.present[strings.TrimPrefix(dir+"/"+e.Name(), "/")] = true
		}
	}
	return nil
}

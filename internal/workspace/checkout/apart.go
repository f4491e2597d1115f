package checkout

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/tracking"
	"example.com/ckpt/internal/workspace/store"
)

// Open returns the checkpoint files of a worktree. Prefix is the folder in the trees of commits.
func Open(repo *git.Repo, prefix string) (*Checkout, error) {
	c := &Checkout{Repo: repo, Prefix: prefix, Dir: repo.PathOf(prefix)}
	s, err := c.Load()
	if err == nil && s.apart == Apart(c.Prefix) {
		c.Dir = repo.PathOf(s.apart)
	}
	return c, err
}

// Apart returns the folder for the files if a branch tracks those of a folder: .ckpt in place of
// checkpoints. `git switch` to such a branch replaces files that git ignores without a word, and
// removes them on the way back, and with them what was edited by hand.
func Apart(prefix string) string {
	dir, name := path.Split(prefix)
	if name == "checkpoints" {
		return dir + ".ckpt"
	}
	return dir + ".ckpt-" + strings.TrimLeft(name, ".")
}

// IsApart reports whether the files are in a folder of their own, as a branch tracks, or has
// tracked, those of Prefix.
func (c *Checkout) IsApart() bool { return c.Dir == c.Repo.PathOf(Apart(c.Prefix)) }

// Folder returns the folder of the files as a slash path from the worktree's root.
func (c *Checkout) Folder() string {
	if c.IsApart() {
		return Apart(c.Prefix)
	}
	return c.Prefix
}

// TrackedPaths returns what a branch must not track for the files to be in Prefix.
func TrackedPaths(prefix string) []string {
	return []string{prefix + "/" + store.Active, prefix + "/" + store.Archive, prefix + "/" + store.Learnings}
}

// Locate moves the files apart if HEAD or a branch has come to track those of Prefix. They stay
// there: each way back would be a chance to lose an edit. A file that git tracks is left alone.
// The ref may be a branch, which does not count.
func (c *Checkout) Locate(ctx context.Context, ref string) error {
	if time.Since(c.asked) < time.Second { // a command reads several times
		return nil
	}
	_, err := c.locate(ctx, ref, false)
	return err
}

// Begin is [Checkout.Locate] before the ref gets its first commit. Until then the files that a branch
// tracks are the checkpoints, so they are copied. It returns [disk.ErrChanged] if the files have moved.
func (c *Checkout) Begin(ctx context.Context, ref string) error {
	moved, err := c.locate(ctx, ref, true)
	if err == nil && moved {
		return disk.ErrChanged
	}
	return err
}

func (c *Checkout) locate(ctx context.Context, ref string, begins bool) (moved bool, err error) {
	if c.IsApart() {
		return false, nil
	}
	tracked, err := tracking.Any(ctx, c.Repo, TrackedPaths(c.Prefix), strings.TrimPrefix(ref, git.LocalRefs))
	if err != nil || !tracked {
		c.asked = time.Now()
		return false, err
	}
	from := *c
	c.Dir = c.Repo.PathOf(Apart(c.Prefix))
	unlock, err := c.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return false, err
	}
	defer unlock()
	return true, c.moveFrom(ctx, &from, begins)
}

// moveFrom moves the files of another folder here, with what was edited in them, and records it. Those
// that git tracks stay; with copies they are copied. After a death in between, the next command moves
// the others.
func (c *Checkout) moveFrom(ctx context.Context, from *Checkout, copies bool) error {
	s, err := c.Load()
	if err != nil || s.apart == Apart(c.Prefix) {
		return err // another process has moved them
	}
	c.forgetGone(ctx, &s)
	paths, err := from.list()
	if err != nil {
		return err
	}
	tracked, err := c.tracked(ctx)
	if err != nil {
		return err
	}
	tip, err := c.Repo.Objects().TreeAt(ctx, s.Tip, c.Prefix)
	if err != nil {
		return err
	}
	if err := c.Exclude(); err != nil {
		return err
	}
	var files []change.File
	for _, rel := range paths {
		files = append(files, change.File{Path: rel})
	}
	if err := errors.Join(c.checkPaths(files), from.checkPaths(files)); err != nil {
		return err
	}
	c.sweep(&Update{Files: files})
	for _, rel := range paths {
		if s.Tip == "" && tracked[rel] != "" { // the files may be from before there was a ref
			if err := from.rememberMarked(&s, rel); err != nil {
				return err
			}
		}
		takes, err := c.takes(from, rel, tracked[rel], tip[rel], s.Tip == "")
		if err == nil && (takes || copies) {
			err = c.take(from, rel, tracked[rel] != "")
		}
		if err != nil {
			return err
		}
	}
	from.removeFolders()
	s.apart, s.settled = Apart(c.Prefix), nil
	return c.save(s)
}

// conflict is in place of the blob of a file that the index has in several versions.
const conflict = "-"

// tracked returns the files of Prefix in the index: their blobs by their paths in it.
func (c *Checkout) tracked(ctx context.Context) (map[string]string, error) {
	out, err := c.Repo.Git(ctx, nil, "ls-files", "-s", "-z", "--full-name", "--", c.Prefix)
	files := map[string]string{}
	for line := range strings.SplitSeq(string(out), "\x00") { // 100644 HASH STAGE\tPATH
		head, file, _ := strings.Cut(line, "\t")
		if part := strings.Fields(head); len(part) == 3 {
			rel := strings.TrimPrefix(file, c.Prefix+"/")
			files[rel] = part[1]
			if part[2] != "0" {
				files[rel] = conflict
			}
		}
	}
	return files, err
}

// rememberMarked makes a checkpoint the last chosen one if its file marks it as current.
func (c *Checkout) rememberMarked(s *State, rel string) error {
	src, err := c.onDisk(rel)
	if err != nil || !markedCurrent(rel, src) {
		return err
	}
	marked, err := checkpoint.Parse(rel, src)
	if err == nil {
		s.Last = marked.ID
	}
	return err
}

// takes reports whether a file of another folder belongs here: it does unless git tracks it. An edit of
// such a file does, too, if what git has is what the ref had, or is older than the ref.
func (c *Checkout) takes(from *Checkout, rel, tracked, tip string, older bool) (bool, error) {
	if tracked == "" || tracked == conflict {
		return tracked == "", nil
	}
	src, err := from.onDisk(rel)
	if err != nil {
		return false, err
	}
	if clean, err := Same(c.Repo, rel, src, tracked); clean || err != nil {
		return false, err
	}
	was, err := c.Repo.Objects().Blob(tracked)
	if err != nil {
		return false, err
	}
	same, err := Same(c.Repo, rel, was, tip)
	return same || older, err
}

// take moves or copies a file of another folder here, unless there is one.
func (c *Checkout) take(from *Checkout, rel string, copies bool) error {
	if disk.Exists(c.file(rel)) {
		return nil
	}
	if copies {
		src, err := from.onDisk(rel)
		if err != nil {
			return err
		}
		return disk.WriteFile(c.file(rel), src, false)
	}
	err := os.MkdirAll(filepath.Dir(c.file(rel)), 0o777)
	if err == nil {
		err = disk.Rename(from.file(rel), c.file(rel))
	}
	if err != nil {
		return fault.New(fault.Failed, "move %s to %s/: %w", from.file(rel), c.Folder(), disk.Pathless(err))
	}
	return nil
}

// removeCopies removes the files that are the same in Prefix, and returns the others.
func (c *Checkout) removeCopies() (left []string, err error) {
	in := &Checkout{Dir: c.Repo.PathOf(c.Prefix)}
	paths, err := c.list()
	if err != nil {
		return nil, err
	}
	for _, rel := range paths {
		mine, err := c.onDisk(rel)
		if err != nil {
			return nil, err
		}
		if copied, err := in.onDisk(rel); err != nil || !bytes.Equal(mine, copied) {
			left = append(left, c.Folder()+"/"+rel)
		} else if err := disk.Remove(c.file(rel)); err != nil {
			return nil, err
		}
	}
	c.removeFolders()
	return left, nil
}

// list returns the files of ckpt that exist: what [Written] reports.
func (c *Checkout) list() ([]string, error) {
	var paths []string
	err := filepath.WalkDir(c.Dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(c.Dir, file)
		rel = filepath.ToSlash(rel)
		if Written(rel) {
			paths = append(paths, rel)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return paths, err
}

// removeFolders removes the folders that have become empty.
func (c *Checkout) removeFolders() {
	var dirs []string
	for _, top := range []string{store.Active, store.Archive} {
		_ = filepath.WalkDir(c.file(top), func(dir string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				dirs = append(dirs, dir)
			}
			return nil
		})
	}
	for _, dir := range slices.Backward(append([]string{c.Dir}, dirs...)) {
		_ = os.Remove(dir) // it fails if the folder has a file
	}
}

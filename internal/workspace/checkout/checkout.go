// Package checkout writes the checkpoints of the checkpoint ref to the files of a worktree, and
// finds what was edited there.
//
// The ref is what counts. In ref mode the files are a copy for people, editors and agents. They differ
// from the ref in one line: the checkpoint that is current in this worktree has `status: current`,
// whereas the ref has `status: active`, so that no merge ever finds two current ones.
//
// A small state file in the worktree's git directory names the commit that the files are from.
// Files that nobody edited follow the ref; edited ones are merged by id, with that commit as the
// base. A file that was removed is written again: `ckpt delete` removes a checkpoint, `rm` does
// not. No file is overwritten unless its content is in the ref or in the merge.
//
// In ref mode the files are in .ckpt, where no branch of the code has any. In the other modes they are in
// checkpoints, and belong to the branches of the code: see [Branch].
package checkout

import (
	"bytes"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/workspace/store"
)

// Checkout reads and writes the checkpoint files of a worktree.
type Checkout struct {
	Repo   *git.Repo
	Dir    string // the folder with the files, absolute
	Prefix string // the folder in the trees of commits, on the ref and on the branches of the code
	apart  bool   // the files are on no branch, as in ref mode

	recorded *ledger // the ledger, which an operation reads only once; nil outside of an operation
}

// CurrentFolder is the folder of the ref's tree with a file for each branch. The first line is the id of the
// checkpoint that was last made current on the branch. If several were marked before, the other lines list them.
const CurrentFolder = ".current"

// Written reports whether a file of the ref is copied to the worktree: a checkpoint or the learnings. The policy is
// tracked on the code's branches instead, and the files that keep git from detecting renames are not needed. A path
// that leads out of the folder, which another author may have put into the tree, is not copied.
func Written(rel string) bool {
	within := path.Clean(rel) == rel && filepath.IsLocal(filepath.FromSlash(rel))
	return within && (rel == store.Learnings || checkpoint.IsFile(rel))
}

// onDisk returns the content of a file, or nil if it does not exist.
func (c *Checkout) onDisk(rel string) ([]byte, error) {
	src, err := disk.ReadFile(c.file(rel))
	if err == nil {
		return src, nil
	}
	for at := rel; at != "."; {
		at = path.Dir(at)
		if info, failed := os.Stat(c.file(at)); failed == nil && !info.IsDir() {
			return nil, inTheWay(path.Join(c.Folder(), at), "not a folder")
		}
	}
	if info, failed := os.Stat(c.file(rel)); failed == nil && !info.Mode().IsRegular() {
		return nil, inTheWay(c.Folder()+"/"+rel, "not a regular file")
	}
	return nil, fault.New(fault.Failed, "read %s: %w", c.file(rel), disk.Pathless(err))
}

func (c *Checkout) file(rel string) string { return filepath.Join(c.Dir, filepath.FromSlash(rel)) }

// inTheWay returns the error for something else at a path where ckpt has a file or a folder.
func inTheWay(path, what string) error {
	return fault.New(fault.Failed, "%s is %s", path, what).
		WithHint("move it away: the next command writes what belongs there")
}

// Exclude makes git ignore the files. It adds them to the repository's info/exclude, which is not shared with others.
func (c *Checkout) Exclude() error {
	src, missing, err := c.NotExcluded()
	if err != nil || len(missing) == 0 {
		return err
	}
	add := strings.Join(missing, "\n") + "\n"
	if len(src) > 0 && !bytes.HasSuffix(src, []byte("\n")) {
		add = "\n" + add
	}
	return disk.WriteFile(c.excludeFile(), append(src, add...), false)
}

func (c *Checkout) excludeFile() string { return filepath.Join(c.Repo.CommonDir(), "info", "exclude") }

// NotExcluded returns the content of info/exclude and the lines that [Checkout.Exclude] would add. The last line is
// for temporary files, which a killed process leaves.
func (c *Checkout) NotExcluded() (src []byte, missing []string, err error) {
	src, err = disk.ReadFile(c.excludeFile())
	if err != nil {
		return nil, nil, fault.New(fault.Failed, "read %s: %w", c.excludeFile(), disk.Pathless(err))
	}
	have := strings.Split(string(src), "\n")
	for _, name := range []string{store.Active + "/", store.Archive + "/", store.Learnings, ".ckpt-*"} {
		if line := "/" + c.Folder() + "/" + name; !slices.Contains(have, line) {
			missing = append(missing, line)
		}
	}
	return src, missing, nil
}

// writeAll writes files, whose paths are from the root, and returns the changes that undo what it wrote. It skips
// files that do not have the content Before on disk, and then returns [disk.ErrChanged].
func (c *Checkout) writeAll(files []change.File) (back []change.File, err error) {
	if err := c.Repo.Worktree().CheckPaths(files); err != nil {
		if c.apart && fault.KindOf(err) == fault.Unsupported {
			err = fault.New(fault.Unsupported, "%w", err).WithHint("move it away: the next command writes what belongs there")
		}
		return nil, err
	}
	var changed error
	for _, f := range files {
		wrote, err := c.write(f)
		switch {
		case errors.Is(err, disk.ErrChanged):
			changed = err
		case err != nil:
			return back, err
		case wrote:
			back = append(back, change.File{Path: f.Path, Before: f.After, After: f.Before})
		}
	}
	return back, changed
}

// write replaces or removes one file, and reports whether it had to.
func (c *Checkout) write(f change.File) (bool, error) {
	name := c.Repo.PathOf(f.Path)
	now, err := disk.ReadFile(name)
	switch {
	case err != nil:
		return false, fault.New(fault.Failed, "read %s: %w", f.Path, disk.Pathless(err))
	case change.Same(now, f.After):
		return false, nil
	case !change.Same(now, f.Before):
		return false, disk.ErrChanged
	case !f.Gone():
		err = disk.ReplaceFile(name, f.Before, f.After)
		return err == nil, err
	}
	err = disk.RemoveFile(name, f.Before)
	if err == nil {
		c.removeEmpty(filepath.Dir(name))
	}
	return err == nil, err
}

// removeEmpty removes dir and its parents below archive/, such as the folder of a month, if they are empty.
func (c *Checkout) removeEmpty(dir string) {
	for top := c.file(store.Archive); strings.HasPrefix(dir, top+string(filepath.Separator)); dir = filepath.Dir(dir) {
		if err := os.Remove(dir); err != nil {
			return
		}
	}
}

// Announce records that an operation is about to move the ref to a commit and to make another checkpoint current.
// Chosen is the id of that checkpoint or [None], and marks are the ids that the branch marks. The next comparison
// with that commit makes the checkpoint current, even in another process after a crash. An operation without a commit
// announces the commit that the ref is at.
func (c *Checkout) Announce(from State, commit, chosen, marks string) error {
	from.announced = commit + " " + chosen
	if !c.apart {
		from.marked[from.Branch] = marks
	}
	return c.Save(from)
}

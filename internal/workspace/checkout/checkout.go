// Package checkout writes the checkpoints of the checkpoint ref to the files of a worktree, and
// tells what was edited there.
//
// The ref is what counts. In ref mode the files are a copy for people, editors and agents. They
// differ from the ref in one line: the checkpoint that is current in this worktree has `status:
// current`, whereas the ref has `status: active`, so that no merge ever finds two current ones.
//
// A small state file in the worktree's git directory names the commit that the files are from.
// Files that nobody edited follow the ref; edited ones are merged by id, with that commit as the
// base. A file that was removed is written again: `ckpt delete` removes a checkpoint, `rm` does
// not. No file is overwritten unless its content is in the ref or in the merge.
//
// These files are in .ckpt, where no branch of the code has any. In the other modes the files are in
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
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/workspace/store"
)

// Checkout is the checkpoint files of a worktree.
type Checkout struct {
	Repo   *git.Repo
	Dir    string // the folder with the files, absolute
	Prefix string // the folder in the trees of commits, on the ref and on the branches of the code
}

// CurrentFolder is the folder of the ref's tree with a file for each branch: the id of the
// checkpoint that was last made current on it. The lines behind it name those that the branch marked besides.
const CurrentFolder = ".current"

// Written reports whether a file is in the ref's tree and has a copy in the worktree. The policy
// is tracked on the code's branches instead, and the files that keep git from detecting renames are not
// needed. A path that leads out of the folder, which another author may have put into the tree, has no
// copy.
func Written(rel string) bool {
	within := path.Clean(rel) == rel && filepath.IsLocal(filepath.FromSlash(rel))
	return within && (rel == store.Learnings || store.IsCheckpoint(rel))
}

// Apply writes the files of an update and then the state file. A file that was edited since the
// update was planned is left alone, and Apply returns [disk.ErrChanged]: as long as the state file
// names the old commit, the next update merges it. The caller has ckpt's exclusive lock.
func (c *Checkout) Apply(u *Update) error {
	if err := c.sweep(u); err != nil {
		return err
	}
	return c.apply(u)
}

// sweep removes the temporary files that an earlier process left: it may have written all files. If
// one stays, the state file still names the old commit, so that the next update tries again.
func (c *Checkout) sweep(u *Update) error {
	dirs := []string{c.Dir, c.file(store.Active)}
	for _, f := range u.Files {
		dirs = append(dirs, filepath.Dir(c.file(f.Path)))
	}
	slices.Sort(dirs)
	var errs []error
	for _, dir := range slices.Compact(dirs) {
		errs = append(errs, disk.Sweep(dir))
	}
	return errors.Join(errs...)
}

func (c *Checkout) apply(u *Update) error {
	isNew := func(f change.File) bool { return f.Before == nil } // perhaps in a folder that git does not ignore yet
	if slices.ContainsFunc(u.Files, isNew) || !disk.Exists(c.stateFile()) {
		if err := c.Exclude(); err != nil {
			return err
		}
	}
	if err := c.checkPaths(u.Files); err != nil {
		return err
	}
	complete := true
	for _, f := range u.Files {
		done, err := c.write(f)
		if err != nil {
			return err
		}
		complete = complete && done
	}
	switch {
	case !complete:
		return disk.ErrChanged
	case u.Empty():
		return nil
	}
	return c.save(u.state)
}

// checkPaths refuses files whose folder is a link: they would be written somewhere else.
func (c *Checkout) checkPaths(files []change.File) error {
	set := change.Set{Files: files}
	err := c.Repo.Worktree().CheckPaths(set.Under(c.Folder()))
	if fault.KindOf(err) == fault.Unsupported {
		return fault.New(fault.Unsupported, "%w", err).WithHint("move it away: the next command writes what belongs there")
	}
	return err
}

// Exclude makes git ignore the files, in the repository's info/exclude and in no .gitignore, which
// others would see.
func (c *Checkout) Exclude() error {
	src, missing, err := c.notExcluded()
	if err != nil || len(missing) == 0 {
		return err
	}
	add := strings.Join(missing, "\n") + "\n"
	if len(src) > 0 && !bytes.HasSuffix(src, []byte("\n")) {
		add = "\n" + add
	}
	return disk.WriteFile(c.excludeFile(), append(src, add...), false)
}

// NotExcluded returns the lines that [Checkout.Exclude] would add.
func (c *Checkout) NotExcluded() ([]string, error) {
	_, missing, err := c.notExcluded()
	return missing, err
}

func (c *Checkout) excludeFile() string { return filepath.Join(c.Repo.CommonDir(), "info", "exclude") }

// notExcluded returns the content of info/exclude and the lines that it lacks.
func (c *Checkout) notExcluded() (src []byte, missing []string, err error) {
	src, err = disk.ReadFile(c.excludeFile())
	if err != nil {
		return nil, nil, fault.New(fault.Failed, "read %s: %w", c.excludeFile(), disk.Pathless(err))
	}
	have := strings.Split(string(src), "\n")
	for _, line := range excluded(c.Folder()) {
		if !slices.Contains(have, line) {
			missing = append(missing, line)
		}
	}
	return src, missing, nil
}

// excluded returns the lines of info/exclude for the files in a folder. The last one is for what a kill
// leaves of a file that was being written.
func excluded(folder string) []string {
	top := "/" + folder + "/"
	return []string{top + store.Active + "/", top + store.Archive + "/", top + store.Learnings, top + ".ckpt-*"}
}

// write replaces or removes one file, unless it is no longer as it was.
func (c *Checkout) write(f change.File) (done bool, err error) {
	now, err := c.onDisk(f.Path)
	if err != nil {
		return false, err
	}
	if change.Same(now, f.After) {
		return true, nil
	}
	if !change.Same(now, f.Before) {
		return false, nil
	}
	if f.Gone() {
		err = disk.RemoveFile(c.file(f.Path), f.Before)
	} else {
		err = disk.ReplaceFile(c.file(f.Path), f.Before, f.After)
	}
	switch {
	case errors.Is(err, disk.ErrChanged):
		return false, nil
	case err != nil:
		return false, err
	case f.Gone():
		c.removeEmpty(filepath.Dir(c.file(f.Path)))
	}
	return true, nil
}

// removeEmpty removes the folder of a month or year that has lost its last file.
func (c *Checkout) removeEmpty(dir string) {
	for top := c.file(store.Archive); strings.HasPrefix(dir, top+string(filepath.Separator)); dir = filepath.Dir(dir) {
		if err := os.Remove(dir); err != nil {
			return
		}
	}
}

// Advance writes the files of an operation that has moved the ref to tip, and the state file. The
// files were those of a state. If the operation made another checkpoint current, chosen is its id
// or [None]. A file that was edited meanwhile is left alone, as the next update merges it.
func (c *Checkout) Advance(from State, tip string, files []change.File, chosen string, changed bool) error {
	next := from
	next.Tip = tip
	if changed {
		next.choose(chosen)
		next.Shown = strings.TrimPrefix(chosen, None)
	}
	err := c.apply(&Update{Files: files, state: next, moved: true})
	if errors.Is(err, disk.ErrChanged) {
		return nil
	}
	return err
}

// Announce records that an operation is about to move the ref to a commit and to make another
// checkpoint current; chosen is its id or [None]. If the process is killed between the two, the
// next update finds the commit on the ref and completes the operation. An operation that makes no
// commit announces the one that the ref is at, and is done with that.
func (c *Checkout) Announce(from State, commit, chosen string) error {
	from.announced, from.announcedID = commit, chosen
	return c.save(from)
}

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"example.com/ckpt/internal/change"
)

// Interrupted says whether an operation is under way in dir. Of one that a live process
// is at it says the same as of one that a dead process left: whoever holds the lock asks
// [Pending].
func Interrupted(dir string) (bool, error) {
	l, err := readLog(dir)
	if err != nil {
		return false, err
	}
	return l.open, nil
}

// Pending is the journal that a dead process left in dir; nil where there is
// none. Its paths are relative to root, which is where the files are now. The caller
// holds the lock: else a live process could write over what is being read.
func Pending(dir, root string) (*Journal, error) {
	l, err := readLog(dir)
	if err != nil || !l.open {
		return nil, err
	}
	end, files, err := l.decode()
	if err != nil {
		return nil, l.strange()
	}
	return &Journal{End: end, log: l, root: root, sync: true, files: files}, nil
}

// PutAside gives the journal's file, where no ckpt of this version has written it,
// another name in dir, which it returns; "" where the file is as it should be.
func PutAside(dir string) (string, error) {
	_, err := Pending(dir, "")
	if !errors.Is(err, ErrStrange) {
		return "", nil
	}
	from := filepath.Join(dir, journalName)
	for i := 1; ; i++ {
		to := from + ".aside" + strconv.Itoa(i)
		if Exists(to) {
			continue
		}
		if err := os.Rename(from, to); err != nil {
			return "", describe("put aside", from, err)
		}
		return to, nil
	}
}

// Finish makes every file of an interrupted operation hold its After bytes, but
// for those that hold neither Before nor After: somebody edited them since.
func (j *Journal) Finish() error {
	j.sweep()
	todo, err := j.undone()
	if err != nil {
		return err
	}
	return j.write(todo)
}

// Revert puts the Before bytes back where a file still holds its After bytes,
// and ends the journal.
func (j *Journal) Revert() error {
	j.drop()
	j.sweep()
	var undo []change.File
	for _, f := range j.files {
		now, err := j.read(f)
		if err != nil {
			return err
		}
		if change.Same(now, f.After) && !change.Same(now, f.Before) {
			undo = append(undo, change.File{Path: f.Path, After: f.Before})
		}
	}
	if err := j.write(undo); err != nil {
		return err
	}
	return j.Done()
}

// write writes all new contents beside their targets and only then renames and
// removes.
func (j *Journal) write(files []change.File) error {
	temps, err := j.stageAll(files, func() error { return nil })
	if err != nil {
		return err
	}
	if err := j.rename(files, temps); err != nil || !j.sync {
		return err
	}
	return j.syncDirs(files)
}

// sweep removes temporary files that a death left beside the targets.
func (j *Journal) sweep() {
	done := map[string]bool{}
	for _, f := range j.files {
		if dir := filepath.Dir(j.file(f)); !done[dir] {
			done[dir] = true
			Sweep(dir)
		}
	}
}

// Sweep removes temporary files that a death left in a folder. What it cannot remove is
// litter, no damage.
func Sweep(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if IsTemp(e.Name()) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// undone returns the files that hold their Before bytes.
func (j *Journal) undone() ([]change.File, error) {
	var todo []change.File
	for _, f := range j.files {
		now, err := j.read(f)
		if err != nil {
			return nil, err
		}
		if change.Same(now, f.Before) && !change.Same(now, f.After) {
			todo = append(todo, f)
		}
	}
	return todo, nil
}

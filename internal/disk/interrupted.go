package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"example.com/ckpt/internal/change"
)

// Interrupted reports whether a journal shows an unfinished operation in dir. It cannot tell
// whether the process still runs or was killed: the holder of the lock calls [Pending] for that.
func Interrupted(dir string) (bool, error) {
	l, err := readLog(dir)
	if err != nil {
		return false, err
	}
	return l.open, nil
}

// Pending returns the journal that a killed process left in dir, or nil if there is no such
// journal. The paths in it are relative to root, the folder of the files. The caller has the
// lock, so that no other process changes the journal meanwhile.
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

// PutAside renames the journal's file within dir if this version of ckpt cannot have written
// it, and returns the new name. It returns "" if the file is valid.
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

// Finish completes an interrupted operation: it writes the After bytes of every file, except
// files that have neither their Before nor their After bytes, because they were edited since.
func (j *Journal) Finish() error {
	j.sweep()
	todo, err := j.undone()
	if err != nil {
		return err
	}
	return j.write(todo)
}

// Revert undoes an operation and ends the journal: it writes the Before bytes of every file
// that still has its After bytes.
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
			undo = append(undo, change.File{Path: f.Path, Before: f.After, After: f.Before})
		}
	}
	if err := j.write(undo); err != nil {
		return err
	}
	return j.Done()
}

// write writes every new content beside its target, and only then renames and removes files.
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

// sweep removes the temporary files that a killed process left beside the targets.
func (j *Journal) sweep() {
	done := map[string]bool{}
	for _, f := range j.files {
		if dir := filepath.Dir(j.file(f)); !done[dir] {
			done[dir] = true
			Sweep(dir)
		}
	}
}

// Sweep removes the temporary files that a killed process left in a folder. It ignores errors:
// such files do no harm.
func Sweep(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if IsTemp(e.Name()) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// undone returns the files that have their Before bytes.
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

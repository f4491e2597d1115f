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
	return &Journal{End: end, Back: l.back, log: l, root: root, sync: true, files: files}, nil
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
// files that have neither their Before nor their After bytes, because they were edited since. After
// an error, also one about a temporary file that stays, the caller does not end the journal.
func (j *Journal) Finish() error {
	todo, err := j.undone()
	if err != nil {
		return err
	}
	return j.write(todo)
}

// Revert undoes an operation: it writes the Before bytes of every file that still has its After
// bytes. After an error the caller must not end the journal: the next command then reverts the
// operation, even if End is set to complete it.
func (j *Journal) Revert() error {
	j.drop()
	_ = j.log.turnBack() // if this fails, End determines what the next command does
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
	return j.write(undo)
}

// write writes every new content beside its target, and only then renames and removes files. It
// leaves no temporary files, not even those of a killed process.
func (j *Journal) write(files []change.File) error {
	_ = j.sweep() // makes room
	temps, err := j.stageAll(files, func() error { return nil })
	if err != nil {
		return err
	}
	if err := j.rename(files, temps); err != nil {
		return err
	}
	if err := j.sweep(); err != nil || !j.sync {
		return err
	}
	return j.syncDirs(files)
}

// sweep removes the temporary files beside the targets.
func (j *Journal) sweep() error {
	var errs []error
	done := map[string]bool{}
	for _, f := range j.files {
		if dir := filepath.Dir(j.file(f)); !done[dir] {
			done[dir] = true
			errs = append(errs, Sweep(dir))
		}
	}
	return errors.Join(errs...)
}

// Sweep removes the temporary files that a killed process left in a folder.
func Sweep(dir string) error {
	var errs []error
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if IsTemp(e.Name()) && e.Type().IsRegular() {
			errs = append(errs, Remove(filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(errs...)
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

package disk

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/fault"
)

// Journal makes one operation all or nothing. Before the first file is touched
// it is on disk with what every file held and what it is to hold; after the last
// it is gone. One that is still there when an operation starts was left by a
// process that died: [Pending] finds it, and the caller goes forward
// ([Journal.Finish]) or back ([Journal.Revert]). Both may be interrupted and
// begun again. The caller holds the lock that keeps other operations away.
type Journal struct {
	End End

	path  string
	root  string
	sync  bool
	files []change.File
}

// End is how an operation was to end, which tells whoever finds its journal what
// to do: forward, or back where a commit was wanted and is not there.
type End string

// The ends.
const (
	ToFiles  End = "files"  // with its files
	ToIndex  End = "index"  // with its files in the index
	ToCommit End = "commit" // with a commit of its files
	ToSave   End = "save"   // with a commit of files that were as wanted already: they are not to be touched
)

// record is the journal's file. Bytes are base64, null where there is no file.
type record struct {
	Version int
	Root    string // absolute, where the operation began
	End     End
	Files   []change.File
}

const (
	journalName    = "journal"
	journalVersion = 1
)

// Begin writes the journal of files, whose paths are relative to root, into dir.
// With sync it and the files that Apply writes survive a power cut.
func Begin(dir, root string, files []change.File, end End, sync bool) (*Journal, error) {
	j := &Journal{End: end, path: filepath.Join(dir, journalName), root: root, sync: sync, files: files}
	if info, err := os.Lstat(j.path); err == nil && info.Size() > 0 {
		return nil, fault.New(fault.Failed, "an interrupted operation waits in %q", j.path).WithHint("ckpt doctor --fix")
	}
	data, err := json.Marshal(record{Version: journalVersion, Root: root, End: end, Files: files})
	if err != nil {
		return nil, err
	}
	if err := WriteFile(j.path, data, sync); err != nil {
		return nil, err
	}
	return j, nil
}

// Pending is the journal that a dead process left in dir; nil where there is
// none. Its paths are relative to root, which is where the files are now.
func Pending(dir, root string) (*Journal, error) {
	path := filepath.Join(dir, journalName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, describe("read", path, err)
	}
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fault.New(fault.Failed, "read journal %q: %w", path, err)
	}
	if r.Version != journalVersion {
		return nil, fault.New(fault.Unsupported, "journal %q was written by a later ckpt (version %d)", path, r.Version)
	}
	return &Journal{End: r.End, path: path, root: root, sync: true, files: r.Files}, nil
}

// Files is what the operation changes.
func (j *Journal) Files() []change.File { return j.files }

// Apply makes every file hold its After bytes. A file that does not hold its
// Before bytes was changed by somebody else in the meantime: fault.Busy, and no
// file is touched. On any other failure call Revert.
func (j *Journal) Apply() error {
	for _, f := range j.files {
		now, err := j.read(f)
		if err != nil {
			return err
		}
		if !same(now, f.Before) {
			return fault.New(fault.Busy, "%q changed while ckpt was at work", f.Path).WithHint("try again")
		}
	}
	return j.write(j.files)
}

// Finish makes every file of an interrupted operation hold its After bytes, but
// for those that somebody edited since; see [Journal.Edited].
func (j *Journal) Finish() error {
	j.sweep()
	var todo []change.File
	for _, f := range j.files {
		now, err := j.read(f)
		if err != nil {
			return err
		}
		if same(now, f.Before) && !same(now, f.After) {
			todo = append(todo, f)
		}
	}
	return j.write(todo)
}

// Revert puts the Before bytes back where a file still holds its After bytes,
// and ends the journal.
func (j *Journal) Revert() error {
	j.sweep()
	var undo []change.File
	for _, f := range j.files {
		now, err := j.read(f)
		if err != nil {
			return err
		}
		if same(now, f.After) && !same(now, f.Before) {
			undo = append(undo, change.File{Path: f.Path, Before: f.After, After: f.Before})
		}
	}
	if err := j.write(undo); err != nil {
		return err
	}
	return j.Done()
}

// Edited is the paths whose files hold neither Before nor After.
func (j *Journal) Edited() ([]string, error) {
	var paths []string
	for _, f := range j.files {
		now, err := j.read(f)
		if err != nil {
			return nil, err
		}
		if !same(now, f.Before) && !same(now, f.After) {
			paths = append(paths, f.Path)
		}
	}
	return paths, nil
}

// Done ends the journal: the operation is complete. Where the file cannot be
// removed it is emptied, which means the same.
func (j *Journal) Done() error {
	err := Remove(j.path)
	if err != nil && os.Truncate(j.path, 0) == nil {
		return nil
	}
	return err
}

// write writes all new contents beside their targets, which is where a full disk
// shows, and only then renames and removes.
func (j *Journal) write(files []change.File) error {
	temps, err := j.stageAll(files)
	if err != nil {
		return err
	}
	for i, f := range files {
		if f.After == nil {
			err = Remove(j.file(f))
		} else {
			err = temps[i].Commit()
		}
		if err != nil {
			for _, t := range temps[i+1:] {
				t.Drop()
			}
			return err
		}
	}
	if j.sync {
		return j.syncDirs(files)
	}
	return nil
}

// syncDirs makes the new names durable before the journal that could repeat
// them goes.
func (j *Journal) syncDirs(files []change.File) error {
	done := map[string]bool{}
	for _, f := range files {
		dir := filepath.Dir(j.file(f))
		if done[dir] {
			continue
		}
		done[dir] = true
		if err := SyncDir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// sweep removes temporary files that a death left beside the targets. What it
// cannot remove is litter, no damage.
func (j *Journal) sweep() {
	for _, f := range j.files {
		dir := filepath.Dir(j.file(f))
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if IsTemp(e.Name()) {
				_ = os.Remove(filepath.Join(dir, e.Name()))
			}
		}
	}
}

// stageAll writes the temporary files, side by side: the device takes the
// syncs of several files in one go.
func (j *Journal) stageAll(files []change.File) ([]*Staged, error) {
	temps := make([]*Staged, len(files))
	errs := make([]error, len(files))
	Each(len(files), func(i int) {
		if files[i].After != nil {
			temps[i], errs[i] = Stage(j.file(files[i]), writing(files[i].After))
			if errs[i] == nil && j.sync {
				errs[i] = temps[i].Sync()
			}
		}
	})
	for _, err := range errs {
		if err != nil {
			for _, t := range temps {
				t.Drop()
			}
			return nil, err
		}
	}
	return temps, nil
}

func (j *Journal) file(f change.File) string {
	return filepath.Join(j.root, filepath.FromSlash(f.Path))
}

// read is the file's bytes now, nil where there is none.
func (j *Journal) read(f change.File) ([]byte, error) {
	data, err := os.ReadFile(j.file(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, describe("read", j.file(f), err)
	}
	return data, nil
}

func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

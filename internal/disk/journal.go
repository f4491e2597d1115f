package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
)

// Journal makes one operation all or nothing. Before the operation writes its first file, the
// journal is on disk with the old and the new content of each file; after writing the last file,
// the journal records that no operation is under way. If a process is killed in between, the next
// operation finds the journal with [Pending] and completes it with [Journal.Finish] or undoes it
// with [Journal.Revert]. Both may be interrupted and repeated. The caller has the lock that
// excludes other operations.
type Journal struct {
	End  End
	Back bool // the operation failed, and the next command is to revert it whatever End is

	log   *log
	root  string
	sync  bool
	files []change.File
	temps []*Staged     // the new contents as temporary files, until Apply renames them
	names chan struct{} // closed when the new names are synced to the device; nil without Sync
	lost  error         // the error of that sync; set before names is closed
}

// Operation describes what a journal is for.
type Operation struct {
	Root    string // the folder to which the paths of Files are relative
	Files   []change.File
	End     End
	Written bool // the files already have their After bytes, so Apply is not called
	Sync    bool // sync everything, so that the result survives a power cut
}

// Begin writes the journal of an operation into dir, and the new contents beside the files. A
// full disk is noticed here. If the operation must survive a power cut, all of this is on the
// device when Begin returns. After an error no operation is under way.
func Begin(dir string, o Operation) (*Journal, error) {
	l, err := readLog(dir)
	if err != nil {
		return nil, err
	}
	if l.open {
		return nil, fault.New(fault.Failed, "an interrupted operation waits in %q", l.path).WithHint("ckpt doctor --fix")
	}
	j := &Journal{End: o.End, log: l, root: o.Root, sync: o.Sync, files: o.Files}
	f, err := l.begin(func(w io.Writer) error { return encodeLog(w, o.Root, o.End, o.Files) })
	if err != nil {
		return nil, err
	}
	var files []change.File // the files that must be written
	if !o.Written {
		files = o.Files
	}
	j.temps, err = j.stageAll(files, func() error { return j.syncLog(f) })
	if lost := f.Close(); err == nil && lost != nil {
		err = describe("write", l.path, lost)
	}
	if err != nil {
		j.drop()
		if back := l.end(); back != nil {
			err = fault.New(fault.Failed, "%w; %w", err, back)
		}
		return nil, err
	}
	return j, nil
}

// syncLog writes the journal to the device if the operation must survive a power cut.
func (j *Journal) syncLog(f *os.File) (err error) {
	switch {
	case !j.sync:
		return nil
	case len(j.log.header) > 0:
		err = syncData(f)
	default:
		err = f.Sync()
		if err == nil {
			err = SyncDir(filepath.Dir(j.log.path))
		}
	}
	if err != nil {
		return describe("sync", j.log.path, err)
	}
	return nil
}

// Moment returns a text that changes when an operation begins in dir. It returns "" while one
// is under way.
func Moment(dir string) (string, error) {
	l, err := readLog(dir)
	if err != nil {
		return "", err
	}
	if l.open {
		return "", nil
	}
	return "-" + string(l.header), nil
}

// Files returns what the operation changes.
func (j *Journal) Files() []change.File { return j.files }

// ErrChanged means that a file of an operation was changed by another program since the
// operation was computed.
var ErrChanged = errors.New("changed while ckpt was at work")

// Apply writes the After bytes of every file. If one of them does not have its Before bytes, it leaves
// it alone and returns ErrChanged, of kind fault.Busy. After any error the caller calls Revert.
func (j *Journal) Apply() error {
	if err := j.unchanged(); err != nil {
		j.files = nil // so that Revert does not undo what another program wrote
		return err
	}
	temps := j.temps
	j.temps = nil
	if err := j.rename(j.files, temps); err != nil || !j.sync {
		return err
	}
	j.names = make(chan struct{})
	go func() { // runs while the branch is moved; Done waits for it
		defer close(j.names)
		j.lost = j.syncDirs(j.files)
	}()
	return nil
}

// unchanged returns an error unless every file has its Before bytes.
func (j *Journal) unchanged() error {
	for _, f := range j.files {
		now, err := j.read(f)
		if err != nil {
			return err
		}
		if !change.Same(now, f.Before) {
			return changed(f)
		}
	}
	return nil
}

// Done ends the journal: the operation is complete. If the new names could not be written to
// the device, the journal remains, and the next command completes the operation again.
func (j *Journal) Done() error {
	j.drop()
	if j.names != nil {
		if <-j.names; j.lost != nil {
			return nil
		}
	}
	return j.log.end()
}

// drop removes the temporary files that were not renamed.
func (j *Journal) drop() {
	for _, t := range j.temps {
		t.Drop()
	}
	j.temps = nil
}

// changed returns the error for a file that another program changed.
func changed(f change.File) error {
	return fault.New(fault.Busy, "%q %w", f.Path, ErrChanged).WithHint("try again")
}

// rename renames the temporary files to their targets, and removes the files that are to be
// removed, as long as all have their Before bytes.
func (j *Journal) rename(files []change.File, temps []*Staged) error {
	for i, f := range files {
		var err error
		if f.Gone() {
			err = RemoveFile(j.file(f), f.Before)
		} else {
			err = temps[i].Replace(f.Before)
		}
		if errors.Is(err, ErrChanged) {
			err = changed(f)
		}
		if err != nil {
			for _, t := range temps[i:] {
				t.Drop()
			}
			return err
		}
	}
	return nil
}

// syncDirs writes the new names to the device. After that the journal, which could repeat them,
// is no longer needed.
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

// stageAll writes and closes the temporary files, of which there may be thousands, and calls
// beside concurrently. If the operation must survive a power cut, they are on the device when
// it returns. After an error there are no temporary files.
func (j *Journal) stageAll(files []change.File, beside func() error) ([]*Staged, error) {
	temps, errs := make([]*Staged, len(files)), make([]error, 1+len(files))
	Each(len(errs), j.sync, func(i int) {
		switch {
		case i == 0:
			errs[0] = beside()
		case !files[i-1].Gone():
			temps[i-1], errs[i] = j.stage(files[i-1])
		}
	})
	for _, err := range errs {
		if err == nil {
			continue
		}
		for _, t := range temps {
			t.Drop()
		}
		return nil, err
	}
	return temps, nil
}

// stage writes the temporary file for a change.
func (j *Journal) stage(f change.File) (*Staged, error) {
	s, err := Stage(j.file(f), writing(f.After))
	if err != nil {
		return nil, err
	}
	if j.sync {
		err = s.Sync()
	}
	err = errors.Join(err, s.file.Close())
	if err != nil {
		s.Drop()
		return nil, err
	}
	return s, nil
}

func (j *Journal) file(f change.File) string {
	return filepath.Join(j.root, filepath.FromSlash(f.Path))
}

// read returns the current content of the file, or nil if there is no such file.
func (j *Journal) read(f change.File) ([]byte, error) {
	data, err := Bytes(j.file(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, describe("read", j.file(f), err)
	}
	return data, nil
}

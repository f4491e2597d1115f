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

// Journal makes one operation all or nothing. Before the first file is touched
// it is on disk with what every file held and what it is to hold; after the last
// it says that nothing is under way. One that still is when an operation starts was
// left by a process that died: [Pending] finds it, and the caller goes forward
// ([Journal.Finish]) or back ([Journal.Revert]). Both may be interrupted and
// begun again. The caller holds the lock that keeps other operations away.
type Journal struct {
	End End

	log   *log
	root  string
	sync  bool
	files []change.File
	temps []*Staged     // the files as they are to be, closed, until Apply
	names chan struct{} // closed when the new names have reached the device; nil where nobody waits for that
	lost  error         // then: why they have not
}

// Operation is what a journal is begun for.
type Operation struct {
	Root    string // the folder that the paths of Files are relative to
	Files   []change.File
	End     End
	Written bool // the files hold their After bytes already: Apply is not called
	Sync    bool // what was done survives a power cut
}

// Begin writes the journal of an operation into dir, and the files' new content
// beside them, which is where a full disk shows. Where it is to survive a power cut
// all of it has reached the device then, in one go. After an error nothing is under
// way.
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
	var files []change.File // those to be written
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

// syncLog brings the journal to the device, where it is to survive a power cut.
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

// Moment is the same as long as no operation begins in dir, and "" while one is
// under way.
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

// Files is what the operation changes.
func (j *Journal) Files() []change.File { return j.files }

// ErrChanged means that a file of an operation was changed by another program since the
// operation was computed.
var ErrChanged = errors.New("changed while ckpt was at work")

// Apply makes every file hold its After bytes. If one does not hold its Before bytes it
// returns ErrChanged, of kind fault.Busy, and touches no file. On any failure call Revert.
func (j *Journal) Apply() error {
	if err := j.unchanged(); err != nil {
		j.files = nil // Revert has nothing to put back: whoever made one as it was to be keeps it
		return err
	}
	temps := j.temps
	j.temps = nil
	if err := j.rename(j.files, temps); err != nil || !j.sync {
		return err
	}
	j.names = make(chan struct{})
	go func() { // while the branch moves; Done waits for it
		defer close(j.names)
		j.lost = j.syncDirs(j.files)
	}()
	return nil
}

// unchanged says whether every file holds its Before bytes.
func (j *Journal) unchanged() error {
	for _, f := range j.files {
		now, err := j.read(f)
		if err != nil {
			return err
		}
		if !change.Same(now, f.Before) {
			return fault.New(fault.Busy, "%q %w", f.Path, ErrChanged).WithHint("try again")
		}
	}
	return nil
}

// Done ends the journal: the operation is complete. Where the new names did not
// reach the device it stays, for the next command to go forward once more.
func (j *Journal) Done() error {
	j.drop()
	if j.names != nil {
		if <-j.names; j.lost != nil {
			return nil
		}
	}
	return j.log.end()
}

// drop forgets the temporary files that did not get to their places.
func (j *Journal) drop() {
	for _, t := range j.temps {
		t.Drop()
	}
	j.temps = nil
}

// rename puts the temporary files in their places, and removes what is to be gone.
func (j *Journal) rename(files []change.File, temps []*Staged) error {
	for i, f := range files {
		var err error
		if f.Gone() {
			err = Remove(j.file(f))
		} else {
			err = temps[i].Commit()
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

// stageAll writes the temporary files, complete and closed, since there may be
// thousands of them; beside that it does what it is given. Where they are to survive a
// power cut they have reached the device then. After an error there are none.
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

// stage writes the temporary file of one.
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

// read is the file's bytes now, nil where there is none.
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

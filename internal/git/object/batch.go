package object

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

// Batch collects new objects and writes them together, so that the device syncs them in one round. No ref names
// them yet: if the process is killed, it leaves only files that `git gc` removes.
type Batch struct {
	db    *Database
	from  Reader
	todo  []newObject
	trees map[string][]byte // the added trees, by hash
}

type newObject struct {
	kind plumbing.ObjectType
	hash string
	data []byte
}

// NewBatch returns an empty batch. Objects that are not in it are read with the reader.
func (db *Database) NewBatch(from Reader) *Batch {
	return &Batch{db: db, from: from, trees: map[string][]byte{}}
}

// Add adds an object and returns its hash.
func (b *Batch) Add(kind plumbing.ObjectType, data []byte) (hash string) {
	hash = b.db.HashOf(kind, data)
	b.todo = append(b.todo, newObject{kind: kind, hash: hash, data: data})
	if kind == Tree {
		b.trees[hash] = data
	}
	return hash
}

// Read returns the content of an added tree, or of a stored object.
func (b *Batch) Read(kind plumbing.ObjectType, hash string) ([]byte, error) {
	if data, planned := b.trees[hash]; planned && kind == Tree {
		return data, nil
	}
	return b.from.Read(kind, hash)
}

// Flush writes the added objects. With sync they are on the device when it returns.
func (b *Batch) Flush(sync bool) error {
	if b == nil || len(b.todo) == 0 {
		return nil
	}
	todo := b.todo
	b.todo = nil
	encoded, err := encode(todo)
	files := make([]looseFile, len(encoded))
	for i := 0; i < len(files) && err == nil; i += maxOpen {
		end := min(i+maxOpen, len(files))
		err = b.write(files[i:end], todo[i:end], encoded[i:end], sync)
	}
	share := b.db.Sharing()
	for _, f := range files { // no file gets its final name before all are complete
		if err == nil && f.temp != "" {
			err = errors.Join(share.Apply(filepath.Dir(f.path)), share.Apply(f.temp))
		}
		if renamed := f.finish(err == nil); err == nil {
			err = renamed
		}
	}
	if err != nil {
		return fault.New(fault.Failed, "write object: %w", err)
	}
	b.db.lock.Lock()
	defer b.db.lock.Unlock()
	for _, o := range todo {
		b.db.keep(o.kind, o.hash, o.data)
	}
	return nil
}

// maxOpen is how many files of objects are open at a time.
const maxOpen = 64

// write writes the files of objects under temporary names. All are written before the first is synced, so that the
// device syncs them in one round.
func (b *Batch) write(files []looseFile, objects []newObject, encoded [][]byte, sync bool) error {
	open, errs := make([]*os.File, len(files)), make([]error, len(files))
	disk.Each(len(files), false, func(i int) {
		files[i], open[i], errs[i] = b.create(objects[i].hash, encoded[i])
	})
	disk.Each(len(files), sync, func(i int) {
		if open[i] == nil {
			return
		}
		if sync && errs[i] == nil {
			errs[i] = open[i].Sync()
		}
		errs[i] = errors.Join(errs[i], open[i].Close())
	})
	return errors.Join(errs...)
}

// create writes the file of an object under a temporary name, and leaves it open. If the object's file exists, create
// sets its time to now, as git does, so that a concurrent `git gc` does not remove it, and returns no file.
func (b *Batch) create(hash string, data []byte) (looseFile, *os.File, error) {
	path, now := b.db.loose(hash), time.Now()
	if os.Chtimes(path, now, now) == nil {
		return looseFile{}, nil, nil
	}
	f, err := createObject(path)
	if err != nil {
		return looseFile{}, nil, err
	}
	_, err = f.Write(data)
	return looseFile{temp: f.Name(), path: path}, f, err
}

// looseFile is the complete file of a loose object that does not have its final name yet.
type looseFile struct {
	temp string // the temporary name; "" if the object existed before
	path string
}

// finish gives the file its final name if good is true, and else removes it. If the rename fails and that name exists,
// another process has stored the same object: Windows does not replace a read-only file.
func (f looseFile) finish(good bool) error {
	if f.temp == "" {
		return nil
	}
	var err error
	if good {
		err = disk.Rename(f.temp, f.path)
		if err == nil {
			return nil
		}
		if disk.Exists(f.path) {
			err = nil
		}
	}
	_ = os.Remove(f.temp) // if this fails, git gc removes it
	return err
}

// createObject makes the file of a loose object, with git's mode and temporary name. It tries again if a concurrent
// `git gc` removes the folder right after it was created.
func createObject(path string) (*os.File, error) {
	dir := filepath.Dir(path)
	temp := filepath.Join(dir, "tmp_obj_"+strconv.FormatUint(rand.Uint64(), 36))
	const flags = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	f, err := os.OpenFile(temp, flags, 0o444)
	for tries := 0; errors.Is(err, fs.ErrNotExist) && tries < 100; tries++ {
		err = os.Mkdir(dir, 0o777)
		if err == nil || errors.Is(err, fs.ErrExist) {
			f, err = os.OpenFile(temp, flags, 0o444)
		}
	}
	return f, err
}

// encode returns the objects in the loose format. It encodes one after the other, so that they share go-git's
// compressor, which takes a megabyte of memory.
func encode(objects []newObject) ([][]byte, error) {
	files := make([][]byte, len(objects))
	for i, o := range objects {
		var file bytes.Buffer
		w := objfile.NewWriter(&file)
		err := w.WriteHeader(o.kind, int64(len(o.data)))
		if err == nil {
			_, err = w.Write(o.data)
		}
		err = errors.Join(err, w.Close())
		if err == nil && len(o.hash) == 40 && w.Hash().String() != o.hash {
			err = errors.New("the content collides with another by SHA-1") // go-git detects it
		}
		if err != nil {
			return nil, err
		}
		files[i] = file.Bytes()
	}
	return files, nil
}

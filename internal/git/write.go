package git

import (
	"compress/zlib"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"example.com/ckpt/internal/core/fault"
)

// batch collects new objects and writes them together, so that the device takes
// their syncs in one go. Nothing points at them before the ref moves, so a
// death in the middle leaves only litter that `git gc` removes.
type batch struct {
	db   *objects
	todo []newObject
}

type newObject struct {
	kind string
	hash hash
	data []byte
}

// add plans an object and returns its name.
func (b *batch) add(kind string, data []byte) hash {
	h := sum(kind, data)
	b.todo = append(b.todo, newObject{kind, h, data})
	return h
}

// want is an object of the batch or of the database.
func (b *batch) want(kind string, h hash) ([]byte, error) {
	for _, o := range b.todo {
		if o.hash == h && o.kind == kind {
			return o.data, nil
		}
	}
	return b.db.want(kind, h)
}

// flush writes what was planned; with sync it has reached the device after.
func (b *batch) flush(sync bool) error {
	errs := make([]error, len(b.todo))
	parallel(len(b.todo), func(i int) {
		if _, err := os.Lstat(b.db.loose(b.todo[i].hash)); err != nil {
			errs[i] = b.db.write(b.todo[i], sync)
		}
	})
	b.todo = nil
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// write makes the loose file of an object, with git's mode and temporary name.
func (o *objects) write(obj newObject, sync bool) error {
	path := o.loose(obj.hash)
	f, err := os.CreateTemp(filepath.Dir(path), "tmp_obj_*")
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o777); err == nil {
			f, err = os.CreateTemp(filepath.Dir(path), "tmp_obj_*")
		}
	}
	if err != nil {
		return fault.New(fault.Failed, "write object: %w", err)
	}
	err = deflate(f, obj)
	if err == nil {
		err = f.Chmod(0o444)
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // git gc removes it otherwise
		return fault.New(fault.Failed, "write object: %w", err)
	}
	return nil
}

func deflate(f *os.File, obj newObject) error {
	z, err := zlib.NewWriterLevel(f, zlib.BestSpeed)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(z, "%s %d\x00", obj.kind, len(obj.data)); err != nil {
		return err
	}
	if _, err := z.Write(obj.data); err != nil {
		return err
	}
	return z.Close()
}

// parallel calls do(0) to do(n-1) side by side, a handful at a time.
func parallel(n int, do func(int)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, 8)
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			do(i)
		})
	}
	wg.Wait()
}

package git

import (
	"bufio"
	"compress/zlib"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
	zlibs "github.com/go-git/go-git/v5/utils/sync"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// batch collects new objects and writes them together, so that the device takes
// their syncs in one go. Nothing points at them before the ref moves, so a
// death in the middle leaves only litter that `git gc` removes.
type batch struct {
	db   *objects
	todo []newObject

	encoding sync.Mutex
	zlib     *zlib.Writer // of whoever is encoding
}

type newObject struct {
	kind plumbing.ObjectType
	hash plumbing.Hash
	data []byte
}

// add plans an object and returns its name.
func (b *batch) add(kind plumbing.ObjectType, data []byte) plumbing.Hash {
	h := plumbing.ComputeHash(kind, data)
	b.todo = append(b.todo, newObject{kind: kind, hash: h, data: data})
	return h
}

// want is a tree of the batch, or an object of the database.
func (b *batch) want(kind plumbing.ObjectType, h plumbing.Hash) ([]byte, error) {
	for _, o := range b.todo {
		if o.hash == h && o.kind == kind {
			return o.data, nil
		}
	}
	return b.db.want(kind, h)
}

// flush writes what was planned; with sync it has reached the device after.
func (b *batch) flush(sync bool) error {
	b.dropPacked()
	var err error
	if b.zlib, err = b.compressor(); err != nil {
		return err
	}
	files, errs := make([]looseFile, len(b.todo)), make([]error, len(b.todo))
	disk.Each(len(b.todo), sync, func(i int) { files[i], errs[i] = b.create(b.todo[i], sync) })
	b.todo = nil
	err = errors.Join(errs...)
	share := b.db.sharing()
	for _, l := range files { // none has its name before all are complete
		if err == nil && l.temp != "" {
			err = errors.Join(share.Apply(filepath.Dir(l.path)), share.Apply(l.temp))
		}
		if cerr := l.place(err == nil); err == nil {
			err = cerr
		}
	}
	if err != nil {
		return fault.New(fault.Failed, "write object: %w", err)
	}
	return nil
}

// manyObjects is from how many objects on a look into the packs costs less than
// writing once more what they hold.
const manyObjects = 64

// dropPacked leaves out what the packs hold already, as where an operation that
// removed thousands of files is undone. These packs are made young again, as git does;
// a cruft pack cannot be: it has a time of its own for each object, and may go next.
func (b *batch) dropPacked() {
	if len(b.todo) < manyObjects || b.db.open(0) != nil {
		return
	}
	young := map[*pack]bool{}
	b.todo = slices.DeleteFunc(b.todo, func(o newObject) bool {
		for _, p := range b.db.packs {
			if err := p.find(o.hash); err != nil {
				continue
			}
			if _, tried := young[p]; !tried {
				now := time.Now()
				young[p] = !p.cruft() && os.Chtimes(p.path, now, now) == nil
			}
			return young[p]
		}
		return false
	})
}

// create writes the file of an object, under a temporary name. One that is there
// already is made young again, as git does, lest a `git gc` of this moment takes it
// for garbage.
func (b *batch) create(obj newObject, sync bool) (l looseFile, err error) {
	path, now := b.db.loose(obj.hash), time.Now()
	if os.Chtimes(path, now, now) == nil {
		return l, nil
	}
	f, err := createObject(path)
	if err != nil {
		return l, err
	}
	if err = b.encode(f, obj); err == nil && sync {
		err = f.Sync()
	}
	return looseFile{f.Name(), path}, errors.Join(err, f.Close())
}

// looseFile is an object's file that is complete, but not in its place.
type looseFile struct {
	temp string // "" for none
	path string
}

// place gives the file its name, or removes it. Windows does not replace a file that is
// read-only, as objects are: another process has stored this one meanwhile.
func (l looseFile) place(good bool) (err error) {
	if l.temp == "" {
		return nil
	}
	if good {
		if err = disk.Rename(l.temp, l.path); err != nil && disk.Exists(l.path) {
			_ = os.Remove(l.temp)
			return nil
		}
	}
	if !good || err != nil {
		_ = os.Remove(l.temp) // git gc removes it otherwise
	}
	return err
}

// createObject makes the file of a loose object, with git's mode and temporary name.
func createObject(path string) (*os.File, error) {
	dir := filepath.Dir(path)
	temp := filepath.Join(dir, "tmp_obj_"+strconv.FormatUint(rand.Uint64(), 36))
	const flags = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	f, err := os.OpenFile(temp, flags, 0o444)
	for tries := 0; errors.Is(err, fs.ErrNotExist) && tries < 100; tries++ { // a `git gc` beside us removes what is empty
		if err = os.Mkdir(dir, 0o777); err == nil || errors.Is(err, fs.ErrExist) {
			f, err = os.OpenFile(temp, flags, 0o444)
		}
	}
	return f, err
}

// smallObject is the size up to which an object is stored as it is: compressing it takes
// longer than all else that is done with it, and saves a few blocks of the file system
// until `git gc` packs and compresses them all.
const smallObject = 16_000

// compressor makes the one compressor of a batch: it holds a megabyte of memory.
func (b *batch) compressor() (*zlib.Writer, error) {
	level := zlib.NoCompression
	if slices.ContainsFunc(b.todo, func(o newObject) bool { return len(o.data) > smallObject }) {
		level = zlib.BestSpeed
	}
	return zlib.NewWriterLevel(nil, level)
}

// encode writes an object as a loose one.
func (b *batch) encode(to io.Writer, obj newObject) error {
	b.encoding.Lock()
	defer b.encoding.Unlock()
	zlibs.PutZlibWriter(b.zlib) // objfile takes its compressor from go-git's pool, and gives it back
	defer func() { b.zlib = zlibs.GetZlibWriter(nil) }()
	buf := bufio.NewWriter(to)
	w := objfile.NewWriter(buf)
	err := w.WriteHeader(obj.kind, int64(len(obj.data)))
	if err == nil {
		_, err = w.Write(obj.data)
	}
	return errors.Join(err, w.Close(), buf.Flush())
}

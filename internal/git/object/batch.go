package object

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

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

// Batch collects new objects and writes them together, so that the device syncs them in one round.
// No ref names them yet: if the process is killed, it leaves only files that `git gc` removes.
type Batch struct {
	db    *Database
	todo  []newObject
	trees map[string][]byte // the trees that are added and not written yet

	encoding sync.Mutex
	zlib     *zlib.Writer // used by one goroutine at a time
}

type newObject struct {
	kind plumbing.ObjectType
	hash plumbing.Hash
	data []byte
}

// NewBatch returns an empty batch.
func (db *Database) NewBatch() *Batch { return &Batch{db: db, trees: map[string][]byte{}} }

// Add adds an object and returns its hash.
func (b *Batch) Add(kind plumbing.ObjectType, data []byte) string {
	h := plumbing.ComputeHash(kind, data)
	b.todo = append(b.todo, newObject{kind: kind, hash: h, data: data})
	if kind == Tree {
		b.trees[h.String()] = data
	}
	return h.String()
}

// Read returns an added tree, or an object of the database.
func (b *Batch) Read(kind plumbing.ObjectType, hash string) ([]byte, error) {
	if data, planned := b.trees[hash]; planned && kind == Tree {
		return data, nil
	}
	return b.db.Read(kind, hash)
}

// Flush writes the added objects. With sync they are on the device when it returns.
func (b *Batch) Flush(sync bool) error {
	if b == nil || len(b.todo) == 0 {
		return nil
	}
	b.dropPacked()
	var err error
	b.zlib, err = b.compressor()
	if err != nil {
		return err
	}
	files, errs := make([]looseFile, len(b.todo)), make([]error, len(b.todo))
	disk.Each(len(b.todo), sync, func(i int) { files[i], errs[i] = b.create(b.todo[i], sync) })
	b.todo = nil
	err = errors.Join(errs...)
	share := b.db.sharing()
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
	return nil
}

// packLookupThreshold is the number of objects above which it is cheaper to look them up in the
// packs than to write again what the packs contain.
const packLookupThreshold = 64

// dropPacked drops the objects of a large batch that are in packs already, as when an operation
// that removed thousands of files is undone. Like git it sets the time of these packs to now, so
// that no `git gc` removes them. A cruft pack has a time for each object and does not count.
func (b *Batch) dropPacked() {
	if len(b.todo) < packLookupThreshold || b.db.list(0) != nil {
		return
	}
	usable, now := map[*pack]bool{}, time.Now()
	b.todo = slices.DeleteFunc(b.todo, func(o newObject) bool {
		for _, p := range b.db.packs {
			if !p.has(o.hash) {
				continue
			}
			if _, tried := usable[p]; !tried {
				usable[p] = !disk.Exists(p.path+".mtimes") && os.Chtimes(p.path+".pack", now, now) == nil
			}
			return usable[p]
		}
		return false
	})
}

// create writes the file of an object under a temporary name. If the object's file exists, create
// sets its time to now, as git does, so that a concurrent `git gc` does not remove it.
func (b *Batch) create(o newObject, sync bool) (looseFile, error) {
	path, now := b.db.loose(o.hash), time.Now()
	if os.Chtimes(path, now, now) == nil {
		return looseFile{}, nil
	}
	f, err := createObject(path)
	if err != nil {
		return looseFile{}, err
	}
	err = b.encode(f, o)
	if err == nil && sync {
		err = f.Sync()
	}
	return looseFile{temp: f.Name(), path: path}, errors.Join(err, f.Close())
}

// looseFile is the complete file of a loose object that does not have its final name yet.
type looseFile struct {
	temp string // "" if the object existed before
	path string
}

// finish gives the file its final name, or removes it. Windows does not replace a read-only file,
// as objects are; then another process has stored the same object meanwhile.
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

// createObject makes the file of a loose object, with git's mode and temporary name. A concurrent
// `git gc` may remove the folder right after it was created.
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

// smallObject is the size up to which an object is stored uncompressed. Compressing it would take
// longer than everything else that is done with it, and would save only a few blocks of the file
// system until `git gc` packs it.
const smallObject = 16_000

// compressor returns the one compressor of a batch, since each takes a megabyte of memory.
func (b *Batch) compressor() (*zlib.Writer, error) {
	level := zlib.NoCompression
	if slices.ContainsFunc(b.todo, func(o newObject) bool { return len(o.data) > smallObject }) {
		level = zlib.BestSpeed
	}
	return zlib.NewWriterLevel(nil, level)
}

// encode writes an object in the loose format. objfile takes its compressor from go-git's pool and
// returns it there.
func (b *Batch) encode(to io.Writer, o newObject) error {
	b.encoding.Lock()
	defer b.encoding.Unlock()
	zlibs.PutZlibWriter(b.zlib)
	defer func() { b.zlib = zlibs.GetZlibWriter(nil) }()
	buffered := bufio.NewWriter(to)
	w := objfile.NewWriter(buffered)
	err := w.WriteHeader(o.kind, int64(len(o.data)))
	if err == nil {
		_, err = w.Write(o.data)
	}
	return errors.Join(err, w.Close(), buffered.Flush())
}

// Package object reads and writes git's objects: blobs, trees and commits.
//
// It reads and writes loose objects without a process, because a checkpoint is recorded after nearly every step of an
// agent. go-git's plumbing/format/objfile compresses and parses them. Objects in packs or alternates are read by one
// `git cat-file --batch`, which takes 3 ms in any repository. go-git's storage/filesystem would first read the whole
// index of a pack: 40 ms for 130,000 objects and 450 ms for a million. The package encodes trees and commits itself,
// because go-git's plumbing/object links OpenPGP, which adds a fifth to the page faults of every start. It also turns
// mode 100664 of old trees into 100644, which would change the entries beside ours.
//
// Hashes are strings in hex, so that SHA-1 and SHA-256 have the same type.
package object

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/refs"
)

// The kinds of objects.
const (
	Blob   = plumbing.BlobObject
	Tree   = plumbing.TreeObject
	Commit = plumbing.CommitObject
)

// ErrMissing means that the database does not have an object, as may happen in a partial clone. Errors wrap it.
var ErrMissing = errors.New("object is missing")

// Database is the object database of a repository. Several goroutines may read it.
type Database struct {
	Options

	lock  sync.Mutex
	known map[name][]byte // a cache of objects, which an operation needs several times
	size  int             // the size of known in bytes
	git   *catFile        // nil until an object is needed that is not loose
	asked []newObject     // the small objects that git has read; see Loosen
}

// Options describe an object database.
type Options struct {
	Dir     string              // the path of git's folder objects
	Hash    func() hash.Hash    // the hash function that names objects: SHA-1 or SHA-256
	Sharing func() disk.Sharing // the permissions that new files grant to other users

	// CatFile returns a command `git cat-file --batch` that does not fetch missing objects.
	CatFile func() (*exec.Cmd, error)
}

// name is the kind and the hash of an object.
type name struct {
	kind plumbing.ObjectType
	hash string
}

// HashOf returns the hash of an object. Unlike go-git's hash, it does not detect SHA-1 collisions, which would take
// twice as long: `ckpt list` and `ckpt search` call it for each file.
func (db *Database) HashOf(kind plumbing.ObjectType, content []byte) string {
	sum := db.Hash()
	fmt.Fprintf(sum, "%s %d\x00", kind, len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil))
}

// Read returns the content of an object, which must be of the given kind. The error wraps
// ErrMissing if the database does not have it.
func (db *Database) Read(kind plumbing.ObjectType, hash string) ([]byte, error) {
	db.lock.Lock()
	defer db.lock.Unlock()
	if data, ok := db.known[name{kind, hash}]; ok {
		return data, nil
	}
	got, data, err := db.readLoose(hash)
	asked := errors.Is(err, fs.ErrNotExist)
	if asked {
		err = db.ask([]string{hash}, func(_ int, kind plumbing.ObjectType, content []byte) { got, data = kind, content })
	}
	switch {
	case err != nil:
	case data == nil:
		err = ErrMissing
	case got != kind:
		return nil, fault.New(fault.Failed, "object %s is a %s, not a %s", hash, got, kind).WithHint("git fsck")
	}
	if err != nil {
		return nil, fault.New(fault.Failed, "read object %s: %w", hash, err).WithHint("git fsck")
	}
	if asked && len(data) < 4096 {
		db.asked = append(db.asked, newObject{kind: kind, hash: hash, data: data})
	}
	db.keep(kind, hash, data)
	return data, nil
}

// Loosen stores the small objects that git has read, such as the tree of an archive, as loose objects, so that the next
// command reads them without a process. If there are more than 20, it stores none. `git gc` removes them again.
func (db *Database) Loosen() error {
	db.lock.Lock()
	b := Batch{db: db, todo: db.asked}
	db.asked = nil
	db.lock.Unlock()
	if len(b.todo) > 20 {
		return nil
	}
	return b.Flush(true)
}

// keep caches an object for the next time that it is read, up to 4 MiB in all.
func (db *Database) keep(kind plumbing.ObjectType, hash string, data []byte) {
	if db.size+len(data) > 4<<20 {
		return
	}
	if db.known == nil {
		db.known = map[name][]byte{}
	}
	db.known[name{kind, hash}] = slices.Clip(data)
	db.size += len(data)
}

// Blobs reads blobs and calls visit for each, in the order of hashes. The content is nil if the
// database does not have the blob. Visit may keep the content.
func (db *Database) Blobs(ctx context.Context, hashes []string, visit func(hash string, content []byte)) error {
	for some := range slices.Chunk(hashes, 100) { // git looks up the next blob while we read one
		if err := ctx.Err(); err != nil {
			return err
		}
		contents, err := db.readAll(some)
		if err != nil {
			return err
		}
		for i, hash := range some {
			visit(hash, contents[i])
		}
	}
	return nil
}

func (db *Database) readAll(hashes []string) ([][]byte, error) {
	db.lock.Lock()
	defer db.lock.Unlock()
	contents := make([][]byte, len(hashes))
	var elsewhere []string
	var at []int // the indices of elsewhere in hashes
	for i, hash := range hashes {
		var err error
		_, contents[i], err = db.readLoose(hash)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			elsewhere, at = append(elsewhere, hash), append(at, i)
		case err != nil:
			return nil, fault.New(fault.Failed, "read object %s: %w", hash, err).WithHint("git fsck")
		}
	}
	err := db.ask(elsewhere, func(i int, _ plumbing.ObjectType, content []byte) { contents[at[i]] = content })
	return contents, err
}

func (db *Database) loose(hash string) string { return filepath.Join(db.Dir, hash[:2], hash[2:]) }

// readLoose reads the file of a loose object. If it does not exist, the error is fs.ErrNotExist.
func (db *Database) readLoose(hash string) (plumbing.ObjectType, []byte, error) {
	if !refs.IsHash(hash) {
		return plumbing.InvalidObject, nil, fs.ErrNotExist
	}
	compressed, err := disk.Bytes(db.loose(hash))
	if err != nil {
		return plumbing.InvalidObject, nil, err
	}
	r, err := objfile.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return plumbing.InvalidObject, nil, err
	}
	defer r.Close()
	kind, size, err := r.Header()
	if err != nil {
		return plumbing.InvalidObject, nil, err
	}
	data, err := io.ReadAll(r)
	if err == nil && (int64(len(data)) != size || db.HashOf(kind, data) != hash) {
		err = errors.New("the object file is damaged")
	}
	return kind, data, err
}

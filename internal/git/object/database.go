// Package object reads and writes git's objects: blobs, trees and commits, loose or in packs, of
// the repository and of its alternates.
//
// It exists because a checkpoint is recorded after nearly every step of an agent, and
// because only the paths of one operation may change. go-git names, compresses and reads
// the objects (plumbing, format/objfile, format/packfile). Two parts of it were tried and
// left out. Its storage reads the whole index of a pack before the first object, 19 ms for
// 3 MB, where a binary search takes a dozen small reads. Its plumbing/object links OpenPGP,
// which makes every start of ckpt a tenth slower, and turns mode 100664 of old trees into
// 100644, which would change the entries beside ours. The text of a tree and of a commit is
// therefore written here, by some twenty lines each.
//
// Hashes are strings in hex, so that SHA-256 hashes, which only git can look up, have the same
// type. This package itself reads and writes only SHA-1.
package object

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

// The kinds of objects.
const (
	Blob   = plumbing.BlobObject
	Tree   = plumbing.TreeObject
	Commit = plumbing.CommitObject
)

// ErrMissing is in the error for an object that the database does not have. A partial clone may
// lack objects.
var ErrMissing = errors.New("object is missing")

// Database is an object database: loose files, packs, and the databases that
// objects/info/alternates names. It is not safe for use by several goroutines.
type Database struct {
	dir        string // the folder objects
	packs      []*pack
	alternates []*Database
	listed     bool // packs and alternates are set

	sharing func() disk.Sharing // the permissions of new files; nil in an alternate

	small map[name][]byte // the trees and commits read so far, which an operation needs several times
}

// name is the kind and the hash of an object.
type name struct {
	kind plumbing.ObjectType
	hash string
}

// Open returns the database in a folder. Sharing returns the permissions that new files grant to
// other users.
func Open(dir string, sharing func() disk.Sharing) *Database {
	return &Database{dir: dir, sharing: sharing}
}

// HashOf returns the name of the blob with this content, to compare it with one that git has.
// It does not detect SHA-1 collisions as go-git's hash does, which takes twice as long:
// `ckpt list` and `ckpt search` call it for each file.
func HashOf(content []byte) string {
	sum := sha1.New()
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil))
}

func parseHash(s string) (plumbing.Hash, error) {
	if !plumbing.IsHash(s) { // go-git would accept any text as a hash
		return plumbing.ZeroHash, fault.New(fault.Unsupported, "%q is not a SHA-1 object name", s)
	}
	return plumbing.NewHash(s), nil
}

// Read returns the content of an object, which must be of the given kind. The error wraps
// ErrMissing if the database does not have it.
func (db *Database) Read(kind plumbing.ObjectType, hash string) ([]byte, error) {
	if data, ok := db.small[name{kind, hash}]; ok {
		return data, nil
	}
	h, err := parseHash(hash)
	if err != nil {
		return nil, err
	}
	got, data, err := db.find(h, 0)
	if errors.Is(err, ErrMissing) {
		db.close() // git may have packed the object just now
		got, data, err = db.find(h, 0)
	}
	if err != nil {
		return nil, fault.New(fault.Failed, "read object %s: %w", hash, err).WithHint("git fsck")
	}
	if got != kind {
		return nil, fault.New(fault.Failed, "object %s is a %s, not a %s", hash, got, kind).WithHint("git fsck")
	}
	if kind != Blob && len(data) < 1<<16 && len(db.small) < 1000 {
		if db.small == nil {
			db.small = map[name][]byte{}
		}
		db.small[name{kind, hash}] = data
	}
	return data, nil
}

// Has reports whether the database has an object.
func (db *Database) Has(hash string) bool {
	h, err := parseHash(hash)
	return err == nil && db.has(h, 0)
}

// The most blobs that are read faster without a process: of those in packs a few, since git
// decompresses their shared delta bases only once.
const (
	fewBlobs  = 100
	fewPacked = 8
)

// Few reports whether blobs are read faster without a process.
func (db *Database) Few(blobs []string) bool {
	packed := 0
	for i := 0; i < len(blobs) && len(blobs) <= fewBlobs && packed <= fewPacked; i++ {
		h, err := parseHash(blobs[i])
		if err != nil || !disk.Exists(db.loose(h)) {
			packed++
		}
	}
	return len(blobs) <= fewBlobs && packed <= fewPacked
}

func (db *Database) has(h plumbing.Hash, depth int) bool {
	if disk.Exists(db.loose(h)) {
		return true
	}
	if db.list(depth) != nil {
		return false
	}
	for _, p := range db.packs {
		if p.has(h) {
			return true
		}
	}
	for _, alternate := range db.alternates {
		if alternate.has(h, depth+1) {
			return true
		}
	}
	return false
}

func (db *Database) find(h plumbing.Hash, depth int) (plumbing.ObjectType, []byte, error) {
	kind, data, err := db.readLoose(h)
	if !errors.Is(err, fs.ErrNotExist) {
		return kind, data, err
	}
	if err := db.list(depth); err != nil {
		return plumbing.InvalidObject, nil, err
	}
	for _, p := range db.packs {
		if kind, data, err := p.read(h); !errors.Is(err, ErrMissing) {
			return kind, data, err
		}
	}
	for _, alternate := range db.alternates {
		if kind, data, err := alternate.find(h, depth+1); !errors.Is(err, ErrMissing) {
			return kind, data, err
		}
	}
	return plumbing.InvalidObject, nil, ErrMissing
}

func (db *Database) loose(h plumbing.Hash) string {
	name := h.String()
	return filepath.Join(db.dir, name[:2], name[2:])
}

func (db *Database) readLoose(h plumbing.Hash) (plumbing.ObjectType, []byte, error) {
	compressed, err := disk.Bytes(db.loose(h))
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
	if err == nil && (int64(len(data)) != size || r.Hash() != h) {
		err = errors.New("the object file is damaged")
	}
	return kind, data, err
}

// list lists the packs and alternates, once.
func (db *Database) list(depth int) error {
	if db.listed {
		return nil
	}
	db.listed = true
	entries, err := os.ReadDir(filepath.Join(db.dir, "pack"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".idx"); ok {
			db.packs = append(db.packs, &pack{path: filepath.Join(db.dir, "pack", name)})
		}
	}
	if depth >= 5 { // git's limit, which also ends cycles
		return nil
	}
	var dirs []string
	if depth == 0 {
		dirs = filepath.SplitList(os.Getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES"))
	}
	if f, err := os.Open(filepath.Join(db.dir, "info", "alternates")); err == nil {
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			dir := strings.TrimSpace(s.Text())
			if dir == "" || dir[0] == '#' {
				continue
			}
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(db.dir, dir)
			}
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		db.alternates = append(db.alternates, &Database{dir: dir})
	}
	return nil
}

// close closes the packs and makes the next lookup list them anew.
func (db *Database) close() {
	for _, p := range db.packs {
		p.close()
	}
	for _, alternate := range db.alternates {
		alternate.close()
	}
	db.packs, db.alternates, db.listed = nil, nil, false
}

func damaged(what string) error { return fmt.Errorf("the %s is damaged", what) }

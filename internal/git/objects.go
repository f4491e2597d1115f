package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// parseHash reads an object's name, where go-git would take any text for one.
func parseHash(s string) (plumbing.Hash, error) {
	if !plumbing.IsHash(s) {
		return plumbing.ZeroHash, fmt.Errorf("%q is no object name", s)
	}
	return plumbing.NewHash(s), nil
}

// objects is the object database: loose files, packs, and the databases that
// objects/info/alternates names.
type objects struct {
	dir   string // .../objects
	packs []*pack
	known bool // packs is filled
	alts  []*objects

	sharing func() disk.Sharing // of the files that are written; nil where none are

	trees map[plumbing.Hash][]byte // those read, which a commit looks at several times
}

func (r *Repo) objectsDB() *objects {
	if r.objects == nil {
		dir := os.Getenv("GIT_OBJECT_DIRECTORY")
		if dir == "" {
			dir = filepath.Join(r.commonDir, "objects")
		}
		r.objects = &objects{dir: absolute(dir), sharing: func() disk.Sharing { return r.sharing(context.Background()) }}
	}
	return r.objects
}

// errMissing is what read returns for an object that is not there: in a partial
// clone it may be elsewhere.
var errMissing = errors.New("object is missing")

// read is an object's type and content.
func (o *objects) read(h plumbing.Hash) (kind plumbing.ObjectType, data []byte, err error) {
	kind, data, err = o.find(h, 0)
	if errors.Is(err, errMissing) {
		o.forget() // git may have packed it just now
		kind, data, err = o.find(h, 0)
	}
	if err != nil {
		return plumbing.InvalidObject, nil, fault.New(fault.Failed, "read object %s: %w", h, err).WithHint("git fsck")
	}
	return kind, data, nil
}

func (o *objects) find(h plumbing.Hash, depth int) (plumbing.ObjectType, []byte, error) {
	kind, data, err := o.readLoose(h)
	if !errors.Is(err, fs.ErrNotExist) {
		return kind, data, err
	}
	if err := o.open(depth); err != nil {
		return plumbing.InvalidObject, nil, err
	}
	for _, p := range o.packs {
		if kind, data, err := p.read(h); !errors.Is(err, errMissing) {
			return kind, data, err
		}
	}
	for _, alt := range o.alts {
		if kind, data, err := alt.find(h, depth+1); !errors.Is(err, errMissing) {
			return kind, data, err
		}
	}
	return plumbing.InvalidObject, nil, errMissing
}

// want reads an object that has to be of one kind.
func (o *objects) want(kind plumbing.ObjectType, h plumbing.Hash) ([]byte, error) {
	if data, ok := o.trees[h]; ok && kind == plumbing.TreeObject {
		return data, nil
	}
	got, data, err := o.read(h)
	if err != nil {
		return nil, err
	}
	if got != kind {
		return nil, fault.New(fault.Failed, "object %s is a %s, not a %s", h, got, kind).WithHint("git fsck")
	}
	if kind == plumbing.TreeObject && len(data) < 1<<16 {
		if o.trees == nil {
			o.trees = map[plumbing.Hash][]byte{}
		}
		o.trees[h] = data
	}
	return data, nil
}

func (o *objects) loose(h plumbing.Hash) string {
	name := h.String()
	return filepath.Join(o.dir, name[:2], name[2:])
}

func (o *objects) readLoose(h plumbing.Hash) (plumbing.ObjectType, []byte, error) {
	packed, err := disk.Bytes(o.loose(h))
	if err != nil {
		return plumbing.InvalidObject, nil, err
	}
	r, err := objfile.NewReader(bytes.NewReader(packed))
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

// BlobHash is the name under which git stores a file of exactly these bytes.
// Where attributes or core.autocrlf convert a file, git stores other bytes.
func BlobHash(data []byte) string { return plumbing.ComputeHash(plumbing.BlobObject, data).String() }

// Blob is the content of the blob with this name; fault.NotFound where a partial clone
// lacks it. No other repository is asked for it.
func (r *Repo) Blob(name string) ([]byte, error) {
	h, err := parseHash(name)
	if err != nil {
		return r.blobByGit(context.Background(), name)
	}
	data, err := r.objectsDB().want(plumbing.BlobObject, h)
	if errors.Is(err, errMissing) {
		if data, err = r.Offline().blobByGit(context.Background(), name); err != nil && r.mayLack() {
			return nil, fault.New(fault.NotFound, "%s is not in this clone, which is a partial one", name[:7]).WithHint("git cat-file blob %s fetches it", name)
		}
	}
	return data, err
}

package git

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// hash is an object's name, 20 bytes.
type hash [sha1.Size]byte

func (h hash) String() string { return hex.EncodeToString(h[:]) }
func (h hash) isZero() bool   { return h == hash{} }

func parseHash(s string) (h hash, err error) {
	if len(s) != 2*len(h) {
		return h, fmt.Errorf("%q is no object name", s)
	}
	_, err = hex.Decode(h[:], []byte(s))
	return h, err
}

// objects is the object database: loose files, packs, and the databases that
// objects/info/alternates names.
type objects struct {
	dir   string // .../objects
	packs []*pack
	known bool // packs is filled
	alts  []*objects

	sharing func() disk.Sharing // of the files that are written; nil where none are

	zlib  io.ReadCloser   // see inflate
	trees map[hash][]byte // those read, which a commit looks at several times
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

// read is an object's type ("blob", "tree", "commit") and content.
func (o *objects) read(h hash) (kind string, data []byte, err error) {
	kind, data, err = o.find(h, 0)
	if errors.Is(err, errMissing) {
		o.forget() // git may have packed it just now
		kind, data, err = o.find(h, 0)
	}
	if err != nil {
		return "", nil, fault.New(fault.Failed, "read object %s: %w", h, err)
	}
	return kind, data, nil
}

func (o *objects) find(h hash, depth int) (string, []byte, error) {
	kind, data, err := o.readLoose(h)
	if !errors.Is(err, fs.ErrNotExist) {
		return kind, data, err
	}
	if err := o.open(depth); err != nil {
		return "", nil, err
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
	return "", nil, errMissing
}

// want reads an object that has to be of one kind.
func (o *objects) want(kind string, h hash) ([]byte, error) {
	if data, ok := o.trees[h]; ok && kind == "tree" {
		return data, nil
	}
	got, data, err := o.read(h)
	if err != nil {
		return nil, err
	}
	if got != kind {
		return nil, fault.New(fault.Failed, "object %s is a %s, not a %s", h, got, kind).WithHint("git fsck")
	}
	if kind == "tree" && len(data) < 1<<16 {
		if o.trees == nil {
			o.trees = map[hash][]byte{}
		}
		o.trees[h] = data
	}
	return data, nil
}

func (o *objects) loose(h hash) string {
	name := h.String()
	return filepath.Join(o.dir, name[:2], name[2:])
}

func (o *objects) readLoose(h hash) (string, []byte, error) {
	packed, err := disk.Bytes(o.loose(h))
	if err != nil {
		return "", nil, err
	}
	raw, err := o.inflate(packed)
	if err != nil {
		return "", nil, err
	}
	head, data, ok := bytes.Cut(raw, []byte{0})
	kind, size, _ := bytes.Cut(head, []byte{' '})
	if n, err := strconv.Atoi(string(size)); !ok || err != nil || n != len(data) {
		return "", nil, errors.New("the object file is damaged")
	}
	return string(kind), data, nil
}

// inflate uses one decompressor again and again: making one costs more than
// what a small object needs it for.
func (o *objects) inflate(packed []byte) ([]byte, error) {
	if data, ok := unstored(packed); ok { // as we write them
		return data, nil
	}
	if o.zlib == nil {
		z, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, err
		}
		o.zlib = z
	} else if err := o.zlib.(zlib.Resetter).Reset(bytes.NewReader(packed), nil); err != nil {
		return nil, err
	}
	return io.ReadAll(o.zlib)
}

// sum is the name of the object with this content.
func sum(kind string, data []byte) hash {
	s := sha1.New()
	fmt.Fprintf(s, "%s %d\x00", kind, len(data))
	s.Write(data)
	return hash(s.Sum(nil))
}

// BlobHash is the name under which git stores a file of exactly these bytes.
// Where attributes or core.autocrlf convert a file, git stores other bytes.
func BlobHash(data []byte) string { return sum("blob", data).String() }

// Blob is the content of the blob with this name; fault.NotFound where a partial clone
// lacks it. No other repository is asked for it.
func (r *Repo) Blob(name string) ([]byte, error) {
	h, err := parseHash(name)
	if err != nil {
		return r.blobByGit(context.Background(), name)
	}
	data, err := r.objectsDB().want("blob", h)
	if errors.Is(err, errMissing) {
		if data, err = r.Offline().blobByGit(context.Background(), name); err != nil && r.mayLack() {
			return nil, fault.New(fault.NotFound, "%s is not in this clone, which is a partial one", name[:7]).WithHint("git cat-file blob %s fetches it", name)
		}
	}
	return data, err
}

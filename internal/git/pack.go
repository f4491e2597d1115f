package git

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"example.com/ckpt/internal/disk"
)

// pack is one packfile. go-git reads the objects in it; its lookup would read
// the whole .idx first (19 ms for 3 MB), so the lookup is ours: a binary
// search of a dozen small reads.
type pack struct {
	idx  *os.File
	path string // the .pack
	file *packfile.Packfile
}

// open lists the packs and alternates, once.
func (o *objects) open(depth int) error {
	if o.known {
		return nil
	}
	o.known = true
	entries, err := os.ReadDir(filepath.Join(o.dir, "pack"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".idx"); ok {
			o.packs = append(o.packs, &pack{path: filepath.Join(o.dir, "pack", name+".pack")})
		}
	}
	return o.openAlternates(depth)
}

func (o *objects) openAlternates(depth int) error {
	var dirs []string
	if depth == 0 {
		dirs = filepath.SplitList(os.Getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES"))
	}
	f, err := os.Open(filepath.Join(o.dir, "info", "alternates"))
	if err == nil {
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			if line := strings.TrimSpace(s.Text()); line != "" && line[0] != '#' {
				dirs = append(dirs, from(o.dir, line))
			}
		}
	}
	if depth >= 5 { // git's limit; it also ends circles
		return nil
	}
	for _, dir := range dirs {
		o.alts = append(o.alts, &objects{dir: dir})
	}
	return nil
}

// forget lists the packs anew at the next look.
func (o *objects) forget() {
	for _, p := range o.packs {
		p.close()
	}
	for _, alt := range o.alts {
		alt.forget()
	}
	o.packs, o.alts, o.known = nil, nil, false
}

func (p *pack) close() {
	if p.idx != nil {
		p.idx.Close()
	}
	if p.file != nil {
		p.file.Close()
	}
}

// cruft says whether the pack holds what nothing led to when git made it.
func (p *pack) cruft() bool { return disk.Exists(strings.TrimSuffix(p.path, ".pack") + ".mtimes") }

// find opens the index and says whether an object is in the pack: errMissing where it
// is not.
func (p *pack) find(h plumbing.Hash) error {
	if p.idx == nil {
		f, err := disk.OpenShared(strings.TrimSuffix(p.path, ".pack") + ".idx")
		if errors.Is(err, fs.ErrNotExist) {
			return errMissing // repacked meanwhile
		}
		if err != nil {
			return err
		}
		p.idx = f
	}
	_, err := p.FindOffset(h)
	return err
}

func (p *pack) read(h plumbing.Hash) (plumbing.ObjectType, []byte, error) {
	if err := p.find(h); err != nil {
		return plumbing.InvalidObject, nil, err
	}
	if p.file == nil {
		f, err := disk.OpenShared(p.path) // git may repack while the MCP server has it open
		if errors.Is(err, fs.ErrNotExist) {
			return plumbing.InvalidObject, nil, errMissing
		}
		if err != nil {
			return plumbing.InvalidObject, nil, err
		}
		p.file = packfile.NewPackfileWithCache(p, nil, packFile{f}, nil, 0)
	}
	obj, err := p.file.Get(h)
	if err != nil {
		return plumbing.InvalidObject, nil, err
	}
	content, err := obj.Reader()
	if err != nil {
		return plumbing.InvalidObject, nil, err
	}
	defer content.Close()
	data, err := io.ReadAll(content)
	return obj.Type(), data, err
}

// FindOffset is where in the pack the object is; errMissing where it is not.
// See gitformat-pack, version 2 .idx files.
func (p *pack) FindOffset(h plumbing.Hash) (int64, error) {
	const head, fanout = 8, 8 + 256*4
	count, err := p.u32(fanout - 4)
	if err != nil {
		return 0, err
	}
	if sig, err := p.u32(0); err != nil || sig != 0xff744f63 {
		return 0, errors.New("the pack index is of an old version")
	}
	low := uint32(0)
	if h[0] > 0 {
		if low, err = p.u32(head + int64(h[0]-1)*4); err != nil {
			return 0, err
		}
	}
	high, err := p.u32(head + int64(h[0])*4)
	if err != nil {
		return 0, err
	}
	var name [20]byte
	for low < high {
		mid := low + (high-low)/2
		if _, err := p.idx.ReadAt(name[:], fanout+int64(mid)*20); err != nil {
			return 0, err
		}
		switch bytes.Compare(h[:], name[:]) {
		case 0:
			return p.offset(int64(count), int64(mid))
		case -1:
			high = mid
		default:
			low = mid + 1
		}
	}
	return 0, errMissing
}

// offset reads entry i of the offset table, which points into a table of 64-bit
// offsets in packs over 2 GB.
func (p *pack) offset(count, i int64) (int64, error) {
	const names = 8 + 256*4
	small := names + count*24 // after the names and the checksums
	off, err := p.u32(small + i*4)
	if err != nil || off < 1<<31 {
		return int64(off), err
	}
	var wide [8]byte
	_, err = p.idx.ReadAt(wide[:], small+count*4+int64(off&^(1<<31))*8)
	return int64(binary.BigEndian.Uint64(wide[:])), err
}

func (p *pack) u32(at int64) (uint32, error) {
	var b [4]byte
	_, err := p.idx.ReadAt(b[:], at)
	return binary.BigEndian.Uint32(b[:]), err
}

// The rest of idxfile.Index: go-git asks for names only to keep a cache, which
// it has not got here, and for the others not at all when single objects are read.

func (p *pack) Contains(h plumbing.Hash) (bool, error) {
	_, err := p.FindOffset(h)
	return err == nil, nil
}
func (p *pack) FindHash(int64) (plumbing.Hash, error)       { return plumbing.ZeroHash, nil }
func (p *pack) FindCRC32(plumbing.Hash) (uint32, error)     { return 0, errors.ErrUnsupported }
func (p *pack) Count() (int64, error)                       { return 0, errors.ErrUnsupported }
func (p *pack) Entries() (idxfile.EntryIter, error)         { return nil, errors.ErrUnsupported }
func (p *pack) EntriesByOffset() (idxfile.EntryIter, error) { return nil, errors.ErrUnsupported }

// packFile is an open file in the shape that go-git wants.
type packFile struct{ *os.File }

func (packFile) Lock() error   { return nil }
func (packFile) Unlock() error { return nil }

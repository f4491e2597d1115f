package object

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"example.com/ckpt/internal/disk"
)

// pack is one packfile. go-git reads its objects; its index is searched here, by a binary search in
// the file.
type pack struct {
	path  string // the path without .pack or .idx
	index *os.File
	file  *packfile.Packfile
}

func (p *pack) close() {
	if p.index != nil {
		p.index.Close()
	}
	if p.file != nil {
		p.file.Close()
	}
}

// openFile opens a file of the pack. It returns ErrMissing if git has repacked meanwhile, which may
// happen while the MCP server has the pack open.
func (p *pack) openFile(extension string) (*os.File, error) {
	f, err := disk.OpenShared(p.path + extension)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrMissing
	}
	return f, err
}

// has reports whether the pack contains an object.
func (p *pack) has(h plumbing.Hash) bool {
	_, err := p.FindOffset(h)
	return err == nil
}

func (p *pack) read(h plumbing.Hash) (plumbing.ObjectType, []byte, error) {
	if _, err := p.FindOffset(h); err != nil {
		return plumbing.InvalidObject, nil, err
	}
	if p.file == nil {
		f, err := p.openFile(".pack")
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

// FindOffset returns the offset of an object in the pack, or ErrMissing. See
// gitformat-pack, version 2 .idx files.
func (p *pack) FindOffset(h plumbing.Hash) (int64, error) {
	const head, fanout = 8, 8 + 256*4
	if p.index == nil {
		f, err := p.openFile(".idx")
		if err != nil {
			return 0, err
		}
		p.index = f
	}
	if signature, err := p.u32(0); err != nil || signature != 0xff744f63 {
		return 0, errors.New("the pack index is of an old version")
	}
	count, err := p.u32(fanout - 4)
	if err != nil {
		return 0, err
	}
	low := uint32(0)
	if h[0] > 0 {
		low, err = p.u32(head + int64(h[0]-1)*4)
		if err != nil {
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
		if _, err := p.index.ReadAt(name[:], fanout+int64(mid)*20); err != nil {
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
	return 0, ErrMissing
}

// offset returns entry i of the offset table. In packs over 2 GB an entry may refer to a table of
// 64-bit offsets.
func (p *pack) offset(count, i int64) (int64, error) {
	const names = 8 + 256*4
	small := names + count*24 // the table comes after the names and the checksums
	offset, err := p.u32(small + i*4)
	if err != nil || offset < 1<<31 {
		return int64(offset), err
	}
	var wide [8]byte
	_, err = p.index.ReadAt(wide[:], small+count*4+int64(offset&^(1<<31))*8)
	return int64(binary.BigEndian.Uint64(wide[:])), err
}

func (p *pack) u32(at int64) (uint32, error) {
	var b [4]byte
	_, err := p.index.ReadAt(b[:], at)
	return binary.BigEndian.Uint32(b[:]), err
}

// The other methods of idxfile.Index. go-git calls FindHash to fill a cache that it does not have
// here, and does not call the others when it reads single objects.

func (p *pack) Contains(h plumbing.Hash) (bool, error)      { return p.has(h), nil }
func (p *pack) FindHash(int64) (plumbing.Hash, error)       { return plumbing.ZeroHash, nil }
func (p *pack) FindCRC32(plumbing.Hash) (uint32, error)     { return 0, errors.ErrUnsupported }
func (p *pack) Count() (int64, error)                       { return 0, errors.ErrUnsupported }
func (p *pack) Entries() (idxfile.EntryIter, error)         { return nil, errors.ErrUnsupported }
func (p *pack) EntriesByOffset() (idxfile.EntryIter, error) { return nil, errors.ErrUnsupported }

// packFile is an open file with the methods that go-git expects.
type packFile struct{ *os.File }

func (packFile) Lock() error   { return nil }
func (packFile) Unlock() error { return nil }

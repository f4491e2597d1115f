// Package index reads git's index file and replaces some of its entries. All other entries stay
// byte for byte, and so do the parts that make git's own commands fast: the cache tree, the
// untracked cache, the file system monitor.
//
// It exists because git offers no way to change a few entries of a large index that is
// faster than rewriting it, and go-git decodes the whole index, drops the extensions that it
// does not know and takes no lock. At 10,000 files an operation takes half as long as with
// `git update-index`, at 100,000 a fifth less; the user's staged changes are not touched.
// What only git may rewrite (a split or a sparse index, an unknown extension) is refused
// with [Unsupported]; the caller then runs git.
//
// The package takes no lock and opens no file: the caller has index.lock.
package index

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// An index has a header, a sorted list of entries, extensions, and a checksum; see gitformat-index.
const (
	headerSize  = 12
	trailerSize = 20

	// The offsets of the parts of an entry.
	modeAt    = 24
	sizeAt    = 36
	hashAt    = 40
	flagsAt   = 60
	fixedSize = 62 // the size of stat data, hash and flags, which precede the name

	flagAssumeUnchanged = 0x8000
	flagExtended        = 0x4000
	flagStage           = 0x3000
	flagNameLength      = 0x0fff

	extendedSkipWorktree = 0x4000
	extendedIntentToAdd  = 0x2000
)

// ErrDamaged means that the file is not a valid index.
var ErrDamaged = errors.New("the index is damaged")

// Unsupported is the error for an index that only git itself can rewrite.
type Unsupported struct{ why string }

func (e Unsupported) Error() string { return "the index " + e.why }

// OtherHashes is the error for the index of a repository with SHA-256.
var OtherHashes = Unsupported{"has other hashes than SHA-1"}

// File is the content of an index file.
type File struct {
	data    []byte // the header, the entries and the extensions
	version uint32
	count   int
	noSum   bool // the trailer is all zeros, since index.skipHash is set
}

// Entry is one entry of the index.
type Entry struct {
	Name []byte // the path; only valid until the next entry is visited

	start, end int // offsets in File.data
	flags      uint16
	extended   uint16
}

// Parse reads the header of an index. No data at all is an empty index.
func Parse(data []byte) (*File, error) {
	if len(data) == 0 {
		return &File{version: 2, data: []byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00")}, nil
	}
	if len(data) < headerSize+trailerSize || string(data[:4]) != "DIRC" {
		return nil, ErrDamaged
	}
	body, trailer := data[:len(data)-trailerSize], data[len(data)-trailerSize:]
	x := &File{
		data:    body,
		version: binary.BigEndian.Uint32(data[4:]),
		count:   int(binary.BigEndian.Uint32(data[8:])),
		noSum:   bytes.Equal(trailer, make([]byte, trailerSize)),
	}
	if x.version < 2 || x.version > 4 {
		return nil, Unsupported{fmt.Sprintf("has version %d", x.version)}
	}
	return x, nil
}

// Count returns the number of entries.
func (x *File) Count() int { return x.count }

// Stage returns the side of a merge conflict that the entry belongs to, or 0 without a conflict.
func (e Entry) Stage() int { return int(e.flags&flagStage) >> 12 }

// SkipWorktree reports whether a sparse checkout keeps the file out of the working tree.
func (e Entry) SkipWorktree() bool { return e.extended&extendedSkipWorktree != 0 }

// IntentToAdd reports whether the file was only announced with `git add -N`.
func (e Entry) IntentToAdd() bool { return e.extended&extendedIntentToAdd != 0 }

// Hash returns the hash of the entry's blob, in hex.
func (x *File) Hash(e Entry) string {
	return hex.EncodeToString(x.data[e.start+hashAt : e.start+hashAt+20])
}

// Mode returns the mode of the entry.
func (x *File) Mode(e Entry) filemode.FileMode {
	return filemode.FileMode(binary.BigEndian.Uint32(x.data[e.start+modeAt:]))
}

// Each calls visit for each entry in order.
func (x *File) Each(visit func(Entry) error) error {
	_, err := x.scan(visit)
	return err
}

// scan calls visit for each entry in order and returns where the entries end.
func (x *File) scan(visit func(Entry) error) (end int, err error) {
	at := headerSize
	var names [2][]byte // in version 4 each name is encoded relative to the one before
	for i := range x.count {
		previous := names[1-i&1]
		e, err := x.entry(at, previous, names[i&1][:0])
		if err != nil {
			return 0, err
		}
		if i > 0 {
			order := bytes.Compare(previous, e.Name)
			if order > 0 || order == 0 && e.Stage() == 0 {
				return 0, ErrDamaged
			}
		}
		names[i&1] = e.Name
		if err := visit(e); err != nil {
			return 0, err
		}
		at = e.end
	}
	return at, nil
}

// entry parses the entry at an offset of the data. In version 4 its name is built in buf.
func (x *File) entry(at int, previous, buf []byte) (Entry, error) {
	e := Entry{start: at}
	if at+fixedSize > len(x.data) {
		return e, ErrDamaged
	}
	e.flags = binary.BigEndian.Uint16(x.data[at+flagsAt:])
	at += fixedSize
	if e.flags&flagExtended != 0 {
		if x.version < 3 || at+2 > len(x.data) {
			return e, ErrDamaged
		}
		e.extended = binary.BigEndian.Uint16(x.data[at:])
		at += 2
	}
	if x.version == 4 {
		return x.compressedName(e, at, previous, buf)
	}
	n := int(e.flags & flagNameLength)
	if n == 0 { // in a split index, an entry without a name replaces one of the shared index
		return e, Unsupported{"is split"}
	}
	if n == flagNameLength { // the length is too large for the field: the name ends at the NUL
		n = bytes.IndexByte(x.data[at:], 0)
		if n < flagNameLength {
			return e, ErrDamaged
		}
	}
	e.end = e.start + (at-e.start+n+8)&^7 // the padding is one to eight NULs
	if e.end > len(x.data) || x.data[at+n] != 0 {
		return e, ErrDamaged
	}
	e.Name = x.data[at : at+n : at+n]
	return e, nil
}

// compressedName parses a name of version 4: the number of bytes to drop from the end of the
// previous name, and the text to append.
func (x *File) compressedName(e Entry, at int, previous, buf []byte) (Entry, error) {
	drop, at, ok := varint(x.data, at)
	if !ok || drop > len(previous) {
		return e, ErrDamaged
	}
	n := bytes.IndexByte(x.data[at:], 0)
	if n < 0 {
		return e, ErrDamaged
	}
	e.Name = append(append(buf, previous[:len(previous)-drop]...), x.data[at:at+n]...)
	e.end = at + n + 1
	if len(e.Name) == 0 {
		return e, Unsupported{"is split"}
	}
	return e, nil
}

// extension is one of the parts after the entries.
type extension struct {
	tag  string
	data []byte
}

func (x *File) extensions(at int) ([]extension, error) {
	var all []extension
	for at < len(x.data) {
		if at+8 > len(x.data) {
			return nil, ErrDamaged
		}
		tag, size := string(x.data[at:at+4]), int(binary.BigEndian.Uint32(x.data[at+4:]))
		at += 8
		if size > len(x.data)-at {
			return nil, ErrDamaged
		}
		all = append(all, extension{tag: tag, data: x.data[at : at+size]})
		at += size
	}
	return all, nil
}

// varint parses git's offset encoding: seven bits per byte, and each continuation adds one.
func varint(data []byte, at int) (value, next int, ok bool) {
	for i := range 4 {
		if at+i >= len(data) {
			break
		}
		c := data[at+i]
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, at + i + 1, true
		}
		value++
	}
	return 0, 0, false
}

func appendVarint(b []byte, value int) []byte {
	var buf [8]byte
	i := len(buf) - 1
	buf[i] = byte(value & 0x7f)
	for value >>= 7; value != 0; value >>= 7 {
		value--
		i--
		buf[i] = 0x80 | byte(value&0x7f)
	}
	return append(b, buf[i:]...)
}

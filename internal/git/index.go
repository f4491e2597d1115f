package git

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// The index is a sorted list of entries, then extensions, then a checksum; see
// gitformat-index. Only what is needed to walk it is taken apart here: ten
// megabytes of other people's entries are to come out as they went in.

const (
	indexHeader  = 12
	indexTrailer = 20
	entryFixed   = 62 // stat data, hash and flags, before the name
	entryMode    = 24 // where the mode is
	entrySize    = 36 // where the file size is
	entryHash    = 40
	entryFlags   = 60

	flagExtended = 0x4000
	flagStage    = 0x3000
	flagNameLen  = 0x0fff
	flagAssume   = 0x8000 // assume-unchanged

	extSkipWorktree = 0x4000
	extIntentToAdd  = 0x2000
)

var errIndex = errors.New("the index is damaged")

// errNoName: the nameless entries of a split index replace others of the shared one.
var errNoName = unsupportedIndex{"is split"}

// unsupportedIndex is an index that only git itself may rewrite.
type unsupportedIndex struct{ why string }

func (e unsupportedIndex) Error() string { return "the index " + e.why }

// index is an index file's bytes and its outline.
type index struct {
	data    []byte // header and entries and extensions
	version uint32
	count   int
	zero    bool // the trailer is all zeros: index.skipHash
}

// entry is one entry while it is scanned: name is valid until the next.
type entry struct {
	start, end int // in index.data
	name       []byte
	flags      uint16
	extended   uint16
}

func (e entry) stage() int { return int(e.flags&flagStage) >> 12 }

type extension struct {
	tag  string
	data []byte
}

// openIndex looks at the header. No data at all is an empty index.
func openIndex(data []byte) (*index, error) {
	if len(data) == 0 {
		return &index{version: 2, data: []byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00")}, nil
	}
	if len(data) < indexHeader+indexTrailer || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	x := &index{
		data:    data[:len(data)-indexTrailer],
		version: binary.BigEndian.Uint32(data[4:]),
		count:   int(binary.BigEndian.Uint32(data[8:])),
		zero:    bytes.Equal(data[len(data)-indexTrailer:], make([]byte, indexTrailer)),
	}
	if x.version < 2 || x.version > 4 {
		return nil, unsupportedIndex{fmt.Sprintf("has version %d", x.version)}
	}
	return x, nil
}

// scan calls visit for each entry in order and returns where the entries end.
func (x *index) scan(visit func(entry) error) (end int, err error) {
	at := indexHeader
	var names [2][]byte // v4 builds each name from the one before
	for i := range x.count {
		prev := names[1-i&1]
		e, err := x.entry(at, prev, names[i&1][:0])
		if err != nil {
			return 0, err
		}
		if i > 0 {
			if c := bytes.Compare(prev, e.name); c > 0 || c == 0 && e.stage() == 0 {
				return 0, errIndex
			}
		}
		names[i&1] = e.name
		if err := visit(e); err != nil {
			return 0, err
		}
		at = e.end
	}
	return at, nil
}

// entry takes apart the entry at a place in the data. In version 4 its name is
// built in buf.
func (x *index) entry(at int, prev, buf []byte) (entry, error) {
	e := entry{start: at}
	if at+entryFixed > len(x.data) {
		return e, errIndex
	}
	e.flags = binary.BigEndian.Uint16(x.data[at+entryFlags:])
	at += entryFixed
	if e.flags&flagExtended != 0 {
		if x.version < 3 || at+2 > len(x.data) {
			return e, errIndex
		}
		e.extended = binary.BigEndian.Uint16(x.data[at:])
		at += 2
	}
	if x.version == 4 {
		return x.compressedName(e, at, prev, buf)
	}
	n := int(e.flags & flagNameLen)
	if n == 0 {
		return e, errNoName
	}
	if n == flagNameLen { // too long for the field: up to the NUL
		if n = bytes.IndexByte(x.data[at:], 0); n < flagNameLen {
			return e, errIndex
		}
	}
	e.end = e.start + (at-e.start+n+8)&^7 // one to eight NULs
	if e.end > len(x.data) || x.data[at+n] != 0 {
		return e, errIndex
	}
	// A copy would cost; the names buffer of the caller is only for version 4.
	e.name = x.data[at : at+n : at+n]
	return e, nil
}

// compressedName reads version 4's name: how many bytes of the previous name to
// drop, and what follows them.
func (x *index) compressedName(e entry, at int, prev, buf []byte) (entry, error) {
	drop, at, ok := varint(x.data, at)
	if !ok || drop > len(prev) {
		return e, errIndex
	}
	n := bytes.IndexByte(x.data[at:], 0)
	if n < 0 {
		return e, errIndex
	}
	e.name = append(append(buf, prev[:len(prev)-drop]...), x.data[at:at+n]...)
	e.end = at + n + 1
	if len(e.name) == 0 {
		return e, errNoName
	}
	return e, nil
}

// extensions are the parts after the entries.
func (x *index) extensions(at int) ([]extension, error) {
	var exts []extension
	for at < len(x.data) {
		if at+8 > len(x.data) {
			return nil, errIndex
		}
		tag, size := string(x.data[at:at+4]), int(binary.BigEndian.Uint32(x.data[at+4:]))
		at += 8
		if size > len(x.data)-at {
			return nil, errIndex
		}
		exts = append(exts, extension{tag, x.data[at : at+size]})
		at += size
	}
	return exts, nil
}

// varint is git's offset encoding: seven bits a byte, each continuation adds one.
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

package index

import (
	"encoding/binary"
	"io/fs"
)

// Stat is the first part of an index entry: the data by which git sees that a file has not changed.
type Stat [40]byte

// StatOf returns the stat data of a regular file.
func StatOf(info fs.FileInfo) (s Stat) {
	changed, modified, numbers := Times(info)
	put := func(at int, value uint32) { binary.BigEndian.PutUint32(s[at:], value) }
	if !changed.IsZero() {
		put(0, uint32(changed.Unix()))
		put(4, uint32(changed.Nanosecond()))
	}
	put(8, uint32(modified.Unix()))
	put(12, uint32(modified.Nanosecond()))
	put(16, numbers[0])
	put(20, numbers[1])
	put(28, numbers[2])
	put(32, numbers[3])
	put(sizeAt, uint32(info.Size()))
	return s
}

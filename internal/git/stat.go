package git

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"

	"example.com/ckpt/internal/disk"
)

// statData is the first 40 bytes of an index entry, for the file at path (from
// the root) if it holds exactly content. Otherwise it stays empty, and git will
// see that the file differs from what is committed.
func (r *Repo) statData(path string, content []byte) (data [40]byte) {
	full := filepath.Join(r.root, filepath.FromSlash(path))
	before, err := os.Lstat(full)
	if err != nil || !before.Mode().IsRegular() {
		return data
	}
	now, err := disk.Bytes(full)
	if err != nil || !bytes.Equal(now, content) {
		return data
	}
	changed, modified, numbers := times(before)
	put := func(at int, value uint32) { binary.BigEndian.PutUint32(data[at:], value) }
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
	put(36, uint32(before.Size()))
	return data
}

package git

import (
	"encoding/binary"
	"os"
	"path/filepath"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/disk"
)

// statData is the first 40 bytes of an index entry, for a file (its path from
// the root) that is as it is to be. Otherwise it stays empty, and git will
// see that the file differs from what is committed.
func (r *Repo) statData(f change.File) (data [40]byte, err error) {
	full := filepath.Join(r.root, filepath.FromSlash(f.Path))
	before, lost := os.Lstat(full)
	if lost != nil || !before.Mode().IsRegular() {
		return data, nil
	}
	now, lost := disk.Bytes(full)
	if lost != nil {
		return data, nil
	}
	if !change.Same(now, f.After) {
		return data, nil
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
	return data, nil
}

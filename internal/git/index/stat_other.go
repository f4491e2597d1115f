//go:build !linux && !darwin

package index

import (
	"io/fs"
	"time"
)

// Times returns what the index records of a file besides size and mode: ctime, mtime, device, inode, owner and group.
// Values that this system does not have stay zero: git then reads the file again.
func Times(info fs.FileInfo) (changed, modified time.Time, numbers [4]uint32) {
	return time.Time{}, info.ModTime(), numbers
}

package index

import (
	"io/fs"
	"syscall"
	"time"
)

// Times returns what the index records of a file besides size and mode: ctime, mtime, device, inode, owner and group.
func Times(info fs.FileInfo) (changed, modified time.Time, numbers [4]uint32) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Time{}, info.ModTime(), numbers
	}
	return time.Unix(s.Ctimespec.Unix()), time.Unix(s.Mtimespec.Unix()),
		[4]uint32{uint32(s.Dev), uint32(s.Ino), s.Uid, s.Gid}
}

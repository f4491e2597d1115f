//go:build unix

package disk

import (
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Stamp returns the stamp of the file with this name. It does not follow a symbolic link.
func (f *Folder) Stamp(name string) (Stamp, error) { return f.stamp(name, unix.AT_SYMLINK_NOFOLLOW) }

func (f *Folder) stamp(name string, flags int) (Stamp, error) {
	var info unix.Stat_t
	_, err := retry(func() (int, error) { return 0, unix.Fstatat(f.fd, name, &info, flags) })
	if err != nil {
		return Stamp{}, &fs.PathError{Op: "stat", Path: filepath.Join(f.path, name), Err: err}
	}
	return Stamp{
		Size: info.Size, Modified: info.Mtim.Nano(), Changed: info.Ctim.Nano(), Inode: info.Ino, Device: uint64(info.Dev),
	}, nil
}

// Program returns the stamp of the running program's file, which no other build has.
func Program() (Stamp, error) {
	path, err := os.Executable()
	if err != nil {
		return Stamp{}, err
	}
	here := Folder{fd: unix.AT_FDCWD}
	return here.stamp(path, 0)
}

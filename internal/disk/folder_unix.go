//go:build unix

package disk

import (
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Folder reads many files of one folder. It opens them by the descriptor of the folder, which
// takes three system calls for a file and half the time of os.ReadFile.
type Folder struct {
	path string
	fd   int
}

// OpenFolder opens a folder. The caller closes it.
func OpenFolder(path string) (*Folder, error) {
	fd, err := retry(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return &Folder{path, fd}, nil
}

// Read returns the content of the regular file with this name, in buf if that is large enough. It
// does not block if the file was replaced by a pipe.
func (f *Folder) Read(name string, buf []byte) ([]byte, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(f.fd, name, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: filepath.Join(f.path, name), Err: err}
	}
	defer unix.Close(fd)
	buf = buf[:0]
	for {
		if cap(buf) == len(buf) {
			buf = append(make([]byte, 0, max(32<<10, 2*len(buf), size(fd)+1)), buf...)
		}
		room := buf[len(buf):cap(buf)]
		n, err := retry(func() (int, error) { return unix.Read(fd, room) })
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: filepath.Join(f.path, name), Err: err}
		}
		buf = buf[:len(buf)+n]
		if len(buf) > MaxFile {
			return nil, &fs.PathError{Op: "read", Path: filepath.Join(f.path, name), Err: ErrTooLarge}
		}
		if n < len(room) { // the whole file fits
			return buf, nil
		}
	}
}

// size returns the size of an open file, or 0 if it is unknown or more than a reader accepts.
func size(fd int) int {
	var info unix.Stat_t
	if unix.Fstat(fd, &info) != nil || info.Size > MaxFile {
		return 0
	}
	return int(info.Size)
}

// Close closes the folder.
func (f *Folder) Close() { _ = unix.Close(f.fd) }

// retry repeats a system call that a signal interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); err != unix.EINTR {
			return n, err
		}
	}
}

// Bytes returns the content of the regular file at path, as os.ReadFile does, with three system
// calls instead of ten: it does not register the file with the runtime's poller.
func Bytes(path string) ([]byte, error) {
	here := Folder{fd: unix.AT_FDCWD}
	return here.Read(path, make([]byte, 0, 4<<10))
}

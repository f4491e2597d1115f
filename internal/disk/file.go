package disk

import (
	"errors"
	"io"
	"os"
	"time"
)

// File is a file of any size that is open, to be read bit by bit; Close it.
type File struct {
	Size    int64     // in bytes, when it was opened
	Changed time.Time // when it was last written

	file *os.File
	held bool
}

// Open opens the regular file at path.
func Open(path string) (*File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return opened(f)
}

// Hold keeps what comes out of r: what can be read once only is then a file like
// others, though in no folder where anybody looks. It takes room in dir.
func Hold(dir string, r io.Reader) (*File, error) {
	s, err := NewSpool(dir)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(s.file, r); err != nil {
		s.Close()
		return nil, describe("hold", s.file.Name(), err)
	}
	f, err := opened(s.file)
	if err == nil {
		f.held = true
	}
	return f, err
}

func opened(f *os.File) (*File, error) {
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &File{Size: info.Size(), Changed: info.ModTime(), file: f}, nil
}

// ReadAt reads as io.ReaderAt says.
func (f *File) ReadAt(p []byte, at int64) (int, error) { return f.file.ReadAt(p, at) }

// Reader reads it from the start.
func (f *File) Reader() io.Reader { return io.NewSectionReader(f.file, 0, f.Size) }

// Bytes is all of it; ErrTooLarge where that is more than MaxFile.
func (f *File) Bytes() ([]byte, error) {
	if f.Size > MaxFile {
		return nil, ErrTooLarge
	}
	return io.ReadAll(f.Reader())
}

// Close closes it. What was held is gone then.
func (f *File) Close() {
	_ = f.file.Close()
	if f.held {
		_ = os.Remove(f.file.Name()) // where an open file cannot be removed
	}
}

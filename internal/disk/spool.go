package disk

import (
	"io"
	"os"

	"example.com/ckpt/internal/core/change"
)

// Spool keeps the new content of many files, on the disk and in no folder where
// anybody looks, until they are written: what an operation takes of memory does not
// grow with them.
type Spool struct {
	file *os.File
	size int64
}

// NewSpool makes one in dir, which is made where it is missing; Close it.
func NewSpool(dir string) (*Spool, error) {
	f, err := createTemp(dir)
	if err != nil {
		return nil, describe("write", dir, err)
	}
	_ = os.Remove(f.Name()) // where an open file cannot be removed, Close does it
	return &Spool{file: f}, nil
}

// Add keeps data.
func (s *Spool) Add(data []byte) (change.Content, error) {
	at := s.size
	if _, err := s.file.WriteAt(data, at); err != nil {
		return nil, describe("write", s.file.Name(), err)
	}
	s.size += int64(len(data))
	return part{s.file, s.file.Name(), at, len(data)}, nil
}

// Close gives the room back. What was kept is gone then.
func (s *Spool) Close() {
	_ = s.file.Close()
	_ = os.Remove(s.file.Name())
}

// part is content that stands in a file among other things.
type part struct {
	from io.ReaderAt
	name string // of the file
	at   int64
	size int
}

// Size is how many bytes it is.
func (p part) Size() int { return p.size }

// Bytes reads it.
func (p part) Bytes() ([]byte, error) {
	data := make([]byte, p.size)
	if _, err := io.ReadFull(io.NewSectionReader(p.from, p.at, int64(p.size)), data); err != nil {
		return nil, describe("read", p.name, err)
	}
	return data, nil
}

//go:build !unix

package disk

import (
	"io"
	"path/filepath"
)

// Folder reads many files of one folder.
type Folder struct{ path string }

// OpenFolder opens a folder. The caller closes it.
func OpenFolder(path string) (*Folder, error) { return &Folder{path}, nil }

// Read returns the content of the regular file with this name.
func (f *Folder) Read(name string, _ []byte) ([]byte, error) {
	path := filepath.Join(f.path, name)
	file, err := OpenShared(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > MaxFile {
		return nil, ErrTooLarge
	}
	return io.ReadAll(file)
}

// Close closes the folder.
func (f *Folder) Close() {}

// Bytes returns the content of the regular file at path.
func Bytes(path string) ([]byte, error) { return (&Folder{}).Read(path, nil) }

// head returns the first n bytes of the file at path, or all if it is shorter.
func head(path string, n int) ([]byte, error) {
	file, err := OpenShared(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, int64(n)))
}

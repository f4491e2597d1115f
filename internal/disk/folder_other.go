//go:build !unix

package disk

import "io"

// Bytes returns the content of the regular file at path.
func Bytes(path string) ([]byte, error) {
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

// head returns the first n bytes of the file at path, or all if it is shorter.
func head(path string, n int) ([]byte, error) {
	file, err := OpenShared(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, int64(n)))
}

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

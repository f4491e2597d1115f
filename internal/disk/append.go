package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Append adds a line to the end of the file at path and returns the new size of the file. It
// creates the file, with the given mode, and its folder if they are missing. Append takes no lock and does
// not sync: lines of several processes do not mix, and a power cut may lose the last ones.
func Append(path string, line []byte, mode fs.FileMode) (size int64, err error) {
	const how = os.O_WRONLY | os.O_APPEND | os.O_CREATE | noFollow
	f, err := os.OpenFile(path, how, mode)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			f, err = os.OpenFile(path, how, mode)
		}
	}
	if err != nil {
		return 0, describe("write", path, err)
	}
	defer f.Close()
	if _, err := f.Write(line); err != nil {
		return 0, describe("write", path, err)
	}
	info, err := f.Stat()
	if err != nil {
		return 0, describe("write", path, err)
	}
	return info.Size(), nil
}

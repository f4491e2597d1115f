package disk

import "os"

// Executable makes a file executable for everyone who may read it.
func Executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return describe("look at", path, err)
	}
	mode := info.Mode().Perm()
	if err := os.Chmod(path, mode|mode&0o444>>2); err != nil {
		return describe("set the mode of", path, err)
	}
	return nil
}

package term

import (
	"os"
	"os/exec"
	"path/filepath"
)

// Companion returns the path of an executable that is installed with this one. It tries the folder of this executable,
// then the same folder with symbolic links resolved, then PATH. It does not return a path that depends on the current
// directory.
func Companion(name string) (path string, ok bool) {
	if self, err := os.Executable(); err == nil {
		folders := []string{filepath.Dir(self)}
		if real, err := filepath.EvalSymlinks(self); err == nil {
			folders = append(folders, filepath.Dir(real))
		}
		for _, folder := range folders {
			path := filepath.Join(folder, name)
			if found, err := exec.LookPath(path); err == nil {
				return found, true
			}
		}
	}
	path, err := exec.LookPath(name)
	return path, err == nil
}

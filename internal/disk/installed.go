package disk

import (
	"os"
	"path/filepath"
	"runtime"
)

// Installed reports whether a program is in PATH.
func Installed(name string, getenv func(string) string) bool {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if info.Mode()&0o111 != 0 || runtime.GOOS == "windows" {
			return true
		}
	}
	return false
}

package disk

import (
	"os"
	"path/filepath"
	"runtime"
)

// Installed says whether a program stands in PATH, as a shell looks for it.
func Installed(name string, getenv func(string) string) bool {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().
			IsRegular() && (info.Mode()&0o111 != 0 || runtime.GOOS == "windows") {
			return true
		}
	}
	return false
}

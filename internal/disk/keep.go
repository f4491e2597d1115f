package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// KeepNewest removes all files of a folder except the n most recently written ones. It ignores
// files that cannot be removed.
func KeepNewest(dir string, n int) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= n {
		return
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, old := range files[min(n, len(files)):] {
		_ = os.Remove(filepath.Join(dir, old.Name())) // if this fails, the next call tries again
	}
}

package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// IsFolder reports whether there is a folder at path.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Changed returns when the file at path was last written. It returns the zero time if that is not known.
func Changed(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Below returns the files below a folder whose names end in ext, as sorted slash paths relative
// to the folder. It omits hidden files and folders, and does not follow symbolic links.
func Below(dir, ext string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if strings.HasPrefix(d.Name(), ".") && path != dir {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() && strings.EqualFold(filepath.Ext(path), ext) {
			rel, err := filepath.Rel(dir, path)
			files = append(files, filepath.ToSlash(rel))
			return err
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

package git

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/fault"
)

// checkPaths refuses paths that git could not commit, or only as something else.
func (r *Repo) checkPaths(files []change.File) error {
	seen := map[string]bool{}
	for _, f := range files {
		for part := range strings.SplitSeq(f.Path, "/") {
			if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
				return fault.New(fault.Refused, "%q is no path that git can hold", f.Path)
			}
		}
		if err := r.checkWay(f.Path, seen); err != nil {
			return err
		}
	}
	return nil
}

// checkWay looks at a file and the folders above it, up to the root; seen are
// those known to be good.
func (r *Repo) checkWay(file string, seen map[string]bool) error {
	for at := path.Clean(file); at != "." && at != "/" && !seen[at]; at = path.Dir(at) {
		seen[at] = true
		full := filepath.Join(r.root, filepath.FromSlash(at))
		info, err := os.Lstat(full)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fault.New(fault.Failed, "look at %q: %w", at, err)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return fault.New(fault.Unsupported, "%q is a symbolic link: git would commit the link, not the files", at).
				WithHint("use the folder it points at: --dir")
		}
		if !info.IsDir() {
			continue
		}
		if _, err := os.Lstat(filepath.Join(full, ".git")); err == nil {
			return fault.New(fault.Unsupported, "%q is a repository of its own", at).
				WithHint("run ckpt in there, or choose another folder: --dir")
		}
	}
	return nil
}

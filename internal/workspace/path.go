package workspace

import (
	"path"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/disk"
)

// FromHere converts a path that a person typed to a slash path from the repository's root, as in checkpoints. A
// relative path is taken from the root, as in briefs, unless it begins with ./ or ../ or exists only relative to the
// current folder. FromHere returns other paths, such as those outside of the repository, unchanged.
func (p *Workspace) FromHere(name string) string {
	root := p.Repo.Root()
	here, err := filepath.Abs(p.Dir)
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return name
	}
	full := filepath.Join(here, name)
	switch {
	case filepath.IsAbs(name):
		full = name
	case strings.HasPrefix(name, "./"), strings.HasPrefix(name, "../"):
	case disk.Exists(filepath.Join(root, name)), !disk.Exists(full):
		return name
	}
	rel, err := filepath.Rel(root, full)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return name
	}
	return path.Clean(filepath.ToSlash(rel))
}

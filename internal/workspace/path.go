package workspace

import (
	"path"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/disk"
)

// FromHere returns a path that a person typed in the form that checkpoints use: a slash path from
// the repository's root. A relative path is taken from the root, as in briefs and tables, unless it
// begins with a dot or exists only relative to the current folder.
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

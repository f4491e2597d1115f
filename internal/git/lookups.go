package git

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// lookups is lookup for many paths below one root: each folder is read once.
type lookups struct {
	db      objectReader
	root    plumbing.Hash
	folders map[string]map[string]place // by their paths, "" for the root
}

// place is what a path holds.
func (l *lookups) place(path string) (place, error) {
	dir, name := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, name = path[:i], path[i+1:]
	}
	folder, err := l.folder(dir)
	return folder[name], err
}

// folder is what a folder holds, by name; nothing where there is none.
func (l *lookups) folder(path string) (map[string]place, error) {
	if folder, known := l.folders[path]; known {
		return folder, nil
	}
	at, err := place{filemode.Dir, l.root}, error(nil)
	if path != "" {
		at, err = l.place(path)
	}
	var nodes []node
	if err == nil && at.mode == filemode.Dir {
		nodes, err = readTree(l.db, at.hash)
	}
	if err != nil {
		return nil, err
	}
	folder := make(map[string]place, len(nodes))
	for _, n := range nodes {
		folder[n.name] = n.place
	}
	if l.folders == nil {
		l.folders = map[string]map[string]place{}
	}
	l.folders[path] = folder
	return folder, nil
}

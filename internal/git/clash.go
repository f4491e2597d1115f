package git

import (
	"bytes"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// clashes finds index entries that cannot stand beside an added path: a folder
// where the path needs a file, or the other way round.
type clashes struct {
	paths   map[string]bool   // the added paths
	folders map[string]string // every folder above one: that path
	top     string            // what all of them begin with
}

func newClashes(edits []edit) clashes {
	c := clashes{paths: map[string]bool{}, folders: map[string]string{}}
	for _, e := range edits {
		if e.to.mode == filemode.Empty {
			continue
		}
		first, _, _ := strings.Cut(e.path, "/")
		if len(c.paths) == 0 {
			c.top = first
		} else if c.top != first {
			c.top = ""
		}
		c.paths[e.path] = true
		for dir := e.path; ; {
			i := strings.LastIndexByte(dir, '/')
			if i < 0 {
				break
			}
			dir = dir[:i]
			c.folders[dir] = e.path
		}
	}
	return c
}

// with is the added path that name clashes with; "" where there is none.
func (c clashes) with(name []byte) string {
	if len(c.paths) == 0 || !bytes.HasPrefix(name, []byte(c.top)) {
		return ""
	}
	if path, ok := c.folders[string(name)]; ok {
		return path
	}
	for i, b := range name {
		if b == '/' && c.paths[string(name[:i])] {
			return string(name[:i])
		}
	}
	return ""
}

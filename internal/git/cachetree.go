package git

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// invalidate marks the folders above the edited paths in a cache tree (the TREE
// extension: for each folder its tree's name, as long as it is true). The other
// folders stay valid, which keeps `git diff --cached` and `git commit` fast.
// A cache tree that cannot be read is dropped: nil.
func invalidate(tree []byte, edits []edit) []byte {
	changed := map[string]bool{"": true}
	for _, e := range edits {
		for dir := e.path; ; {
			i := strings.LastIndexByte(dir, '/')
			if i < 0 {
				break
			}
			dir = dir[:i]
			changed[dir] = true
		}
	}
	out, rest, ok := invalidateNode(make([]byte, 0, len(tree)), tree, "", changed)
	if !ok || len(rest) > 0 {
		return nil
	}
	return out
}

// invalidateNode copies one folder and those below it: its name, NUL, how many
// entries it covers or -1, how many folders follow, newline, the tree's hash
// unless -1.
func invalidateNode(out, in []byte, parent string, changed map[string]bool) (_, rest []byte, ok bool) {
	name, rest, ok1 := bytes.Cut(in, []byte{0})
	line, rest, ok2 := bytes.Cut(rest, []byte{'\n'})
	count, folders, ok3 := strings.Cut(string(line), " ")
	n, err := strconv.Atoi(folders)
	if !ok1 || !ok2 || !ok3 || err != nil {
		return nil, nil, false
	}
	path := string(name)
	if parent != "" {
		path = parent + "/" + path
	}
	out = append(append(out, name...), 0)
	valid := !strings.HasPrefix(count, "-")
	if valid && len(rest) < len(plumbing.ZeroHash) {
		return nil, nil, false
	}
	switch {
	case !valid:
		out = append(append(out, line...), '\n')
	case changed[path]:
		out = append(out, "-1 "+folders+"\n"...)
		rest = rest[len(plumbing.ZeroHash):]
	default:
		out = append(append(out, line...), '\n')
		out = append(out, rest[:len(plumbing.ZeroHash)]...)
		rest = rest[len(plumbing.ZeroHash):]
	}
	for range n {
		if out, rest, ok = invalidateNode(out, rest, path, changed); !ok {
			return nil, nil, false
		}
	}
	return out, rest, true
}

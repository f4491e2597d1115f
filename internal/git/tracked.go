package git

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Tracked is the files that the index holds.
type Tracked struct {
	names   []string        // sorted
	hidden  map[string]bool // skip-worktree: not in the working tree, and no deletion
	modules map[string]bool // submodules
}

var errPartial = errors.New("the index file does not name all files")

// Tracked reads the index; git does so where it is split or sparse.
func (r *Repo) Tracked(ctx context.Context) (*Tracked, error) {
	t, err := r.ownTracked()
	if err == nil {
		return t, nil
	}
	out, err := r.git(ctx, nil, "ls-files", "--stage", "-t", "-z")
	if err != nil {
		return nil, err
	}
	t = &Tracked{hidden: map[string]bool{}, modules: map[string]bool{}}
	for line := range strings.SplitSeq(string(out), "\x00") {
		head, name, ok := strings.Cut(line, "\t") // S 100644 HASH 0
		if !ok || len(head) < 8 {
			continue
		}
		t.names = append(t.names, name)
		t.hidden[name] = head[0] == 'S'
		t.modules[name] = strings.HasPrefix(head[2:], "160000 ")
	}
	t.names = slices.Compact(t.names)
	return t, nil
}

// ownTracked is Tracked without git.
func (r *Repo) ownTracked() (*Tracked, error) {
	if r.foreign() != "" { // other hashes, other sizes
		return nil, errPartial
	}
	x, _, err := r.readIndex()
	if err != nil {
		return nil, err
	}
	t := &Tracked{names: make([]string, 0, x.count), hidden: map[string]bool{}, modules: map[string]bool{}}
	var all bytes.Buffer
	ends := make([]int, 0, x.count)
	end, err := x.scan(func(e entry) error {
		mode := binary.BigEndian.Uint32(x.data[e.start+entryMode:])
		if mode == 0o040000 {
			return errPartial
		}
		if mode == 0o160000 {
			t.modules[string(e.name)] = true
		}
		if e.extended&extSkipWorktree != 0 {
			t.hidden[string(e.name)] = true
		}
		all.Write(e.name)
		ends = append(ends, all.Len())
		return nil
	})
	if err != nil {
		return nil, err
	}
	exts, err := x.extensions(end)
	if err != nil || slices.ContainsFunc(exts, func(e extension) bool { return e.tag == "link" || e.tag == "sdir" }) {
		return nil, errPartial
	}
	text, at := all.String(), 0
	for _, end := range ends {
		t.names = append(t.names, text[at:end])
		at = end
	}
	t.names = slices.Compact(t.names) // a conflict has several entries
	return t, nil
}

// Has says whether a file is tracked.
func (t *Tracked) Has(name string) bool {
	_, ok := slices.BinarySearch(t.names, name)
	return ok
}

// Hidden says whether git keeps a tracked file out of the working tree.
func (t *Tracked) Hidden(name string) bool { return t.hidden[name] }

// HasFolder says whether there are tracked files below a folder.
func (t *Tracked) HasFolder(name string) bool {
	i, _ := slices.BinarySearch(t.names, name+"/")
	return i < len(t.names) && strings.HasPrefix(t.names[i], name+"/")
}

// Module is the submodule that a path lies in; "" for none.
func (t *Tracked) Module(name string) string {
	for dir := name; len(t.modules) > 0 && dir != "."; dir = path.Dir(dir) {
		if t.modules[dir] {
			return dir
		}
	}
	return ""
}

// Where are the tracked files that fit.
func (t *Tracked) Where(fits func(string) bool) []string {
	var all []string
	for _, name := range t.names {
		if fits(name) {
			all = append(all, name)
		}
	}
	return all
}

// There says whether the working tree has anything at a path (from the root).
func (r *Repo) There(name string) bool {
	_, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(name)))
	return err == nil
}

// Ignored says which of the paths git is told to ignore. It runs git.
func (r *Repo) Ignored(ctx context.Context, paths []string) (map[string]bool, error) {
	ignored := map[string]bool{}
	if len(paths) == 0 {
		return ignored, nil
	}
	out, err := r.git(ctx, []byte(strings.Join(paths, "\x00")+"\x00"), "check-ignore", "-z", "--stdin")
	if code := exitCode(err); code == 1 {
		err = nil
	}
	for name := range strings.SplitSeq(string(out), "\x00") {
		ignored[name] = name != ""
	}
	return ignored, err
}

// IgnoredBy returns the rule that makes git ignore a path (from the root), as FILE:LINE:
// PATTERN; "" where none does. It runs git.
func (r *Repo) IgnoredBy(ctx context.Context, path string) (string, error) {
	out, err := r.git(ctx, []byte(path+"\x00"), "check-ignore", "--no-index", "--verbose", "-z", "--stdin")
	if exitCode(err) == 1 {
		return "", nil
	}
	part := strings.Split(string(out), "\x00") // file, line, pattern, path
	if err != nil || len(part) < 4 || strings.HasPrefix(part[2], "!") {
		return "", err
	}
	return part[0] + ":" + part[1] + ": " + part[2], nil
}

// AnyTracked reports whether the index has a file below a folder (from the root). It
// runs git.
func (r *Repo) AnyTracked(ctx context.Context, dir string) (bool, error) {
	out, err := r.git(ctx, nil, "ls-files", "-z", "--", dir)
	return len(out) > 0, err
}

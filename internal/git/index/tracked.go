package index

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// Tracked is the set of files in the index.
type Tracked struct {
	names   []string        // sorted
	skipped map[string]bool // the files that a sparse checkout leaves out of the working tree; they are not deleted
	modules map[string]bool // the paths of submodules
}

// Tracked returns the files in the index. It returns Unsupported if the index has entries that
// stand for many files.
func (x *File) Tracked() (*Tracked, error) {
	t := &Tracked{names: make([]string, 0, x.count), skipped: map[string]bool{}, modules: map[string]bool{}}
	var all bytes.Buffer // all names share one string
	ends := make([]int, 0, x.count)
	end, err := x.scan(func(e Entry) error {
		switch x.Mode(e) {
		case filemode.Dir:
			return Unsupported{"is sparse"}
		case filemode.Submodule:
			t.modules[string(e.Name)] = true
		}
		if e.SkipWorktree() {
			t.skipped[string(e.Name)] = true
		}
		all.Write(e.Name)
		ends = append(ends, all.Len())
		return nil
	})
	if err != nil {
		return nil, err
	}
	extensions, err := x.extensions(end)
	if err != nil {
		return nil, err
	}
	for _, x := range extensions {
		if x.tag == "link" || x.tag == "sdir" {
			return nil, Unsupported{"is split or sparse"}
		}
	}
	text, begin := all.String(), 0
	for _, end := range ends {
		t.names = append(t.names, text[begin:end])
		begin = end
	}
	t.names = slices.Compact(t.names) // a file with a conflict has several entries
	return t, nil
}

// ParseTracked reads `git ls-files --stage -t -z`.
func ParseTracked(out []byte) *Tracked {
	t := &Tracked{skipped: map[string]bool{}, modules: map[string]bool{}}
	for line := range strings.SplitSeq(string(out), "\x00") {
		head, name, ok := strings.Cut(line, "\t") // S 100644 HASH 0
		if !ok || len(head) < 8 {
			continue
		}
		t.names = append(t.names, name)
		t.skipped[name] = head[0] == 'S'
		t.modules[name] = strings.HasPrefix(head[2:], "160000 ")
	}
	t.names = slices.Compact(t.names)
	return t
}

// Has reports whether a file is tracked.
func (t *Tracked) Has(name string) bool {
	_, ok := slices.BinarySearch(t.names, name)
	return ok
}

// Hidden reports whether git keeps a tracked file out of the working tree.
func (t *Tracked) Hidden(name string) bool { return t.skipped[name] }

// HasFolder reports whether there are tracked files below a folder.
func (t *Tracked) HasFolder(name string) bool {
	i, _ := slices.BinarySearch(t.names, name+"/")
	return i < len(t.names) && strings.HasPrefix(t.names[i], name+"/")
}

// Module returns the submodule that contains a path, or "".
func (t *Tracked) Module(name string) string {
	for dir := name; len(t.modules) > 0 && dir != "."; dir = path.Dir(dir) {
		if t.modules[dir] {
			return dir
		}
	}
	return ""
}

// Where returns the tracked files that match.
func (t *Tracked) Where(match func(string) bool) []string {
	var all []string
	for _, name := range t.names {
		if match(name) {
			all = append(all, name)
		}
	}
	return all
}

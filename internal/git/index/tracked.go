package index

import (
	"path"
	"slices"
	"strings"
)

// Tracked is the set of files in the index.
type Tracked struct {
	names   []string        // sorted
	skipped map[string]bool // the files that a sparse checkout leaves out of the working tree; they are not deleted
	modules map[string]bool // the paths of submodules
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

// Hidden reports whether a sparse checkout leaves a tracked file out of the working tree.
func (t *Tracked) Hidden(name string) bool { return t.skipped[name] }

// HasFolder reports whether there are tracked files below a folder.
func (t *Tracked) HasFolder(name string) bool {
	i, _ := slices.BinarySearch(t.names, name+"/")
	return i < len(t.names) && strings.HasPrefix(t.names[i], name+"/")
}

// Module returns the submodule that is at a path or contains it, or "".
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

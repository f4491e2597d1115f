package checkpoint

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// FileGroup is the files of one folder that end alike.
type FileGroup struct {
	Pattern string // "src/auth/*.ts"; the path itself where the group is one file
	Files   []Artifact
}

// Deleted is how many of the files are gone.
func (g FileGroup) Deleted() int {
	n := 0
	for _, f := range g.Files {
		if f.Action == "deleted" {
			n++
		}
	}
	return n
}

// GroupFiles puts files together by folder and ending, sorted.
func GroupFiles(files []Artifact) []FileGroup {
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b Artifact) int {
		return cmp.Or(cmp.Compare(patternOf(a.File), patternOf(b.File)), cmp.Compare(a.File, b.File))
	})
	var all []FileGroup
	for _, f := range files {
		if n := len(all); n > 0 && all[n-1].Pattern == patternOf(f.File) {
			all[n-1].Files = append(all[n-1].Files, f)
			continue
		}
		all = append(all, FileGroup{patternOf(f.File), []Artifact{f}})
	}
	for i, g := range all {
		if len(g.Files) == 1 {
			all[i].Pattern = g.Files[0].File
		}
	}
	return all
}

// patternOf is the folder of a file and all that ends like it there: two dots are one
// ending, login.test.ts is a test.
func patternOf(file string) string {
	dir, name := path.Split(strings.ReplaceAll(file, `\`, "/"))
	if stem := strings.TrimLeft(name, "."); strings.Contains(stem, ".") {
		return dir + "*" + stem[strings.IndexByte(stem, '.'):]
	}
	return dir + "*"
}

package inspect

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
)

// Group is the files of one folder that end alike.
type Group struct {
	Pattern string // "src/auth/*.ts"; the path itself where the group is one file
	Files   []checkpoint.Artifact
}

// Deleted is how many of the files are gone.
func (g Group) Deleted() int {
	n := 0
	for _, f := range g.Files {
		if f.Action == "deleted" {
			n++
		}
	}
	return n
}

// Groups puts files together by folder and ending, sorted.
func Groups(files []checkpoint.Artifact) []Group {
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b checkpoint.Artifact) int {
		return cmp.Or(cmp.Compare(pattern(a.File), pattern(b.File)), cmp.Compare(a.File, b.File))
	})
	var all []Group
	for _, f := range files {
		if n := len(all); n > 0 && all[n-1].Pattern == pattern(f.File) {
			all[n-1].Files = append(all[n-1].Files, f)
			continue
		}
		all = append(all, Group{pattern(f.File), []checkpoint.Artifact{f}})
	}
	for i, g := range all {
		if len(g.Files) == 1 {
			all[i].Pattern = g.Files[0].File
		}
	}
	return all
}

// pattern is the folder of a file and all that ends like it there: two dots are one
// ending, login.test.ts is a test.
func pattern(file string) string {
	dir, name := path.Split(strings.ReplaceAll(file, `\`, "/"))
	if stem := strings.TrimLeft(name, "."); strings.Contains(stem, ".") {
		return dir + "*" + stem[strings.IndexByte(stem, '.'):]
	}
	return dir + "*"
}

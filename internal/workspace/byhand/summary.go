package byhand

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/folder"
)

// Subject returns the id of the checkpoint that was edited, and the path of its file, the new one if it was
// moved. They are empty if several checkpoints were edited.
func Subject(edits []change.File) (id, file string) {
	moved, _ := folder.Moved(edits)
	for _, f := range edits {
		if !checkpoint.IsFile(f.Path) {
			continue
		}
		src := f.After
		if src == nil {
			src = f.Before
		}
		c, err := checkpoint.Parse(f.Path, src)
		if err != nil {
			continue
		}
		if id != "" && id != c.ID {
			return "", ""
		}
		id, file = c.ID, cmp.Or(moved[f.Path], f.Path)
	}
	return id, file
}

// Summary describes the edits: "moved to archive/ by hand: chk-a; edited: chk-b".
func Summary(edits []change.File) string {
	moved, rest := folder.Moved(edits)
	files := map[string][]string{}
	for _, f := range rest {
		what := "edited"
		if f.Gone() {
			what = "deleted"
		}
		files[what] = append(files[what], f.Path)
	}
	for from, to := range moved {
		what := folder.MovedTo(to)
		files[what] = append(files[what], from)
	}
	var all []string
	for _, what := range slices.Backward(slices.Sorted(maps.Keys(files))) { // moved, edited, deleted
		by := ""
		if len(all) == 0 {
			by = " by hand"
		}
		all = append(all, what+by+": "+names(files[what]))
	}
	return strings.Join(all, "; ")
}

func names(paths []string) string {
	var all []string
	for _, p := range paths {
		all = append(all, strings.TrimSuffix(path.Base(p), ".md"))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return text.List(all, 3)
}

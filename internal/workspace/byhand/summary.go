package byhand

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/folder"
)

// Subject returns the ids of the checkpoints that were edited, and the path of one of their files: the new path if the
// file was moved.
func Subject(edits []change.File) (ids []string, file string) {
	moved := folder.Moved(edits)
	for _, f := range edits {
		if !checkpoint.IsFile(f.Path) {
			continue
		}
		src := f.After
		if src == nil {
			src = f.Before
		}
		c, err := checkpoint.Parse(f.Path, src)
		if err == nil && !slices.Contains(ids, c.ID) {
			ids, file = append(ids, c.ID), cmp.Or(moved[f.Path], f.Path)
		}
	}
	return ids, file
}

// Summary describes the edits, as in "moved to archive/ by hand: chk-a; edited: chk-b". A checkpoint also counts as
// deleted if its file now contains another one.
func Summary(edits []change.File) string {
	moved, files := folder.Moved(edits), map[string][]string{}
	add := func(what, name string) { files[what] = append(files[what], name) }
	for _, f := range edits {
		was, to := folder.Name(f.Path, f.Before), moved[f.Path]
		has := func(e change.File) bool { return !e.Gone() && folder.Name(e.Path, e.After) == was }
		readable := checkpoint.IDIn(f.After) != "" && checkpoint.IDIn(f.Before) != ""
		switch {
		case to != "":
			add(folder.MovedTo(f.Path, to), was)
		case f.Gone(), readable && !slices.ContainsFunc(edits, has):
			add("deleted", was)
		}
		if arrived := slices.Contains(slices.Collect(maps.Values(moved)), f.Path); !f.Gone() && !arrived {
			add("edited", folder.Name(f.Path, f.After))
		}
	}
	var all []string
	for _, what := range slices.Backward(slices.Sorted(maps.Keys(files))) { // moved, edited, deleted
		by := ""
		if len(all) == 0 {
			by = " by hand"
		}
		names := slices.Compact(slices.Sorted(slices.Values(files[what])))
		all = append(all, what+by+": "+text.List(names, 3))
	}
	return strings.Join(all, "; ")
}

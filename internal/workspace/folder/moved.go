package folder

import (
	"path"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
)

// Moved returns the checkpoint files that edits move to another folder, such as archive/: their new
// paths by their old ones. Rest is the other edits. A file that is moved may also be changed.
func Moved(edits []change.File) (moved map[string]string, rest []change.File) {
	added, arrived := map[string]string{}, map[string]bool{}
	for _, f := range edits {
		if f.Before == nil && checkpoint.IsFile(f.Path) {
			added[path.Base(f.Path)] = f.Path
		}
	}
	moved = map[string]string{}
	for _, f := range edits {
		if to := added[path.Base(f.Path)]; to != "" && f.Gone() {
			moved[f.Path], arrived[to] = to, true
		}
	}
	for _, f := range edits {
		if moved[f.Path] == "" && !arrived[f.Path] {
			rest = append(rest, f)
		}
	}
	return moved, rest
}

// MovedTo describes a move: "moved to archive/".
func MovedTo(to string) string { return "moved to " + path.Dir(to) + "/" }

package folder

import (
	"cmp"
	"path"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
)

// Moved returns the checkpoint files that edits rename or move to another folder, such as archive/: their new
// paths by their old ones. A file that is moved may also be changed.
func Moved(edits []change.File) map[string]string {
	at, moved := map[string]string{}, map[string]string{}
	for _, f := range edits {
		id := Name(f.Path, f.After)
		if came := f.Before == nil || id != Name(f.Path, f.Before); came && !f.Gone() {
			at[id] = f.Path
		}
	}
	for _, f := range edits {
		id := Name(f.Path, f.Before)
		went := f.Gone() || id != Name(f.Path, f.After)
		if to := at[id]; to != "" && f.Before != nil && went {
			moved[f.Path] = to
		}
	}
	return moved
}

// Name returns the id of the checkpoint in a file, or the name of a file that cannot be read.
func Name(rel string, src []byte) string {
	return cmp.Or(checkpoint.IDIn(src), strings.TrimSuffix(path.Base(rel), ".md"))
}

// MovedTo describes a move, as in "moved to archive/" or "renamed to chk-a.md".
func MovedTo(from, to string) string {
	if path.Dir(from) == path.Dir(to) {
		return "renamed to " + path.Base(to)
	}
	return "moved to " + path.Dir(to) + "/"
}

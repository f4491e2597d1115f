package resolve

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/mergefile"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// DriverRequest contains three versions of one file of a checkpoints folder, as git passes them to a merge driver.
type DriverRequest struct {
	Path               string // the path from the root, with slashes
	Base, Ours, Theirs []byte
	MarkerSize         int // the size of conflict markers; 0 means git's default
	Labels             mergefile.Labels
}

// Merged is the file that a merge driver writes.
type Merged struct {
	Bytes   []byte
	Markers []merge.Marker // the places where a person has to choose
	Remarks []string       // what else a person may want to check
}

// MergeFile merges two versions of a file section by section. A file that it cannot parse is merged line by line, as by
// git. It runs in dir, which need not be a repository.
func MergeFile(ctx context.Context, dir string, req DriverRequest) (Merged, error) {
	rel := pathInFolder(req.Path)
	set := func(src []byte) merge.Set { return merge.Set{rel: unmixed(rel, src)} }
	base, ours, theirs := set(req.Base), set(req.Ours), set(req.Theirs)
	byLines := func(base, ours, theirs []byte) ([]byte, bool, error) {
		return mergefile.WithMarkers(ctx, dir, mergefile.Texts{
			Base: base, Ours: ours, Theirs: theirs, MarkerSize: req.MarkerSize, Labels: req.Labels,
		})
	}
	result, err := merge.Sets(base, ours, theirs, byLines)
	if err != nil {
		return Merged{}, err
	}
	if len(result.Files) != 1 {
		return req.separate(ours[rel], theirs[rel]), nil
	}
	m := Merged{Bytes: result.Files[rel]}
	for _, it := range result.Items {
		for _, n := range it.Notes {
			m.Remarks = append(m.Remarks, n.Text)
		}
		if it.Conflict {
			m.Markers = merge.Markers(m.Bytes)
		}
	}
	return m, nil
}

// pathInFolder returns the path of a file relative to its checkpoints folder.
func pathInFolder(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range slices.Backward(parts) {
		if part == store.Active || part == store.Archive {
			return strings.Join(parts[i:], "/")
		}
	}
	return parts[len(parts)-1]
}

// separate returns two different checkpoints unmerged, as one conflict. Git passes them to the merge driver as versions
// of one file if they are so similar that it takes one for a renamed version of the other.
func (req DriverRequest) separate(ours, theirs []byte) Merged {
	mark := func(sign, label string) string {
		return strings.TrimRight(strings.Repeat(sign, cmp.Or(req.MarkerSize, 7))+" "+label, " ") + "\n"
	}
	ended := func(src []byte) string { return strings.TrimSuffix(string(src), "\n") + "\n" }
	text := []byte(mark("<", cmp.Or(req.Labels.Ours, "ours")) + ended(ours) + mark("=", "") + ended(theirs) +
		mark(">", cmp.Or(req.Labels.Theirs, "theirs")))
	remark := "git takes " + checkpoint.IDIn(theirs) + " for " + checkpoint.IDIn(ours) +
		", another checkpoint (ckpt resolve puts each where it belongs)"
	return Merged{Bytes: text, Markers: merge.Markers(text), Remarks: []string{remark}}
}

// unmixed returns src. If src is a conflict of two checkpoints, which separate wrote in a merge before, it returns the
// one that the file is named after.
func unmixed(name string, src []byte) []byte {
	_, ours, theirs, ok := merge.Sides(src)
	a, b := checkpoint.IDIn(ours), checkpoint.IDIn(theirs)
	switch {
	case !ok || a == "" || b == "" || a == b:
		return src
	case b == workspace.Stem(name):
		return theirs
	}
	return ours
}

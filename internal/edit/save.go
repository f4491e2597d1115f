package edit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/validate"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// Save commits edits by hand in the checkpoints folder, after checking them. It refuses an edit
// that adds an error, and leaves the file as it is. It also commits the changes of commands with
// --no-commit.
func (p *Editor) Save(ctx context.Context, message string) (*result.Receipt, error) {
	return p.Change(ctx, store.All, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		set := view.Set
		edits, err := view.Edits(ctx, store.All)
		if err != nil {
			return nil, err
		}
		o := &workspace.Tx{Op: "save", Summary: message, Mode: workspace.Save}
		o.Files.Files = edits
		if len(edits) == 0 {
			return o, nil
		}
		o.ID, o.Path = subject(edits)
		if o.Summary == "" {
			o.Summary = handiwork(edits)
		}
		before := workspace.Committed(edits, set)
		fresh, old := workspace.NewErrors(validate.Set(before, now), validate.Set(set, now))
		if len(fresh) > 0 {
			return nil, workspace.Refusal(view.FilesDir, fresh, edits)
		}
		if old > 0 {
			o.Remarks = append(o.Remarks, fmt.Sprintf("%s older than these edits: ckpt validate", text.Count(old, "error")))
		}
		o.Remarks = append(o.Remarks, workspace.Removed(before, edits)...)
		return o, nil
	})
}

// subject returns the checkpoint that was edited, if it is only one, and the path of its file, or of
// its new one if it was moved.
func subject(edits []change.File) (id, file string) {
	moved, _ := folder.Moved(edits)
	for _, f := range edits {
		if !store.IsCheckpoint(f.Path) {
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

// handiwork describes the edits by hand: "moved to archive/ by hand: chk-a; edited: chk-b".
func handiwork(edits []change.File) string {
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

package edit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/validate"
	"example.com/ckpt/internal/workspace"
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
		o.Remarks = append(o.Remarks, workspace.RemovedDecisions(before, edits)...)
		return o, nil
	})
}

// subject returns the checkpoint that was edited, if it is only one.
func subject(edits []change.File) (id, path string) {
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
		id, path = c.ID, f.Path
	}
	return id, path
}

// handiwork describes the edits by hand: "edited chk-a".
func handiwork(edits []change.File) string {
	gone := slices.DeleteFunc(slices.Clone(edits), func(f change.File) bool { return f.After != nil })
	left := slices.DeleteFunc(slices.Clone(edits), func(f change.File) bool { return f.After == nil })
	switch {
	case len(gone) == 0:
		return "edited by hand: " + names(left)
	case len(left) == 0:
		return "deleted by hand: " + names(gone)
	}
	return "edited by hand: " + names(left) + "; deleted: " + names(gone)
}

func names(edits []change.File) string {
	var all []string
	for _, f := range edits {
		all = append(all, strings.TrimSuffix(f.Path[strings.LastIndexByte(f.Path, '/')+1:], ".md"))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return text.List(all, 3)
}

package edit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/validate"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/byhand"
	"example.com/ckpt/internal/workspace/store"
)

// Save commits edits by hand in the checkpoints folder, after checking them. It refuses an edit that adds an error, and
// leaves the file as it is. It also commits the changes of commands with --no-commit.
func (p *Editor) Save(ctx context.Context, message string) (*result.Receipt, error) {
	return p.Change(ctx, store.All, func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		set := view.ToValidate()
		edits, err := view.Edits(ctx, store.All)
		if err != nil {
			return nil, err
		}
		for i, f := range edits { // committed files lack the mark of the current checkpoint, which a diff would show
			edits[i].Before = view.AsShown(f.Path, f.Before)
		}
		o := workspace.SaveEdits(edits, message)
		for _, b := range set.Broken {
			if errors.Is(b.Err, disk.ErrTooLarge) {
				o.Remarks = append(o.Remarks, fmt.Sprintf("%s is not saved: %v", p.FromRoot(b.Path), disk.ErrTooLarge))
			}
		}
		if len(edits) == 0 {
			return o, nil
		}
		before := set.After(change.Reversed(edits))
		fresh, old := byhand.NewErrors(validate.Set(before, now), validate.Set(set, now))
		if len(fresh) > 0 {
			return nil, byhand.Refusal(view.FilesDir, fresh, edits)
		}
		if old > 0 {
			o.Remarks = append(o.Remarks, fmt.Sprintf("%s older than these edits: ckpt validate", text.Count(old, "error")))
		}
		o.Remarks = append(o.Remarks, byhand.Removed(before, edits)...)
		return o, nil
	})
}

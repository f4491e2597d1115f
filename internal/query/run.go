package query

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/modified"
	"example.com/ckpt/internal/workspace/store"
)

// Incomplete returns what a crash may have left: runs that began and did not complete, and the current
// checkpoint if there is work that it does not record. It does not read the archive.
func (p *Query) Incomplete(ctx context.Context, of progress.Filter) (*result.Overview, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	set := view.Set
	changes, err := modified.LoadToShow(ctx, view.Folder, p.Now, store.Live)
	if err != nil {
		return nil, err
	}
	o := &result.Overview{Of: of.String(), Warnings: append(workspace.AlsoMarkedIn(set), workspace.UnreadableIn(set)...)}
	for _, run := range progress.Unfinished(set.All) {
		e := progress.NewEntry(run.Checkpoint, p.FromRoot(run.Checkpoint.Path), changes.Of(run.Checkpoint))
		e.Unfinished = "not completed: " + run.Where()
		o.Entries = append(o.Entries, e)
	}
	if err := p.addEdits(ctx, view, o); err != nil {
		return nil, err
	}
	if err := p.addLeft(ctx, view, o, changes); err != nil {
		return nil, err
	}
	o.Entries = slices.DeleteFunc(o.Entries, func(e *result.Entry) bool { return !of.Fits(e.Run) })
	return o, nil
}

// addLeft adds the current checkpoint if there is work that no delta records, or if its file
// has uncommitted edits.
func (p *Query) addLeft(ctx context.Context, view *workspace.View, o *result.Overview,
	changes *modified.Times) error {
	c, err := p.resume.ToResume(ctx, view, "")
	if c == nil || err != nil || c.Status() == checkpoint.Archived {
		return nil // a warning already names a file that cannot be read
	}
	var why []string
	if answer, err := p.Due(ctx, view); err == nil && answer.Due() {
		why = append(why, "work that no delta tells (ckpt status --due)")
	}
	if work, err := p.resume.Unrecorded(ctx, view); err == nil && work != "" {
		why = append(why, work)
	}
	at := slices.IndexFunc(o.Entries, func(e *result.Entry) bool { return e.ID == c.ID })
	if at < 0 {
		e := progress.NewEntry(c, p.FromRoot(c.Path), changes.Of(c))
		one := &result.Overview{Entries: []*result.Entry{e}}
		if err := p.addEdits(ctx, view, one); err != nil {
			return err
		}
		if e.Edited {
			why = append(why, "edits that no commit has")
		}
		if len(why) == 0 {
			return nil
		}
		o.Entries, at = slices.Insert(o.Entries, 0, e), 0
	}
	if len(why) > 0 {
		o.Entries[at].Unfinished = strings.TrimPrefix(o.Entries[at].Unfinished+"; "+strings.Join(why, "; "), "; ")
	}
	return nil
}

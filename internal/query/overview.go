package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/modified"
	"example.com/ckpt/internal/workspace/store"
)

// ListRequest selects checkpoints to list.
type ListRequest struct {
	Active, Archived bool      // if both are false, only active ones are listed
	Since            time.Time // changed since this time; zero means at any time
	Limit            int       // the maximum number; 0 means all
	Of               progress.Filter
}

// List returns checkpoints: first those of the branch that is checked out, then those of other branches, both
// sorted by the last change, newest first. Files that cannot be read are at the end.
func (p *Query) List(ctx context.Context, req ListRequest) (*result.Overview, error) {
	_, o, err := p.list(ctx, req)
	return o, err
}

// list does what List does, and also returns the view that it read.
func (p *Query) list(ctx context.Context, req ListRequest) (*workspace.View, *result.Overview, error) {
	scope := store.All
	if !req.Archived {
		scope, req.Active = store.Live, true
	}
	view, all, unread, err := p.summaries(ctx, scope)
	if err != nil {
		return nil, nil, err
	}
	var current string
	var marked []string
	o := &result.Overview{Of: req.Of.String(), Entries: slices.DeleteFunc(all, func(e *result.Entry) bool {
		if e.MarkedCurrent {
			marked = append(marked, e.ID)
		}
		if e.Status == string(checkpoint.Current) {
			current = e.ID
		}
		wanted := req.Active
		if e.Status == string(checkpoint.Archived) {
			wanted = req.Archived
		}
		return !wanted || e.Changed.Before(req.Since) || !req.Of.Fits(e.Run)
	})}
	o.Warnings = workspace.AlsoMarked(current, marked)
	if said, err := view.ConflictRemark(ctx); err != nil {
		return nil, nil, err
	} else if said != "" {
		o.Warnings = append(o.Warnings, said)
	}
	o.Warnings = append(o.Warnings, view.Remarks()...)
	slices.SortStableFunc(o.Entries, newestFirst)
	if req.Limit > 0 && len(o.Entries) > req.Limit {
		o.Entries = o.Entries[:req.Limit]
	}
	for _, b := range unread {
		wanted := req.Active
		if checkpoint.InArchive(b.Path) {
			wanted = req.Archived
		}
		if wanted {
			o.Entries = append(o.Entries, progress.UnreadableEntry(b, p.FromRoot(b.Path)))
		}
	}
	return view, o, nil
}

// newestFirst compares entries by their last change. Entries of other branches come last.
func newestFirst(a, b *result.Entry) int {
	if a.Elsewhere != b.Elsewhere {
		if a.Elsewhere {
			return 1
		}
		return -1
	}
	return cmp.Or(b.Changed.Compare(a.Changed.Time), strings.Compare(a.ID, b.ID), strings.Compare(a.Path, b.Path))
}

// Status returns the active checkpoints, the current one first. A pinned checkpoint is the current one.
func (p *Query) Status(ctx context.Context, of progress.Filter) (*result.Overview, error) {
	view, o, err := p.list(ctx, ListRequest{Active: true, Of: of})
	if err != nil {
		return nil, err
	}
	live, err := view.Load(store.Live)
	if err != nil {
		return nil, err
	}
	pinned, _ := live.PathOf(p.Pinned)
	for _, e := range o.Entries {
		switch {
		case p.Pinned == "" || e.Unreadable != "":
		case e.Path == p.FromRoot(pinned):
			e.Status = string(checkpoint.Current)
		default:
			e.Status = string(checkpoint.Active)
		}
	}
	slices.SortStableFunc(o.Entries, func(a, b *result.Entry) int { return progress.Rank(a) - progress.Rank(b) })
	if view.OnRef() && view.FilesDir != view.Prefix {
		on, err := view.Commits.Head()
		if err != nil {
			return nil, err
		}
		o.Ref, o.Folder = on.Ref, view.FilesDir
	}
	if remark, err := p.BranchRemark(); err != nil {
		return nil, err
	} else if remark != "" {
		o.Warnings = append(o.Warnings, remark)
	}
	// An error is ignored: if the current checkpoint cannot be read, the list shows that.
	if work, err := p.resume.Unrecorded(ctx, live); err == nil && work != "" {
		o.Warnings = append(o.Warnings, work)
	}
	for _, e := range o.Entries {
		if e.Status == string(checkpoint.Current) {
			o.AlsoIn, err = alsoCurrent(view.Folder, e.ID)
			if err != nil {
				return nil, err
			}
		}
		if e.OddStatus != "" {
			o.Warnings = append(o.Warnings, fmt.Sprintf("%s has status %q and counts as active (want current or active: "+
				"ckpt edit %s)", e.ID, e.OddStatus, e.ID))
		}
		if len(e.Replaced) > 0 {
			o.Warnings = append(o.Warnings, fmt.Sprintf("both sides of a merge changed %s of %s: the text that was not taken "+
				"is kept (show: ckpt show %s; remove: ckpt edit %s)", strings.Join(e.Replaced, ", "), e.ID, e.ID, e.ID))
		}
	}
	return o, p.addEdits(ctx, view, o)
}

// TreeRequest selects the part of the lineage to show.
type TreeRequest struct {
	ID               string // only this checkpoint and its descendants; empty means all
	Active, Archived bool   // only active or only archived ones; if both are false, all
}

// Tree returns the lineage of all checkpoints.
func (p *Query) Tree(ctx context.Context, req TreeRequest) (*lineage.Forest, error) {
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return nil, err
	}
	forest := lineage.Build(view.Set)
	if req.ID != "" {
		c, err := view.Target(req.ID)
		if err != nil {
			return nil, err
		}
		forest = forest.Below(c.ID)
	}
	if req.Active != req.Archived {
		forest = forest.Filter(func(c *checkpoint.Checkpoint) bool {
			return (c.Status() == checkpoint.Archived) == req.Archived
		})
	}
	forest.Warnings = workspace.AlsoMarkedIn(view.Set)
	return forest, nil
}

// Learnings returns at most limit learnings that contain all words of text, newest first. A
// limit of 0 means all.
func (p *Query) Learnings(ctx context.Context, text string, limit int) ([]learnings.Learning, error) {
	all, err := p.AllLearnings(ctx)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(strings.ToLower(text))
	found := slices.DeleteFunc(learnings.Unique(all), func(l learnings.Learning) bool {
		line := strings.ToLower(l.Text + " " + l.ID + " " + l.Date)
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(line, w) })
	})
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found, nil
}

// summaries returns an entry for each checkpoint of a scope, and the files that cannot be read.
func (p *Query) summaries(
	ctx context.Context, scope store.Scope,
) (view *workspace.View, all []*result.Entry, unread []checkpoint.Broken, err error) {
	err = p.ReadWith(ctx, func(v *workspace.View) (err error) {
		view = v
		times, err := modified.LoadToShow(ctx, v.Folder, p.Now, scope)
		if err != nil {
			return err
		}
		all, unread, err = store.Each(v.Store, scope, func(c *checkpoint.Checkpoint) *result.Entry {
			e := progress.NewEntry(c, v.FromRoot(c.Path), times.Of(c))
			e.Branch = times.Branch(e.ID, v.Branch())
			e.Elsewhere = e.Branch != "" && !v.OnBranch(e.Branch)
			return e
		})
		return err
	})
	return view, all, unread, err
}

// addEdits marks the entries with uncommitted edits, and adds warnings about deleted files and
// about operations that are not published.
func (p *Query) addEdits(ctx context.Context, view *workspace.View, o *result.Overview) error {
	edits, err := view.Edits(ctx, store.Live)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(edits, change.File.Gone) {
		gone, err := view.Gone(ctx)
		if err != nil {
			return err
		}
		o.Warnings = append(o.Warnings, gone...)
	}
	for _, e := range o.Entries {
		e.Edited = slices.ContainsFunc(edits, func(f change.File) bool { return p.FromRoot(f.Path) == e.Path })
	}
	if words := view.Unpublished(); words != "" {
		o.Warnings = append(o.Warnings, words)
	}
	return nil
}

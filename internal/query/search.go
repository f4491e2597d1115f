package query

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/search"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/modified"
	"example.com/ckpt/internal/workspace/store"
)

// SearchRequest describes what to search for, and in which checkpoint.
type SearchRequest struct {
	search.Request
	Only string // only the checkpoint with this name; empty means all checkpoints and LEARNINGS.md
}

// Search searches all checkpoints and LEARNINGS.md.
func (p *Query) Search(ctx context.Context, req SearchRequest) (*search.Result, error) {
	only := ""
	if req.Only != "" {
		view, err := p.Read(ctx, store.Live)
		if err != nil {
			return nil, err
		}
		c, err := view.Target(req.Only)
		if err != nil {
			return nil, err
		}
		only = c.Path
	}
	scope := store.All
	if req.Active && !req.Archived {
		scope = store.Live
	}
	var files []*search.File
	var unread []checkpoint.Broken
	var learnings []byte
	var unreadLearnings error
	err := p.ReadWith(ctx, func(view *workspace.View) (err error) {
		var failed error
		changes := sync.OnceValue(func() *modified.Times { // called only if a file has the words
			var times *modified.Times
			times, failed = modified.LoadToShow(ctx, view.Folder, p.Now, scope)
			return times
		})
		req.Changed = func(c *checkpoint.Checkpoint) time.Time { return changes().Of(c) }
		files, unread, err = store.Where(view.Store, scope, req.Query.Holds, req.file)
		if err == nil {
			err = failed
		}
		if err != nil {
			return err
		}
		files = slices.DeleteFunc(files, func(f *search.File) bool { return f == nil })
		for _, f := range files {
			f.Branch = changes().Branch(f.ID, view.Branch())
			f.Elsewhere = f.Branch != "" && !view.OnBranch(f.Branch)
		}
		if only == "" {
			learnings, unreadLearnings = view.Store.ReadLearnings()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	files = append(files, req.Learnings(store.Learnings, learnings))
	files = slices.DeleteFunc(files, func(f *search.File) bool { return f == nil || only != "" && f.Path != only })
	found := req.Answer(files)
	if found.Hits == 0 && len(req.Kinds) > 0 {
		found.Warnings = append(found.Warnings, "only some kinds were searched: without --kind all are")
	}
	for _, f := range files {
		switch {
		case f.Unreadable != nil && len(req.Kinds) > 0:
			found.Warnings = append(found.Warnings,
				fmt.Sprintf("%s cannot be read and has no sections; it contains the words: %v", p.FromRoot(f.Path), f.Unreadable))
		case f.Unreadable != nil:
			found.Warnings = append(found.Warnings, fmt.Sprintf("%s was searched as plain text, it cannot be read: %v",
				p.FromRoot(f.Path), f.Unreadable))
		}
		f.Path = p.FromRoot(f.Path)
	}
	if unreadLearnings != nil {
		unread = append(unread, checkpoint.Broken{Path: store.Learnings, Err: unreadLearnings})
	}
	for _, b := range unread {
		if only == "" || b.Path == only {
			found.Warnings = append(found.Warnings, fmt.Sprintf("%s was not searched: %v", p.FromRoot(b.Path), b.Err))
		}
	}
	return found, nil
}

func (req *SearchRequest) file(path string, src []byte, c *checkpoint.Checkpoint, unreadable error) *search.File {
	if unreadable != nil {
		return req.Text(path, src, unreadable)
	}
	return req.Checkpoint(c)
}

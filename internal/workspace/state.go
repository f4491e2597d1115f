package workspace

import (
	"context"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/pending"
	"example.com/ckpt/internal/workspace/store"
)

// State describes how the checkpoints that ckpt shows differ from the files of the working
// tree: by what git is in the middle of, and by pending operations.
//
// During a rebase or a bisect the working tree has another commit than the user's own. Then
// the base files are those of the user's commit: the one that git returns to, or that the
// rebase takes along. If a merge has left a checkpoint file in conflict, its base is the file
// as the user had it. Pending operations are merged with the base files.
type State struct {
	on         git.Checkout     // what is checked out
	Why        string           // why nothing can be committed now. Empty if it can
	branch     string           // the branch that a new pending operation belongs to. Empty means any
	InProgress string           // see [git.Repo.InProgress]
	Base       store.Overlay    // files that git is working on, as the user's own commit has them
	Pending    *pending.Changes // nil if nothing is pending
	others     *pending.Changes // operations that are pending until HEAD is on another branch again
	Merged     []change.File    // the pending files: as in the base, and as they shall be
	stuck      []pending.File   // pending files that cannot be merged with the base
	remarks    []string         // of the merge
}

// LoadState finds the state, and makes the store read it in place of the files. If git is in
// the middle of nothing and nothing is pending, it costs a few stats. The caller must hold
// the lock.
func (p *Workspace) LoadState(ctx context.Context) (*State, error) {
	on, err := p.Repo.Checkout()
	if err != nil {
		return nil, err
	}
	s := &State{on: on, InProgress: p.Repo.InProgress()}
	p.Store.Overlay = nil
	if s.InProgress != "" {
		s.Why = "a " + s.InProgress + " is in progress"
		s.Base, err = p.baseFiles(ctx)
		if err != nil {
			return nil, err
		}
		p.Store.Overlay = s.Base
	}
	s.Pending, err = pending.Of(p.Repo).Load(ctx)
	if err != nil || s.Pending == nil {
		return s, err
	}
	if awaits, err := pending.Of(p.Repo).ForOtherBranch(ctx, s.Pending, on); err != nil {
		return nil, err
	} else if awaits {
		s.Pending, s.others = nil, s.Pending
		return s, nil
	}
	if err := p.MergePending(ctx, s); err != nil {
		return nil, err
	}
	laid := store.Overlay{}
	for rel, src := range s.Base {
		laid[rel] = src
	}
	for _, f := range s.Merged {
		laid[f.Path] = f.After
	}
	p.Store.Overlay = laid
	return s, nil
}

// baseFiles returns the files of the checkpoints folder that git is working on, as the user's
// own commit has them.
func (p *Workspace) baseFiles(ctx context.Context) (store.Overlay, error) {
	head, err := p.Repo.Objects().Tree(p.Prefix)
	if err != nil {
		return nil, err
	}
	conflicts, err := log.Of(p.Repo).Conflicts(ctx, p.Prefix)
	if err != nil {
		return nil, err
	}
	own := head
	origin, err := p.Repo.Branches().Origin(ctx)
	if err != nil {
		return nil, err
	}
	if origin != "" {
		own, err = p.Repo.Objects().TreeAt(ctx, origin, p.Prefix)
		if err != nil {
			return nil, err
		}
	}
	files := store.Overlay{}
	for _, names := range []map[string]string{own, head} {
		for rel := range names {
			_, done := files[rel]
			same := own[rel] == head[rel] && !conflicts[rel]
			if done || same || !store.Keeps(rel) {
				continue
			}
			if clean, err := p.IsClean(rel, head[rel]); err != nil {
				return nil, err
			} else if !clean && !conflicts[rel] {
				continue // an edit by hand
			}
			files[rel], err = p.Blob(own[rel])
			if err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

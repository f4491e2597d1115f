package workspace

import (
	"context"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/pending"
	"example.com/ckpt/internal/workspace/store"
)

// scene is what stands between the files of the working tree and the state that
// ckpt shows: what git is in the middle of, and the operations that wait for its
// end.
//
// While git has the working tree at somebody else's commit (a rebase, a bisect) the
// ground is the user's own: the commit that the user was at and comes back to, or
// takes along. While a merge has left a checkpoint file in conflict the ground is
// that file as the user had it. On the ground lies what waits, merged with it.
type Scene struct {
	on      git.Checkout     // what is checked out
	Why     string           // nothing can be committed now, in words; "" where it can
	branch  string           // the branch that a new pending operation belongs to; "" for any
	State   string           // as [git.Repo.InProgress] says; "" for nothing
	Ground  store.Overlay    // files that git has at work, as the user's own commit has them
	Waiting *pending.Changes // nil for nothing
	others  *pending.Changes // what waits for HEAD to be on another branch again; nil for nothing
	United  []change.File    // what waits: as it is on the ground, and as it is to be
	stuck   []pending.File   // what waits and cannot be merged with the ground, as it waits
	remarks []string         // of the merge
}

// look finds the scene and lays it over the store. Where git is in the middle of
// nothing and nothing waits it costs a few stats. The caller holds the lock.
func (p *Workspace) Look(ctx context.Context) (*Scene, error) {
	on, err := p.Repo.Checkout()
	if err != nil {
		return nil, err
	}
	s := &Scene{on: on, State: p.Repo.InProgress()}
	p.Store.Overlay = nil
	if s.State != "" {
		s.Why = "a " + s.State + " is in progress"
		s.Ground, err = p.ground(ctx)
		if err != nil {
			return nil, err
		}
		p.Store.Overlay = s.Ground
	}
	s.Waiting, err = pending.Of(p.Repo).Load(ctx)
	if err != nil || s.Waiting == nil {
		return s, err
	}
	if awaits, err := pending.Of(p.Repo).ForOtherBranch(ctx, s.Waiting, on); err != nil {
		return nil, err
	} else if awaits {
		s.Waiting, s.others = nil, s.Waiting
		return s, nil
	}
	if err := p.Unite(ctx, s); err != nil {
		return nil, err
	}
	laid := store.Overlay{}
	for rel, src := range s.Ground {
		laid[rel] = src
	}
	for _, f := range s.United {
		laid[f.Path] = f.After
	}
	p.Store.Overlay = laid
	return s, nil
}

// ground is what is at work in the checkpoints folder because git is in the middle
// of something, as the user's own commit has it.
func (p *Workspace) ground(ctx context.Context) (store.Overlay, error) {
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
	ground := store.Overlay{}
	for _, names := range []map[string]string{own, head} {
		for rel := range names {
			if _, done := ground[rel]; done || !store.Keeps(rel) || own[rel] == head[rel] && !conflicts[rel] {
				continue
			}
			if clean, err := p.IsClean(rel, head[rel]); err != nil {
				return nil, err
			} else if !clean && !conflicts[rel] {
				continue // an edit by hand
			}
			ground[rel], err = p.Blob(own[rel])
			if err != nil {
				return nil, err
			}
		}
	}
	return ground, nil
}

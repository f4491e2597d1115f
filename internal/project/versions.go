package project

import (
	"context"
	"slices"

	"example.com/ckpt/internal/chronicle"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/history"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// versions finds the versions of the checkpoint that name means: one of the folder,
// a file that cannot be read, or the whole id of one that is gone. Fault.NotFound
// where history has none.
func (p *Project) versions(ctx context.Context, name string) (*chronicle.Versions, error) {
	return p.versionsBy(ctx, name, p.Repo.History)
}

// versionsOfID is versions for a whole id: a checkpoint whose id only begins so, or
// is called so, is not meant.
func (p *Project) versionsOfID(ctx context.Context, id string) (*chronicle.Versions, error) {
	return p.follow(ctx, id, p.Repo.History, true)
}

// versionsAndSides is versions with every merge that took one side of it.
func (p *Project) versionsAndSides(ctx context.Context, name string) (*chronicle.Versions, error) {
	return p.versionsBy(ctx, name, p.Repo.Sides)
}

// versionsFrom are the versions as history was at a commit, on whatever branch.
func (p *Project) versionsFrom(ctx context.Context, name, commit string) (*chronicle.Versions, error) {
	vs, err := p.versionsBy(ctx, name, func(ctx context.Context, dir string) ([]git.Commit, error) {
		return p.Repo.HistoryOf(ctx, commit, dir)
	})
	if err != nil {
		return nil, err
	}
	vs.List = slices.DeleteFunc(vs.List, func(v history.Version) bool { return v.Pending != "" })
	return vs, nil
}

// versionsBy is versions in what read gives: the commits that touch a folder.
func (p *Project) versionsBy(ctx context.Context, name string, read func(context.Context, string) ([]git.Commit, error)) (*chronicle.Versions, error) {
	vs, err := p.follow(ctx, name, read, false)
	if begun := err == nil && vs.ID != name && vs.ID != "chk-"+name && checkpoint.CheckID(name) == nil; begun { // one that is gone may be called so
		if gone, err := p.follow(ctx, name, read, true); err == nil {
			return gone, nil
		}
	}
	return vs, err
}

// follow finds the versions of what a name means, or a whole id.
func (p *Project) follow(ctx context.Context, name string, read func(context.Context, string) ([]git.Commit, error), whole bool) (*chronicle.Versions, error) {
	var from chronicle.Start
	var unresolved error
	known := true
	s, err := p.glance(ctx, func() error {
		set, err := p.Store.Load(store.Live)
		if err != nil {
			return err
		}
		if whole {
			from, known = startWith(set, name)
		} else {
			from, unresolved = p.start(set, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	commits, err := read(ctx, p.prefix)
	if err != nil {
		return nil, err
	}
	from.Dir = p.prefix
	vs, err := chronicle.Follow(ctx, p.Repo, commits, from)
	if err != nil {
		return nil, err
	}
	if err := p.waitingVersion(ctx, s, vs); err != nil {
		return nil, err
	}
	switch {
	case len(vs.List) > 0:
		return vs, nil
	case !known:
		return nil, p.orOnOther(ctx, name, p.neverCalled(name))
	case unresolved != nil:
		return nil, p.orOnOther(ctx, name, unresolved)
	}
	return nil, fault.New(fault.NotFound, "%s is in no commit yet", vs.ID).WithHint("ckpt save")
}

// startWith begins with a whole id, and says whether one of the set has it.
func startWith(set *checkpoint.Set, id string) (chronicle.Start, bool) {
	if c, ok := set.Get(id); ok {
		return chronicle.Start{ID: id, Path: c.Path}, true
	}
	return chronicle.Start{ID: id}, false
}

// neverCalled is the fault of an id that history does not have, as far as this clone
// has any.
func (p *Project) neverCalled(id string) error {
	cut, err := p.Repo.Shallow()
	switch {
	case err != nil:
		return err
	case len(cut) > 0:
		return fault.New(fault.NotFound, "no checkpoint of this clone was ever called %q, and its history is cut off", id).WithHint("git fetch --unshallow")
	}
	return fault.New(fault.NotFound, "no checkpoint was ever called %q", id).WithHint("ckpt undo --list shows what was deleted")
}

// start finds the id and the file to begin with. The error is that of a name which
// means nothing in the folder; the id is then what the name says.
func (p *Project) start(set *checkpoint.Set, name string) (chronicle.Start, error) {
	c, err := p.target(set, name)
	if err == nil {
		return chronicle.Start{ID: c.ID, Path: c.Path}, nil
	}
	if all, loadErr := p.Store.Load(store.All); loadErr == nil {
		set = all // one in the archive
	}
	if broken, brokenErr := p.named(set, name); brokenErr == nil {
		return chronicle.Start{Path: broken}, err
	}
	if name == "" || name == "@" {
		name = p.Pinned
	}
	if checkpoint.CheckID(name) != nil {
		name = ""
	}
	return chronicle.Start{ID: name}, err
}

// waitingVersion puts what waits to land before the list.
func (p *Project) waitingVersion(ctx context.Context, s *scene, vs *chronicle.Versions) error {
	if s.waiting == nil {
		return nil
	}
	v := history.Version{Pending: s.waiting.Ref}
	for _, file := range s.united {
		if file.Before != nil && idOf(file.Path, string(file.Before)) == vs.ID {
			v.Before = []history.Side{vs.Hold(file.Path, file.Before)}
		}
		if file.After != nil && idOf(file.Path, string(file.After)) == vs.ID {
			side := vs.Hold(file.Path, file.After)
			v.Path, v.Blob = side.Path, side.Blob
		}
	}
	if v.Blob == "" && v.Before == nil {
		return nil
	}
	operations, err := p.Repo.Operations(ctx, s.waiting)
	if err != nil || len(operations) == 0 {
		return err
	}
	at := max(0, slices.IndexFunc(operations, func(c git.Commit) bool { return slices.Contains(c.Trailers[trailerID], vs.ID) }))
	vs.Waiting(v, operations[at])
	return nil
}

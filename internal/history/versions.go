package history

import (
	"context"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/gitlog"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// versions finds the versions of the checkpoint that name means: a checkpoint of the folder, an
// unreadable file, or the full id of a deleted checkpoint. The error is fault.NotFound if history
// does not have it.
func (p *History) versions(ctx context.Context, name string) (*gitlog.Versions, error) {
	return p.versionsBy(ctx, name, log.Of(p.commits).History)
}

// VersionsOfID finds the versions of the checkpoint with a full id. A longer id with this prefix,
// or a file of this name, does not count.
func (p *History) VersionsOfID(ctx context.Context, id string) (*gitlog.Versions, error) {
	return p.follow(ctx, id, log.Of(p.commits).History, true)
}

// versionsFrom finds the versions among the ancestors of a commit on any branch.
func (p *History) versionsFrom(ctx context.Context, name, commit string) (*gitlog.Versions, error) {
	return p.versionsBy(ctx, name, func(ctx context.Context, dir string) ([]log.Commit, error) {
		return log.Of(p.commits).HistoryOf(ctx, commit, dir)
	})
}

// versionsBy finds the versions in the commits that the function read returns for a folder.
func (p *History) versionsBy(ctx context.Context, name string,
	read func(context.Context, string) ([]log.Commit, error)) (*gitlog.Versions, error) {
	vs, err := p.follow(ctx, name, read, false)
	// If name is only a prefix of the id that was found, it may be the full id of a deleted
	// checkpoint.
	begun := err == nil && vs.ID != name && vs.ID != "chk-"+name
	if begun && checkpoint.CheckID(name) == nil {
		if gone, err := p.follow(ctx, name, read, true); err == nil {
			return gone, nil
		}
	}
	return vs, err
}

// follow finds the versions of the checkpoint that a name means. With whole the name is a full id.
func (p *History) follow(ctx context.Context, name string,
	read func(context.Context, string) ([]log.Commit, error), whole bool) (*gitlog.Versions, error) {
	var from gitlog.Start
	var unresolved error
	known := true
	var view *workspace.View
	err := p.ReadWith(ctx, func(v *workspace.View) (err error) {
		view, err = v.Load(store.Live)
		if err != nil {
			return err
		}
		if whole {
			from, known = startWith(view.Set, name)
		} else {
			from, unresolved = p.start(view, name)
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
	vs, err := gitlog.Follow(ctx, p.commits, commits, from)
	if err != nil {
		return nil, err
	}
	switch {
	case len(vs.List) > 0:
		return vs, nil
	case !known:
		return nil, view.OrLeftOut(ctx, neverCalled(p.repo, name))
	case unresolved != nil:
		return nil, view.OrLeftOut(ctx, unresolved)
	}
	return nil, fault.New(fault.NotFound, "%s is in no commit yet", vs.ID).WithHint("ckpt save")
}

// startWith returns the start for a full id, and reports whether the set has it.
func startWith(set *checkpoint.Set, id string) (gitlog.Start, bool) {
	if c, ok := set.Get(id); ok {
		return gitlog.Start{ID: id, Path: c.Path}, true
	}
	return gitlog.Start{ID: id}, false
}

// neverCalled returns the error for an id that is not in history, as far as this clone has the
// history.
func neverCalled(repo *git.Repo, id string) error {
	cut, err := repo.Objects().Shallow()
	switch {
	case err != nil:
		return err
	case len(cut) > 0:
		return fault.New(fault.NotFound, "no checkpoint of this clone was ever called %q, and its history is cut off", id).
			WithHint("git fetch --unshallow")
	}
	return fault.New(fault.NotFound, "no checkpoint was ever called %q", id).
		WithHint("ckpt undo --list shows what was deleted")
}

// start finds the id and the file with which to begin. If the name means nothing in the folder, it
// returns an error, and the name itself as the id.
func (p *History) start(view *workspace.View, name string) (gitlog.Start, error) {
	c, err := view.Target(name)
	if err == nil {
		return gitlog.Start{ID: c.ID, Path: c.Path}, nil
	}
	if all, loadErr := view.Load(store.All); loadErr == nil {
		view = all // the checkpoint is in the archive
	}
	if broken, brokenErr := view.PathOf(name); brokenErr == nil {
		return gitlog.Start{Path: broken}, err
	}
	if name == "" || name == "@" {
		name = p.settings.Pinned
	}
	if checkpoint.CheckID(name) != nil {
		name = ""
	}
	return gitlog.Start{ID: name}, err
}

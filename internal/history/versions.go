package history

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/gitlog"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// past is a history, with the checkpoints of today.
type past struct {
	*History
	view  *workspace.View
	graph *log.Graph
}

// past reads the history of the checkpoint ref, with that of other commits.
func (p *History) past(ctx context.Context, others ...string) (past, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return past{}, err
	}
	graph, err := log.Of(p.Commits).Graph(ctx, p.Prefix, others...)
	return past{History: p, view: view, graph: graph}, err
}

// versions finds the versions of the checkpoint that name means: a checkpoint of the folder, an
// unreadable file, or a deleted checkpoint. The error is fault.NotFound if history does not have it.
func (p *History) versions(ctx context.Context, name string) (*gitlog.Versions, error) {
	h, err := p.past(ctx)
	if err != nil {
		return nil, err
	}
	return h.versions(ctx, name)
}

// VersionsOfID finds the versions of the checkpoint with a full id, which may lack its `chk-`. A longer id with this
// prefix, or a file of this name, does not count.
func (p *History) VersionsOfID(ctx context.Context, id string) (*gitlog.Versions, error) {
	h, err := p.past(ctx)
	if err != nil {
		return nil, err
	}
	return h.ofID(ctx, id)
}

// versions does what [History.versions] does in this history.
func (h past) versions(ctx context.Context, name string) (*gitlog.Versions, error) {
	from, unresolved := h.start(name)
	if isPrefix := from.ID != name && from.ID != "chk-"+name; isPrefix && checkpoint.CheckID(name) == nil {
		if gone, err := h.ofID(ctx, name); err == nil {
			return gone, nil
		}
	}
	vs, err := h.follow(ctx, from)
	if err != nil || len(vs.List) > 0 {
		return vs, err
	}
	if unresolved == nil {
		return nil, fault.New(fault.NotFound, "%s is in no commit yet", vs.ID).WithHint("ckpt save")
	}
	if id, err := h.deletedID(name); id != "" || err != nil {
		if err != nil {
			return nil, err
		}
		return h.ofID(ctx, id)
	}
	return nil, h.view.OrLeftOut(ctx, unresolved)
}

// ofID does what [History.VersionsOfID] does in this history.
func (h past) ofID(ctx context.Context, id string) (*gitlog.Versions, error) {
	from := gitlog.Start{ID: id}
	c, known := h.view.Set.Get(id)
	if known {
		from.Path = c.Path
	}
	vs, err := h.follow(ctx, from)
	switch {
	case err != nil || len(vs.List) > 0:
		return vs, err
	case known:
		return nil, fault.New(fault.NotFound, "%s is in no commit yet", vs.ID).WithHint("ckpt save")
	}
	return nil, h.view.OrLeftOut(ctx, neverCalled(h.Repo, id))
}

// deleted finds the versions of a checkpoint that is to be restored: a whole id comes first, then a prefix of that of a
// deleted one.
func (h past) deleted(ctx context.Context, name string) (*gitlog.Versions, error) {
	whole, notThere := h.ofID(ctx, name)
	if fault.KindOf(notThere) != fault.NotFound {
		return whole, notThere
	}
	id, err := h.deletedID(name)
	if err != nil {
		return nil, err
	}
	if id != "" {
		return h.ofID(ctx, id)
	}
	if c, err := h.view.Target(name); err == nil {
		return h.ofID(ctx, c.ID)
	}
	return nil, notThere
}

func (h past) follow(ctx context.Context, from gitlog.Start) (*gitlog.Versions, error) {
	from.Dir = h.Prefix
	return gitlog.Follow(ctx, h.Commits, h.graph, from)
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
func (h past) start(name string) (gitlog.Start, error) {
	c, err := h.view.Target(name)
	if err == nil {
		return gitlog.Start{ID: c.ID, Path: c.Path}, nil
	}
	view := h.view
	if all, loadErr := view.Load(store.All); loadErr == nil {
		view = all // the checkpoint is in the archive
	}
	if broken, brokenErr := view.PathOf(name); brokenErr == nil {
		return gitlog.Start{Path: broken}, err
	}
	if name == "" || name == "@" {
		name = h.Settings.Pinned
	}
	if checkpoint.CheckID(name) != nil {
		name = ""
	}
	return gitlog.Start{ID: name}, err
}

// Deleted returns the id of the only deleted checkpoint whose id begins with a name; "" for none, and
// if history cannot be read.
func (p *History) Deleted(ctx context.Context, name string) string {
	h, err := p.past(ctx)
	if err != nil {
		return ""
	}
	id, _ := h.deletedID(name) // several begin with it: the caller names none
	return id
}

// deletedID returns the id of the only deleted checkpoint whose id begins with a name; "" for none.
func (h past) deletedID(name string) (string, error) {
	set, err := h.view.Store.Load(store.All)
	if err != nil || name == "" {
		return "", err
	}
	var found []string
	for _, c := range h.graph.Commits {
		for _, id := range c.Trailers[revisions.IDTrailer] {
			begins := strings.HasPrefix(id, name) || strings.HasPrefix(id, "chk-"+name)
			if _, there := set.Get(id); begins && !there {
				found = append(found, id)
			}
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	if len(found) < 2 {
		return strings.Join(found, ""), nil
	}
	return "", fault.New(fault.Usage, "%q matches %s: %s", name, text.Count(len(found), "deleted checkpoint"),
		strings.Join(found, ", ")).WithHint("type more of the id")
}

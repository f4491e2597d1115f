package history

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/history/gitlog"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Versions finds the versions of the checkpoint that name means: a checkpoint of the folder, an
// unreadable file, or a deleted checkpoint. The error is fault.NotFound if history does not have it.
func (p *History) Versions(ctx context.Context, name string, others ...string) (*gitlog.Versions, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	from, unresolved := p.start(view, name)
	if src, err := view.Store.Read(from.Path); err == nil {
		from.Now = p.shared(from.Path, src)
	}
	id := cmp.Or(from.ID, strings.TrimSuffix(path.Base(from.Path), ".md"))
	if isPrefix := !sameName(id, name); isPrefix && checkpoint.CheckID(name) == nil {
		if gone, err := p.ofID(ctx, view, name, others...); err == nil {
			return gone, nil
		}
	}
	vs, err := p.follow(ctx, from, others...)
	if err != nil || len(vs.List) > 0 {
		return vs, err
	}
	if unresolved == nil {
		return nil, fault.New(fault.NotFound, "%s is in no commit yet", vs.ID).WithHint("ckpt save")
	}
	gone, err := p.deleted(ctx, view, name)
	if err != nil || gone == nil {
		return nil, cmp.Or(err, unresolved)
	}
	return p.follow(ctx, *gone, others...)
}

// ofID finds the versions of the checkpoint with an id, given with or without its `chk-`. The beginning of an id does
// not match. The history of other commits counts, too.
func (p *History) ofID(ctx context.Context, view *workspace.View, id string,
	others ...string) (*gitlog.Versions, error) {
	from := gitlog.Start{ID: id}
	c, known := view.Set.Get(id)
	if known {
		from = gitlog.Start{ID: c.ID, Path: c.Path}
	}
	vs, err := p.follow(ctx, from, others...)
	if err == nil && len(vs.List) == 0 && !strings.HasPrefix(id, "chk-") {
		vs, err = p.follow(ctx, gitlog.Start{ID: "chk-" + id}, others...)
	}
	switch {
	case err != nil || len(vs.List) > 0:
		return vs, err
	case known:
		return nil, fault.New(fault.NotFound, "%s is in no commit yet", vs.ID).WithHint("ckpt save")
	}
	return nil, neverCalled(p.Repo, id)
}

func (p *History) follow(ctx context.Context, from gitlog.Start, others ...string) (*gitlog.Versions, error) {
	from.Dir, from.OnBranch = p.Prefix, p.Commits == p.Repo
	from.Others = slices.Concat(from.Others, others)
	vs, err := gitlog.Follow(ctx, p.Commits, from)
	if err != nil || len(vs.List) > 0 {
		return vs, err
	}
	head, err := p.Repo.Head() // a commit may have removed the file before the ref took the branch in
	if err != nil {
		return nil, err
	}
	from.Others = append(from.Others, head.Hash)
	return gitlog.Follow(ctx, p.Commits, from)
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

// start finds the id and the file with which to begin. For an unreadable file it returns the path and an error. If the
// name means nothing in the folder, it returns the name itself as the id and an error.
func (p *History) start(view *workspace.View, name string) (gitlog.Start, error) {
	c, err := view.Target(name)
	if err == nil {
		return gitlog.Start{ID: c.ID, Path: c.Path}, nil
	}
	if broken, brokenErr := view.PathOf(name); brokenErr == nil {
		return gitlog.Start{Path: broken}, err
	}
	if name == "" || name == "@" {
		name = p.Settings.Pinned
	}
	if checkpoint.CheckID(name) != nil {
		name = ""
	}
	return gitlog.Start{ID: name}, err
}

// Deleted returns the id of the only deleted checkpoint whose id begins with a name. It returns ""
// if there is none, or several, or if history cannot be read.
func (p *History) Deleted(ctx context.Context, view *workspace.View, name string) string {
	gone, err := p.deleted(ctx, view, name)
	if gone == nil || err != nil {
		return ""
	}
	return gone.ID
}

// deleted returns the deleted checkpoint whose id is name, or else the only one whose id begins
// with it, or nil. The name may lack its `chk-`.
func (p *History) deleted(ctx context.Context, view *workspace.View, name string) (*gitlog.Start, error) {
	set, err := view.Store.Load(store.All)
	if err != nil || name == "" {
		return nil, err
	}
	head, err := p.Repo.Head()
	if err != nil {
		return nil, err
	}
	commits, err := log.Of(p.Commits).History(ctx, log.Files{Dir: p.Prefix}, head.Hash)
	if err != nil {
		return nil, err
	}
	at := map[string]string{} // by blob, the path of a file that a commit removed
	taken := []string{head.Hash}
	for _, c := range commits {
		taken = append(taken, c.TookIn()...)
		moved := func(rel string) bool {
			return slices.ContainsFunc(c.Files, func(f log.FileChange) bool {
				return f.After != "" && path.Base(f.Path) == path.Base(rel)
			})
		}
		for _, f := range c.Files {
			if f.After == "" && checkpoint.IsFile(f.Path) && !moved(f.Path) {
				at[f.Before] = f.Path
			}
		}
	}
	paths := map[string]string{} // by id, the path of the removed file
	err = p.Repo.Objects().Blobs(ctx, slices.Sorted(maps.Keys(at)), func(blob string, src []byte) {
		id := checkpoint.IDIn(src)
		begins := strings.HasPrefix(id, name) || strings.HasPrefix(id, "chk-"+name)
		if _, there := set.Get(id); begins && !there {
			paths[id] = at[blob]
		}
	})
	if err != nil {
		return nil, err
	}
	for _, id := range []string{name, "chk-" + name} {
		if rel, found := paths[id]; found {
			return &gitlog.Start{ID: id, Path: rel, Others: taken}, nil
		}
	}
	found := slices.Sorted(maps.Keys(paths))
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return &gitlog.Start{ID: found[0], Path: paths[found[0]], Others: taken}, nil
	}
	return nil, fault.New(fault.Usage, "%q matches %s: %s", name, text.Count(len(found), "deleted checkpoint"),
		strings.Join(found, ", ")).WithHint("type more of the id")
}

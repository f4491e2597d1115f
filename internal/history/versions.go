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

// Versions finds the versions of the checkpoint that name means: a checkpoint of the folder, an unreadable file, or a
// deleted checkpoint. The history of other commits counts, too. The error is fault.NotFound if there are none.
func (p *History) Versions(ctx context.Context, name string, others ...string) (*gitlog.Versions, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	from, unresolved := p.start(ctx, view, name)
	if src, err := view.Store.Read(from.Path); err == nil {
		from.Now = p.shared(from.Path, src)
	}
	vs, err := p.follow(ctx, from, others...)
	switch {
	case err != nil || len(vs.List) > 0:
		return vs, err
	case unresolved != nil:
		return nil, unresolved
	}
	return nil, fault.New(fault.NotFound, "%s is in no commit yet", vs.ID).WithHint("ckpt save")
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

// start finds the id and the file with which to begin. A whole id comes first, then an id without its `chk-`, then the
// beginning of an id, each also of a deleted checkpoint. If the name means nothing, start returns an error, and the
// name itself as the id.
func (p *History) start(ctx context.Context, view *workspace.View, name string) (gitlog.Start, error) {
	if name == "" || name == "@" {
		name = p.Settings.Pinned
	}
	c, err := view.Target(name)
	if broken, brokenErr := view.PathOf(name); err != nil && brokenErr == nil {
		return gitlog.Start{Path: broken}, err
	}
	if checkpoint.CheckID(name) != nil {
		name = ""
	}
	ids := []string{name, "chk-" + name}
	from, mayBeGone := gitlog.Start{ID: name}, name != ""
	if c != nil {
		from, mayBeGone = gitlog.Start{ID: c.ID, Path: c.Path}, name != "" && c.ID != name
	}
	if from.ID == ids[1] { // nearly always no commit names a checkpoint that is called name
		named, _ := log.Of(p.Commits).Recent(ctx, p.Prefix, 1, "--sparse", "--basic-regexp",
			"--grep=^"+workspace.TrailerID+": "+name+"$")
		mayBeGone = len(named) > 0
	}
	if !mayBeGone {
		return from, err
	}
	gone, failed := p.deleted(ctx, view, name)
	if gone != nil && (slices.Contains(ids, gone.ID) || fault.KindOf(err) == fault.NotFound) {
		return *gone, nil
	}
	if c == nil {
		err = cmp.Or(failed, err)
	}
	return from, err
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

// deleted returns the deleted checkpoint whose id is name, or else the only one whose id begins with it. The name may
// lack its `chk-`. The result is nil if not found, or if name is the id of a checkpoint that exists.
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
	at := map[string]string{}  // by blob, the path of a file that a commit removed
	known := map[string]bool{} // the names of the files in history
	taken := []string{head.Hash}
	for _, c := range commits {
		taken = append(taken, c.TookIn()...)
		moved := func(rel string) bool {
			return slices.ContainsFunc(c.Files, func(f log.FileChange) bool {
				return f.After != "" && path.Base(f.Path) == path.Base(rel)
			})
		}
		for _, f := range c.Files {
			known[path.Base(f.Path)] = true
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
		if _, there := set.Get(id); there {
			return nil, nil
		}
		if !known[id+".md"] {
			continue
		}
		edited := gitlog.Start{ID: id} // its file was removed by hand, or got another id
		if vs, err := p.follow(ctx, edited); err != nil || len(vs.List) > 0 {
			return &edited, err
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

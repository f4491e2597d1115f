package query

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/search"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Branch selects the checkpoints of one branch.
type Branch struct {
	Only bool
	Name string // empty for the branch that is checked out
}

// of returns the name of the branch.
func (b Branch) of(view *workspace.View) (string, error) {
	name := cmp.Or(b.Name, view.Branch())
	if name == "" {
		return "", fault.New(fault.Usage, "HEAD is detached: no branch is checked out").WithHint("--branch=NAME")
	}
	return name, nil
}

// other returns the name of the branch if its checkpoints are to be read from its last commit, since
// they are not in this worktree; else "".
func (b Branch) other(view *workspace.View) (string, error) {
	if !b.Only || view.OnRef() {
		return "", nil
	}
	name, err := b.of(view)
	if err != nil || view.OnBranch(name) {
		return "", err
	}
	return name, nil
}

// onBranch returns the checkpoints of a branch: in ref mode those that belong to it, in the other
// modes those in its last commit, with the files there that cannot be read. All and unread are those of
// this worktree.
func (p *Query) onBranch(ctx context.Context, view *workspace.View, all []*result.Entry, unread []checkpoint.Broken,
	scope store.Scope, b Branch) ([]*result.Entry, []checkpoint.Broken, error) {
	name, err := b.of(view)
	switch {
	case err != nil:
		return nil, nil, err
	case view.OnRef():
		return slices.DeleteFunc(all, func(e *result.Entry) bool { return e.Branch != name }), nil, nil
	case view.OnBranch(name):
		return all, unread, nil
	}
	all, unread = nil, nil
	err = p.atTip(ctx, name, scope, func(path string, src []byte) {
		c, err := checkpoint.Parse(path, src)
		switch {
		case err == nil:
			e := progress.NewEntry(c, p.prefix+"/"+path, c.Changed())
			e.Branch, e.Elsewhere, e.AtTip = name, true, true
			all = append(all, e)
		case !errors.Is(err, checkpoint.ErrOther):
			unread = append(unread, checkpoint.Broken{Path: path, Err: err})
		}
	})
	return all, unread, err
}

// searchTip searches the checkpoints in the last commit of another branch.
func (p *Query) searchTip(ctx context.Context, req SearchRequest, name string,
	scope store.Scope) (files []*search.File, err error) {
	req.Changed = nil // this function is only for files of this worktree
	err = p.atTip(ctx, name, scope, func(path string, src []byte) {
		if !req.Query.Holds(src) {
			return
		}
		c, unreadable := checkpoint.Parse(path, src)
		if errors.Is(unreadable, checkpoint.ErrOther) {
			return
		}
		if f := req.file(path, src, c, unreadable); f != nil {
			f.Branch, f.Elsewhere, f.AtTip = name, true, true
			files = append(files, f)
		}
	})
	return files, err
}

// atTip calls visit with the files of checkpoints in the last commit of another branch, in the order
// of their paths below the folder. Files that a partial clone lacks are left out.
func (p *Query) atTip(ctx context.Context, name string, scope store.Scope, visit func(path string, src []byte)) error {
	all, err := p.repo.Branches().All(ctx)
	if err != nil {
		return err
	}
	n := slices.IndexFunc(all, func(b git.Branch) bool { return b.Name == name })
	if n < 0 {
		return fault.New(fault.NotFound, "no branch is called %q", name).WithHint("git branch --all")
	}
	files, err := p.repo.Objects().TreeAt(ctx, all[n].Commit, p.prefix)
	if err != nil {
		return err
	}
	maps.DeleteFunc(files, func(path, _ string) bool {
		return !store.IsCheckpoint(path) || scope != store.All && !strings.HasPrefix(path, store.Active+"/")
	})
	texts := map[string][]byte{}
	err = p.repo.Objects().Blobs(ctx, slices.Compact(slices.Sorted(maps.Values(files))),
		func(blob string, src []byte) { texts[blob] = src })
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if src := texts[files[path]]; src != nil {
			visit(path, src)
		}
	}
	return nil
}

// elsewhere returns 1 for a checkpoint that belongs to another branch, and 0 for others.
func elsewhere(e *result.Entry) int {
	if e.Elsewhere {
		return 1
	}
	return 0
}

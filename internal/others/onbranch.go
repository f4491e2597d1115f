package others

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/others/branches"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/store"
)

// OnBranch returns the checkpoints that the last commit of another branch has.
func (p *Finder) OnBranch(ctx context.Context, name string, scope store.Scope) ([]*result.Entry, error) {
	versions, err := p.versionsOf(ctx, name, scope)
	if err != nil {
		return nil, err
	}
	var entries []*result.Entry
	err = p.versionsOn(ctx, versions, func(v branches.Version, c *checkpoint.Checkpoint) {
		if c == nil {
			return
		}
		e := progress.NewEntry(c, p.prefix+"/"+c.Path, c.Changed())
		e.On = p.Location(v.On)
		entries = append(entries, e)
	})
	return entries, err
}

// TextsOnBranch returns the checkpoints that the last commit of another branch has, and their files
// by blob.
func (p *Finder) TextsOnBranch(ctx context.Context, name string,
	scope store.Scope) ([]branches.Version, map[string][]byte, error) {
	versions, err := p.versionsOf(ctx, name, scope)
	if err != nil {
		return nil, nil, err
	}
	texts, err := p.texts(ctx, &branches.Found{Checkpoints: versions})
	return versions, texts, err
}

// versionsOf returns the files of checkpoints that the last commit of a branch has.
func (p *Finder) versionsOf(ctx context.Context, name string, scope store.Scope) ([]branches.Version, error) {
	all, err := p.repo.Branches().All(ctx)
	if err != nil {
		return nil, err
	}
	n := slices.IndexFunc(all, func(b git.Branch) bool { return b.Name == name })
	if n < 0 {
		return nil, fault.New(fault.NotFound, "no branch is called %q", name).WithHint("git branch --all")
	}
	files, err := p.repo.Objects().TreeAt(ctx, all[n].Commit, p.prefix)
	if err != nil {
		return nil, err
	}
	on := []branches.Branch{{Name: name, Remote: all[n].Remote, Worktree: all[n].Worktree}}
	var versions []branches.Version
	for path, blob := range files {
		if store.IsCheckpoint(path) && (scope == store.All || strings.HasPrefix(path, store.Active+"/")) {
			versions = append(versions, branches.Version{Path: path, Blob: blob, On: on})
		}
	}
	return versions, nil
}

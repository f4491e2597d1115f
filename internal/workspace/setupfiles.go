package workspace

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"sync"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git/changes"
)

// Changes that `ckpt setup` makes are not work on a checkpoint: deltas and briefs leave out
// a file that has no other changes.

// WorkWithoutSetup returns a trail without the files that only `ckpt setup` changed.
func (p *Workspace) WorkWithoutSetup(ctx context.Context, trail changes.Work) changes.Work {
	isSetup := p.setupFilter(ctx, cmp.Or(trail.Base, "HEAD"))
	trail.Files = slices.DeleteFunc(slices.Clone(trail.Files), func(f changes.File) bool {
		return isSetup(cmp.Or(f.From, f.Path), f.Path, f.Action == "created", f.Action == "deleted")
	})
	return trail
}

// WithoutSetup returns edits without the files that only setup changed.
func (p *Workspace) WithoutSetup(ctx context.Context, edits []changes.Edit) []changes.Edit {
	isSetup := p.setupFilter(ctx, "HEAD")
	return slices.DeleteFunc(slices.Clone(edits), func(e changes.Edit) bool {
		return isSetup(cmp.Or(e.From, e.Path), e.Path, e.New, e.Deleted)
	})
}

// setupFilter returns a function that reports whether only setup changed a file since a
// revision. Its path at that revision is from.
func (p *Workspace) setupFilter(ctx context.Context, rev string) func(from, path string, created, deleted bool) bool {
	all := sync.OnceValue(func() settings.Owned { return settings.AllOwned(p.Prefix) })
	return func(from, path string, created, deleted bool) bool {
		owned := all()
		if owned[path] == nil {
			return false
		}
		var before, after []byte
		if !created {
			before, _ = p.Repo.Offline().Objects().FileAt(ctx, rev, from) // a file that cannot be read counts as different
		}
		if !deleted {
			after, _ = disk.ReadFile(filepath.Join(p.Repo.Root(), filepath.FromSlash(path)))
		}
		return owned.IsAll(path, before, after)
	}
}

package git

import (
	"context"
	"path/filepath"
)

// HooksDir is the folder where git looks for hooks, absolute, and whether
// core.hooksPath names it. All worktrees share it.
func (r *Repo) HooksDir(ctx context.Context) (dir string, configured bool, err error) {
	set, ok, err := r.Config(ctx, "core.hookspath")
	if err != nil || !ok {
		return filepath.Join(r.commonDir, "hooks"), false, err
	}
	return fromHome(r.root, set), true, nil
}

// ConfigHooks says whether this git runs hooks that its configuration names, beside
// those in the folder: 2.54 and later do.
func (r *Repo) ConfigHooks(ctx context.Context) (bool, error) {
	v, err := r.gitRelease(ctx)
	return err == nil && v.major > 0 && !v.before(2, 54), err // unknown: the folder works everywhere
}

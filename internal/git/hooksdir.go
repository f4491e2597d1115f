package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// HooksDir is the folder where git looks for hooks, absolute, and whether
// core.hooksPath names it. All worktrees share it.
func (r *Repo) HooksDir(ctx context.Context) (dir string, configured bool, err error) {
	set, ok, err := r.Config(ctx, "core.hookspath")
	if err != nil || !ok {
		return filepath.Join(r.commonDir, "hooks"), false, err
	}
	if rest, home := strings.CutPrefix(set, "~/"); home {
		set = filepath.Join(os.Getenv("HOME"), rest)
	}
	return from(r.root, set), true, nil
}

// ConfigHooks says whether this git runs hooks that its configuration names, beside
// those in the folder: 2.54 and later do. It runs git once.
func (r *Repo) ConfigHooks(ctx context.Context) (bool, error) {
	out, err := r.git(ctx, nil, "version")
	if err != nil {
		return false, err
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(out), "git version %d.%d", &major, &minor); err != nil {
		return false, nil // a git that does not say: the folder works everywhere
	}
	return major > 2 || major == 2 && minor >= 54, nil
}

package git

import (
	"context"
	"strings"
)

// Sparse says which of the paths (from the root) a sparse checkout keeps out of the
// working tree: git has them, and their absence is no deletion.
func (r *Repo) Sparse(ctx context.Context, paths []string) (map[string]bool, error) {
	out, err := r.git(ctx, nil, append([]string{"ls-files", "-t", "-z", "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	hidden := map[string]bool{}
	for line := range strings.SplitSeq(string(out), "\x00") {
		if path, ok := strings.CutPrefix(line, "S "); ok {
			hidden[path] = true
		}
	}
	return hidden, nil
}

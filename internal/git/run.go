package git

import "context"

// Run runs git in the working tree's top folder, as a person would type it, and
// gives what it printed.
func (r *Repo) Run(ctx context.Context, args ...string) ([]byte, error) {
	return r.git(ctx, nil, args...)
}

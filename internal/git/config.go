package git

import "context"

// config is the user's whole configuration as git reads it: system, global,
// local and worktree files, includes, and the environment.
type config struct {
	values  map[string]string
	partial bool // from the cache: only some sections
}

// Config is the value that git would use for key: the last one set. The
// section and the variable name are in lower case ("user.name", "remote.Up.url").
// A key without a value is "true". It costs one git process when it is first
// needed, or none if nothing has changed since the last time.
func (r *Repo) Config(ctx context.Context, key string) (value string, ok bool, err error) {
	if r.conf == nil {
		if r.conf, err = r.readConfig(ctx); err != nil {
			return "", false, err
		}
	}
	if r.conf.partial && !cached(key) {
		out, err := r.git(ctx, nil, "config", "--list", "-z", "--show-origin", "--includes")
		if err != nil {
			return "", false, err
		}
		r.conf, _ = parseOrigins(r.root, out)
	}
	value, ok = r.conf.values[key]
	return value, ok, nil
}

// setting is the value of key, or a default.
func (r *Repo) setting(ctx context.Context, key, otherwise string) (string, error) {
	value, ok, err := r.Config(ctx, key)
	if err != nil || !ok {
		return otherwise, err
	}
	return value, nil
}

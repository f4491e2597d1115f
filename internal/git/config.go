package git

import (
	"context"
	"strings"
)

// config is the user's whole configuration as git reads it: system, global,
// local and worktree files, includes, and the environment.
type config struct{ values map[string]string }

// Config is the value that git would use for key: the last one set. The
// section and the variable name are in lower case ("user.name", "remote.Up.url").
// A key without a value is "true". One git process, when it is first needed.
func (r *Repo) Config(ctx context.Context, key string) (value string, ok bool, err error) {
	if r.conf == nil {
		out, err := r.git(ctx, nil, "config", "--list", "-z", "--includes")
		if err != nil {
			return "", false, err
		}
		r.conf = parseConfig(out)
	}
	value, ok = r.conf.values[key]
	return value, ok, nil
}

// parseConfig reads the form of `git config -z`: key, newline, value, NUL.
func parseConfig(out []byte) *config {
	c := &config{values: map[string]string{}}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		if entry == "" {
			continue
		}
		key, value, hasValue := strings.Cut(entry, "\n")
		if !hasValue {
			value = "true"
		}
		c.values[key] = value
	}
	return c
}

// setting is the value of a key of our own, with a default.
func (r *Repo) setting(ctx context.Context, key, otherwise string) (string, error) {
	value, ok, err := r.Config(ctx, key)
	if err != nil || !ok {
		return otherwise, err
	}
	return value, nil
}

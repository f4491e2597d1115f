package git

import (
	"context"
	"strings"
)

// Setting is one line of the configuration as git reads it.
type Setting struct {
	Scope string // "system", "global", "command", "local" or "worktree"
	Key   string
	Value string
}

// Own reports whether the user made the setting, and not this one repository.
func (s Setting) Own() bool {
	return s.Scope == "system" || s.Scope == "global" || s.Scope == "command"
}

// Settings returns the whole configuration with the scope of each setting, in the
// order in which git reads it. It runs git; [Repo.Config] seldom does.
func (r *Repo) Settings(ctx context.Context) ([]Setting, error) {
	out, err := r.git(ctx, nil, "config", "--list", "-z", "--show-scope", "--includes")
	if err != nil {
		return nil, err
	}
	var all []Setting
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		key, value, _ := strings.Cut(fields[i+1], "\n")
		all = append(all, Setting{fields[i], key, value})
	}
	return all, nil
}

package git

import (
	"context"
	"strings"
)

// Keep stores content as a blob that gc leaves alone, since a ref below refs names
// it, and gives its name. Storing the same once more changes nothing.
func (r *Repo) Keep(ctx context.Context, refs string, content []byte) (name string, err error) {
	sync, err := r.Sync(ctx)
	if err != nil {
		return "", err
	}
	var durable []string
	if sync {
		durable = []string{"-c", "core.fsync=all"}
	}
	out, err := r.git(ctx, content, append(durable, "hash-object", "-w", "--no-filters", "--stdin")...)
	if err != nil {
		return "", err
	}
	name = strings.TrimSpace(string(out))
	err = r.patiently(func() error {
		_, err := r.git(ctx, nil, append(durable, "update-ref", refs+"/"+name, name)...)
		return err
	})
	return name, err
}

package git

import (
	"context"
	"strings"
)

// Keep stores content as a blob that gc leaves alone, since a ref below refs names
// it, and gives its name. Storing the same once more changes nothing.
func (r *Repo) Keep(ctx context.Context, refs string, content []byte) (name string, err error) {
	durable, err := r.durable(ctx)
	if err != nil {
		return "", err
	}
	if name, err = r.KeepForNow(ctx, content); err != nil {
		return "", err
	}
	err = r.patiently(func() error {
		_, err := r.git(ctx, nil, append(durable, "update-ref", refs+"/"+name, name)...)
		return err
	})
	return name, err
}

// KeepForNow stores content as a blob that no ref holds, and gives its name: gc takes
// it when it is two weeks old.
func (r *Repo) KeepForNow(ctx context.Context, content []byte) (name string, err error) {
	durable, err := r.durable(ctx)
	if err != nil {
		return "", err
	}
	out, err := r.git(ctx, content, append(durable, "hash-object", "-w", "--no-filters", "--stdin")...)
	return strings.TrimSpace(string(out)), err
}

// durable is the options that make git write so that a power cut takes nothing away,
// where that is wanted. A git before 2.36 syncs objects and no refs.
func (r *Repo) durable(ctx context.Context) ([]string, error) {
	sync, err := r.Sync(ctx)
	if err != nil || !sync {
		return nil, err
	}
	if v, err := r.gitRelease(ctx); err != nil {
		return nil, err
	} else if v.before(2, 36) {
		return []string{"-c", "core.fsyncObjectFiles=true"}, nil
	}
	return []string{"-c", "core.fsync=all"}, nil
}

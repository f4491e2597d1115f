package git

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// afterHooks takes back what hooks did to our files before the commit failed with
// cause, so that the caller finds them as it wrote them. What they held is stored
// as an object and named: it may be an edit by hand of that very moment.
func (d *Draft) afterHooks(ctx context.Context, cause error) error {
	r := d.repo
	for _, f := range d.files {
		file := filepath.Join(r.root, filepath.FromSlash(f.Path))
		now, err := os.ReadFile(file)
		gone := errors.Is(err, fs.ErrNotExist)
		if gone {
			now, err = nil, nil
		}
		switch {
		case err != nil:
			return fault.New(fault.Failed, "%w; putting the files back: %w", cause, err)
		case gone == f.Gone() && bytes.Equal(now, f.After), gone == (f.Before == nil) && bytes.Equal(now, f.Before):
			continue
		}
		if !gone {
			out, err := r.git(ctx, now, "hash-object", "-w", "--stdin")
			if err != nil {
				return fault.New(fault.Failed, "%w; putting the files back: %w", cause, err)
			}
			cause = fault.New(fault.KindOf(cause), "%w\n%q was changed meanwhile; that is in git show %s",
				cause, f.Path, strings.TrimSpace(string(out))).WithHint("%s", fault.HintOf(cause))
		}
		if f.Gone() {
			err = disk.Remove(file)
		} else {
			err = disk.WriteFile(file, f.After, false)
		}
		if err != nil {
			return fault.New(fault.Failed, "%w; putting the files back: %w", cause, err)
		}
	}
	return cause
}

// onlyOurs makes the commit on base at HEAD again without the files that are not
// ours, where a hook added some on the way (`git add -A`). Git's index of the
// moment held them; the user's never did.
func (d *Draft) onlyOurs(ctx context.Context, base string) error {
	r := d.repo
	out, err := r.git(ctx, nil, "rev-list", "--parents", "--max-count=1", "HEAD")
	made := strings.Fields(string(out))
	if err != nil || strings.Join(made[1:], " ") != base {
		return err // somebody has committed on top of it
	}
	ours := paths(d.files)
	out, err = r.git(ctx, nil, "diff-tree", "--root", "--no-commit-id", "-r", "-z", "--name-only", made[0])
	foreign := func(path string) bool { return path != "" && !slices.Contains(ours, path) }
	if err != nil || !slices.ContainsFunc(strings.Split(string(out), "\x00"), foreign) {
		return err
	}
	tree, err := r.treeWith(ctx, base, ours)
	if err != nil {
		return err
	}
	message, err := r.git(ctx, nil, "log", "--no-show-signature", "--max-count=1", "--format=%B", "--encoding=UTF-8", made[0])
	if err != nil {
		return err
	}
	args, err := r.durable(ctx)
	if err != nil {
		return err
	}
	args = append(args, "-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-F", "-")
	if sign, err := r.signs(ctx); err != nil {
		return err
	} else if sign {
		args = append(args, "-S")
	}
	if base != "" {
		args = append(args, "-p", base)
	}
	limited, cancel := context.WithTimeout(ctx, r.signLimit)
	defer cancel()
	cmd := r.command(limited, append(args, tree)...)
	cmd.Env = append(cmd.Env, d.identityEnv()...)
	if out, err = output(cmd, []byte(cleanMessage(string(message)))); err != nil {
		return signFault(ctx, limited, err)
	}
	_, err = r.git(ctx, nil, "update-ref", "-m", "commit: "+subject(string(message)), "HEAD", strings.TrimSpace(string(out)), made[0])
	return err
}

// uncommit takes the commit at HEAD back, which could not be made ours alone because
// of cause, and with it what the index holds for our files now.
func (d *Draft) uncommit(ctx context.Context, base string, tracked map[string]stored, cause error) error {
	r := d.repo
	out, err := r.git(ctx, nil, "rev-list", "--parents", "--max-count=1", "HEAD")
	if made := strings.Fields(string(out)); err == nil && strings.Join(made[1:], " ") == base {
		args := []string{"update-ref", "-m", "ckpt: took back " + made[0], "HEAD", base, made[0]}
		if base == "" {
			args = []string{"update-ref", "-d", "HEAD", made[0]}
		}
		if _, err = r.git(ctx, nil, args...); err == nil {
			entries := map[string]stored{}
			for _, f := range d.files {
				entries[f.Path] = tracked[f.Path]
			}
			err = r.editIndexByGit(ctx, entries)
		}
	}
	if err != nil {
		return fault.New(fault.KindOf(cause), "%w; taking the commit back: %w", cause, err).WithHint("git show --stat HEAD")
	}
	return cause
}

// treeWith is the tree of base (none: empty) with what HEAD holds at these paths.
func (r *Repo) treeWith(ctx context.Context, base string, paths []string) (string, error) {
	head, err := r.atHead(ctx, paths)
	if err != nil {
		return "", err
	}
	index := filepath.Join(r.gitDir, "ckpt", "index")
	if err := os.MkdirAll(filepath.Dir(index), 0o777); err != nil {
		return "", fault.New(fault.Failed, "make a tree: %w", err)
	}
	defer os.Remove(index)
	run := func(stdin string, args ...string) ([]byte, error) {
		cmd := r.command(ctx, args...)
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+index)
		return output(cmd, []byte(stdin))
	}
	start := []string{"read-tree", "--empty"}
	if base != "" {
		start = []string{"read-tree", base}
	}
	if _, err := run("", start...); err != nil {
		return "", err
	}
	entries := map[string]stored{}
	for _, path := range paths {
		entries[path] = head[path]
	}
	if _, err := run(r.indexInfo(entries), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	out, err := run("", "write-tree")
	return strings.TrimSpace(string(out)), err
}

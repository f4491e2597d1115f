package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// refValue is the commit that a ref outside refs/heads names; "" for no such ref.
func (r *Repo) refValue(ctx context.Context, name string) (string, error) {
	if r.foreign() == "" {
		return r.readRef(name)
	}
	out, err := r.git(ctx, nil, "rev-parse", "-q", "--verify", name)
	if exitCode(err) == 1 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// moveRef moves a ref of ours from one commit to another ("" for none), if it still
// names the first; else fault.Busy, and nothing has changed. The caller holds
// ckpt's lock, which makes dead locks of ours known.
func (r *Repo) moveRef(ctx context.Context, name, to, from string) error {
	if r.foreign() != "" {
		return r.moveRefByGit(ctx, name, to, from)
	}
	packed, err := r.packedRef(name)
	if err != nil {
		return err
	}
	if to == "" && packed != "" { // packed-refs is git's to rewrite
		return r.moveRefByGit(ctx, name, to, from)
	}
	locks := &lockFiles{repo: r}
	defer locks.close()
	file := r.refFile(name)
	if err := locks.take(ctx, file, time.Now().Add(lockWait)); err != nil {
		return err
	}
	if now, err := r.readRef(name); err != nil || now != from {
		if err == nil {
			err = fault.New(fault.Busy, "%s has moved", name).WithHint("try again")
		}
		return err
	}
	if to == "" {
		return disk.Remove(file)
	}
	sync, err := r.Sync(ctx)
	if err != nil {
		return err
	}
	ref, err := r.stageRef(file, to)
	if err != nil {
		return err
	}
	defer ref.Drop()
	if sync {
		if err := ref.Sync(); err != nil {
			return err
		}
	}
	if err := ref.Commit(); err != nil || !sync {
		return err
	}
	return disk.SyncDir(filepath.Dir(file))
}

// stageRef writes a ref's new value where git looks for no refs: a file that a
// death leaves among them would be a broken one to it.
func (r *Repo) stageRef(file, value string) (*disk.Staged, error) {
	write := func(f *os.File) error {
		_, err := f.WriteString(value + "\n")
		return err
	}
	return r.shared(disk.StageIn(filepath.Dir(r.lockFile()), file, write))
}

// moveRefByGit is moveRef where only git can.
func (r *Repo) moveRefByGit(ctx context.Context, name, to, from string) error {
	args, err := r.durable(ctx)
	if err != nil {
		return err
	}
	args = append(args, "update-ref")
	switch {
	case to == "":
		args = append(args, "-d", name, from)
	case from == "":
		args = append(args, name, to, strings.Repeat("0", len(to)))
	default:
		args = append(args, name, to, from)
	}
	return r.patiently(func() error {
		_, err := r.gitForCommit(ctx, nil, args...)
		return err
	})
}

// filesAt is the content of every file below dir in a commit, by its path there.
func (r *Repo) filesAt(ctx context.Context, commit, dir string) (map[string][]byte, error) {
	names, err := r.TreeAt(ctx, commit, dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for path, name := range names {
		src, err := r.Blob(name)
		if err != nil {
			return nil, err
		}
		if src == nil {
			src = []byte{}
		}
		files[path] = src
	}
	return files, nil
}

// TreeAt returns every file below dir (a slash path from the root) in a commit: path
// below dir to blob. Empty where the commit has no such folder. Where a partial clone
// lacks it, the error is [ErrElsewhere].
func (r *Repo) TreeAt(ctx context.Context, commit, dir string) (map[string]string, error) {
	files, err := r.treeAt(ctx, commit, dir)
	if errors.Is(err, errMissing) && r.mayLack() {
		return nil, fmt.Errorf("%w: %w", ErrElsewhere, err)
	}
	return files, err
}

func (r *Repo) treeAt(ctx context.Context, commit, dir string) (map[string]string, error) {
	files := map[string]string{}
	if r.foreign() == "" {
		root, err := treeOf(r.objectsDB(), commit)
		if err != nil {
			return nil, err
		}
		at, err := lookup(r.objectsDB(), root, dir)
		if err != nil || at.mode != filemode.Dir {
			return files, err
		}
		err = walkTree(r.objectsDB(), at.hash, "", func(path string, at place) { files[path] = at.hash.String() })
		return files, err
	}
	out, err := r.git(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", commit, "--", dir+"/")
	for path, e := range parseEntries(out) {
		files[strings.TrimPrefix(path, dir+"/")] = e.hash
	}
	return files, err
}

// pendingByGit is pending where only git can write objects.
func (d *Draft) pendingByGit(ctx context.Context, files []Held) (string, error) {
	r := d.repo
	var entries strings.Builder
	for _, f := range files {
		for _, side := range sides(f) {
			out, err := r.git(ctx, side.content, "hash-object", "-w", "--no-filters", "--stdin")
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&entries, "%o %s\t%s\x00", filemode.Regular, strings.TrimSpace(string(out)), side.path)
		}
	}
	dir, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return "", fault.New(fault.Failed, "write a tree: %w", err)
	}
	defer os.RemoveAll(dir)
	aside := func(stdin string, args ...string) (string, error) { // with an index of its own
		cmd := r.command(ctx, args...)
		cmd.Env = append(cmd.Env, d.identityEnv()...)
		cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_INDEX_FILE="+filepath.Join(dir, "index"))
		out, err := output(cmd, []byte(stdin))
		return strings.TrimSpace(string(out)), err
	}
	if _, err := aside(entries.String(), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	tree, err := aside("", "write-tree")
	if err != nil {
		return "", err
	}
	args := []string{"commit-tree", "-F", "-"}
	if d.base.hash != "" {
		args = append(args, "-p", d.base.hash)
	}
	return aside(d.message, append(args, tree)...)
}

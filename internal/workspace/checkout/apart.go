package checkout

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/workspace/store"
)

// Open returns the checkpoint files of a worktree in ref mode, which are on no branch. Prefix is the checkpoints
// folder in commits.
func Open(repo *git.Repo, prefix string, ref ckptref.Ref) Branch {
	return Branch{Checkout: &Checkout{Repo: repo, Prefix: prefix, Dir: repo.PathOf(Apart(prefix)), apart: true}, Ref: ref}
}

// OnBranch returns the checkpoints folder whose files are on the branches of the code.
func OnBranch(repo *git.Repo, prefix string, ref ckptref.Ref) Branch {
	return Branch{Checkout: &Checkout{Repo: repo, Prefix: prefix, Dir: repo.PathOf(prefix)}, Ref: ref}
}

// Apart returns the folder for files that are on no branch: .ckpt in place of checkpoints. If they were in
// checkpoints, `git switch` to a branch that tracks files there would silently replace them.
func Apart(prefix string) string {
	dir, name := path.Split(prefix)
	if name == "checkpoints" {
		return dir + ".ckpt"
	}
	return dir + ".ckpt-" + strings.TrimLeft(name, ".")
}

// Folder returns the folder of the files as a slash path from the worktree's root.
func (c *Checkout) Folder() string {
	if c.apart {
		return Apart(c.Prefix)
	}
	return c.Prefix
}

// ModeAt returns the commit mode in the config.yaml of a commit; it may be empty. If it is [policy.Ref], files that
// the commit lacks do not count as deleted checkpoints: a migration has removed them from the branch.
func (c *Checkout) ModeAt(ctx context.Context, commit string) policy.Commit {
	cfg, _ := policy.Parse(c.fileAt(ctx, commit, store.ConfigFile))
	return cfg.Commit
}

// CheckApart returns an error if the files of the ref cannot be written to the folder Apart. If try is set, it makes
// the folder, and removes it again.
func (b Branch) CheckApart(ctx context.Context, try bool) error {
	apart := Open(b.Repo, b.Prefix, b.Ref)
	tip, err := b.Ref.Tip(ctx)
	if err == nil {
		_, err = apart.Compare(ctx, tip, nil, nil)
	}
	if err == nil {
		_, err = apart.writeAll([]change.File{{Path: apart.Folder() + "/" + store.ActiveKeep}}) // only checks the path
	}
	if !try || err != nil {
		return err
	}
	defer apart.removeFolders()
	if err := os.MkdirAll(apart.file(store.Active), 0o777); err != nil {
		return fault.New(fault.Failed, "make %s/: %w", apart.Folder(), disk.Pathless(err))
	}
	return nil
}

// Choose records which checkpoint is current in a worktree whose files a migration moves. Empty means none.
func (b Branch) Choose(current string) error {
	s, err := b.Load()
	if err != nil {
		return err
	}
	s.Branch, err = b.ownBranch()
	if current != "" {
		s.choose(current)
	}
	s.written = "" // what ckpt wrote to this folder before does not count
	return cmp.Or(err, b.Save(s))
}

// Arrive records that the files are published on the branch from now on, and removes their copies in the folder
// Apart. It keeps copies that differ from the files on the branch, and returns their paths.
func (b Branch) Arrive() (left []string, err error) {
	apart := Open(b.Repo, b.Prefix, b.Ref)
	paths, err := apart.list()
	for _, rel := range paths {
		mine, failed := apart.onDisk(rel)
		copied, err := b.onDisk(rel)
		if failed != nil || err != nil || !bytes.Equal(mine, copied) {
			left = append(left, apart.Folder()+"/"+rel)
		} else if err := disk.Remove(apart.file(rel)); err != nil {
			return nil, err
		}
		apart.removeEmpty(filepath.Dir(apart.file(rel)))
	}
	apart.removeFolders()
	paths, failed := b.list()
	branch, lost := b.ownBranch()
	if err := errors.Join(err, failed, lost); err != nil {
		return nil, err
	}
	return left, b.owe(branch, change.At(paths), "")
}

// removeFolders removes the folder of the files and its parts active/ and archive/ if they are empty.
func (c *Checkout) removeFolders() {
	for _, folder := range []string{store.Active, store.Archive, "."} {
		_ = os.Remove(c.file(folder)) // it fails if the folder has a file
	}
}

// list returns the paths of the files on disk for which [Written] returns true.
func (c *Checkout) list() ([]string, error) {
	var paths []string
	err := filepath.WalkDir(c.Dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(c.Dir, file)
		rel = filepath.ToSlash(rel)
		if Written(rel) {
			paths = append(paths, rel)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return paths, err
}

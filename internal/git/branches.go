package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/refs"
)

// Branches answers questions about branches and working trees.
type Branches struct{ repo *Repo }

// Branches returns the branches of the repository.
func (r *Repo) Branches() Branches { return Branches{repo: r} }

// LocalRefs is the prefix of the full names of branches.
const LocalRefs = "refs/heads/"

// Folders has the top folder and the git folder of a working tree.
type Folders struct{ Root, GitDir string }

// OtherFolders returns the folders of all other working trees, the main one and the linked ones. It starts no process.
func (b Branches) OtherFolders() ([]Folders, error) {
	linked, err := os.ReadDir(filepath.Join(b.repo.commonDir, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Failed, "list worktrees: %w", err)
	}
	var all []Folders
	if b.repo.gitDir != b.repo.commonDir && !b.repo.format.bare {
		all = append(all, Folders{Root: filepath.Dir(b.repo.commonDir), GitDir: b.repo.commonDir})
	}
	for _, e := range linked {
		dir := filepath.Join(b.repo.commonDir, "worktrees", e.Name())
		gitFile, err := disk.Bytes(filepath.Join(dir, "gitdir"))
		if err != nil || dir == b.repo.gitDir {
			continue // this worktree, or one that is being removed
		}
		root := filepath.Dir(disk.From(dir, strings.TrimSpace(string(gitFile))))
		if info, err := os.Stat(root); err == nil && info.IsDir() {
			all = append(all, Folders{Root: root, GitDir: dir})
		}
	}
	return all, nil
}

// With returns the name of a branch that contains a commit; "" for none.
func (b Branches) With(ctx context.Context, commit string) (string, error) {
	out, err := b.repo.Git(ctx, nil,
		"for-each-ref", "--count=1", "--contains="+commit, "--format=%(refname:lstrip=2)", LocalRefs)
	return strings.TrimSpace(string(out)), err
}

// OwnBranch returns the full name of the branch of HEAD, or of the branch to which HEAD returns
// after a rebase or a bisect; "" for none.
func (b Branches) OwnBranch() (string, error) {
	for _, name := range [...]string{"rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"} {
		branch, err := b.repo.Refs().stateFile(name)
		if err != nil {
			return "", err
		}
		branch = strings.TrimPrefix(branch, LocalRefs)
		if branch != "" && !refs.IsHash(branch) && branch != "detached HEAD" {
			return LocalRefs + branch, nil
		}
	}
	head, err := b.repo.Head()
	return head.Ref, err
}

// IsUsed reports whether the branch ref is checked out, rebased or bisected in the worktree with the given git folder.
func IsUsed(gitDir, ref string) bool {
	for _, name := range []string{"HEAD", "rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"} {
		src, _ := disk.ReadFile(filepath.Join(gitDir, filepath.FromSlash(name))) // a missing file names no branch
		value := strings.TrimSpace(strings.TrimPrefix(string(src), "ref: "))
		if value == ref || LocalRefs+value == ref {
			return true
		}
	}
	return false
}

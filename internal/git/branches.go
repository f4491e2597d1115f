package git

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/refs"
)

// Branches lists branches and working trees.
type Branches struct{ repo *Repo }

// Branches returns the branches of the repository.
func (r *Repo) Branches() Branches { return Branches{repo: r} }

// Branch is a local branch, a branch of a remote as last fetched, or the detached HEAD of
// another worktree.
type Branch struct {
	Name     string // the name as git shows it: "feat-a", "origin/feat-a"; for a detached HEAD its commit
	Commit   string // the commit that it points to
	Remote   bool
	Worktree string // the folder of the worktree that has it checked out; "" for none
}

const (
	LocalRefs  = "refs/heads/"
	remoteRefs = "refs/remotes/"
)

// All returns all branches except the one that is checked out here. First come those checked out in
// other worktrees, then the local ones, then those of remotes, each sorted by name. If refs are
// files it starts no process.
func (br Branches) All(ctx context.Context) ([]Branch, error) {
	refs, err := br.branchRefs(ctx)
	if err != nil {
		return nil, err
	}
	own, err := br.repo.Head()
	if err != nil {
		return nil, err
	}
	trees, err := br.otherWorktrees(ctx)
	if err != nil {
		return nil, err
	}
	at := map[string]string{} // the folder of the worktree by ref
	var all []Branch
	for _, t := range trees {
		if t.ref != "" {
			at[t.ref] = t.root
		} else if t.commit != "" {
			all = append(all, Branch{Name: t.commit[:12], Commit: t.commit, Worktree: t.root})
		}
	}
	for ref, commit := range refs {
		name, local := strings.CutPrefix(ref, LocalRefs)
		switch {
		case ref == own.Ref:
		case local:
			all = append(all, Branch{Name: name, Commit: commit, Worktree: at[ref]})
		default:
			all = append(all, Branch{Name: strings.TrimPrefix(ref, remoteRefs), Commit: commit, Remote: true})
		}
	}
	slices.SortFunc(all, func(a, b Branch) int {
		return cmp.Or(a.rank()-b.rank(), strings.Compare(a.Name, b.Name), strings.Compare(a.Worktree, b.Worktree))
	})
	return all, nil
}

func (b Branch) rank() int {
	switch {
	case b.Worktree != "":
		return 0
	case !b.Remote:
		return 1
	}
	return 2
}

// branchRefs returns the commits of all branches, by their full names. Symbolic refs such
// as refs/remotes/origin/HEAD are left out: they name another branch.
func (b Branches) branchRefs(ctx context.Context) (map[string]string, error) {
	if !b.refsAreFiles() {
		return b.branchRefsByGit(ctx)
	}
	return b.repo.refs.Below(LocalRefs, remoteRefs)
}

// refsAreFiles reports whether git keeps refs as files, rather than in a table.
func (b Branches) refsAreFiles() bool {
	return strings.EqualFold(cmp.Or(b.repo.format.extensions["refstorage"], "files"), "files")
}

func (b Branches) branchRefsByGit(ctx context.Context) (map[string]string, error) {
	rows, err := b.repo.Refs().List(ctx, []string{"refname", "objectname", "symref"}, LocalRefs, remoteRefs)
	refs := map[string]string{}
	for _, row := range rows {
		if row[2] == "" {
			refs[row[0]] = row[1]
		}
	}
	return refs, err
}

// worktree is a working tree and what is checked out in it.
type worktree struct {
	root   string
	ref    string // "" where HEAD is detached
	commit string // the commit of a detached HEAD
	gone   bool   // it is bare, or its folder is missing
}

// otherWorktrees returns the working trees of this repository without this one.
func (b Branches) otherWorktrees(ctx context.Context) ([]worktree, error) {
	linked, err := b.linkedWorktrees()
	if err != nil || len(linked) == 0 {
		return nil, err
	}
	out, err := b.worktreeList(ctx, linked)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(out, func(t worktree) bool { return t.root == "" }), nil
}

// worktreeList reads the HEAD of each worktree; git is asked if refs are not files.
func (b Branches) worktreeList(ctx context.Context, linked []fs.DirEntry) ([]worktree, error) {
	if !b.refsAreFiles() {
		return b.worktreesByGit(ctx)
	}
	var all []worktree
	for _, f := range b.foldersOf(linked) {
		all = append(all, headOf(f.GitDir, f.Root))
	}
	return all, nil
}

// Folders are the folders of a working tree.
type Folders struct{ Root, GitDir string }

// OtherFolders returns the folders of the working trees of this repository without this one. It
// starts no process.
func (b Branches) OtherFolders() ([]Folders, error) {
	linked, err := b.linkedWorktrees()
	if err != nil || len(linked) == 0 {
		return nil, err
	}
	return b.foldersOf(linked), nil
}

// linkedWorktrees returns the entries of the linked worktrees, this one included if it is linked.
func (b Branches) linkedWorktrees() ([]fs.DirEntry, error) {
	linked, err := os.ReadDir(filepath.Join(b.repo.commonDir, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Failed, "list worktrees: %w", err)
	}
	return linked, nil
}

// foldersOf returns the folders of the main worktree and of the linked ones, without this one.
func (b Branches) foldersOf(linked []fs.DirEntry) []Folders {
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
		root := filepath.Dir(from(dir, strings.TrimSpace(string(gitFile))))
		if info, err := os.Stat(root); err == nil && info.IsDir() {
			all = append(all, Folders{Root: root, GitDir: dir})
		}
	}
	return all
}

// headOf returns what the worktree with this git folder has checked out.
func headOf(gitDir, root string) worktree {
	head, err := disk.Bytes(filepath.Join(gitDir, "HEAD"))
	if err != nil {
		return worktree{}
	}
	value := strings.TrimSpace(string(head))
	if ref, symbolic := strings.CutPrefix(value, "ref:"); symbolic {
		return worktree{root: root, ref: strings.TrimSpace(ref)}
	}
	if !refs.IsHash(value) {
		return worktree{}
	}
	return worktree{root: root, commit: value}
}

// worktreesByGit is worktreeList by git.
func (b Branches) worktreesByGit(ctx context.Context) ([]worktree, error) {
	all, err := b.listWorktrees(ctx)
	return slices.DeleteFunc(all, func(t worktree) bool { return t.gone || isFolder(t.root, b.repo.root) }), err
}

// listWorktrees asks git for all working trees.
func (b Branches) listWorktrees(ctx context.Context) ([]worktree, error) {
	out, err := b.repo.Git(ctx, nil, "worktree", "list", "--porcelain")
	var all []worktree
	for line := range strings.Lines(string(out)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if key == "worktree" {
			all = append(all, worktree{root: filepath.FromSlash(value)})
		}
		if len(all) == 0 {
			continue
		}
		t := &all[len(all)-1]
		switch key {
		case "HEAD":
			t.commit = value
		case "branch": // after HEAD
			t.ref, t.commit = value, ""
		case "bare", "prunable":
			t.gone = true
		}
	}
	return all, err
}

func isFolder(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// Has reports whether a branch exists, by its full name.
func (b Branches) Has(ctx context.Context, name string) (bool, error) {
	tip, err := b.repo.Refs().Read(ctx, name)
	return tip != "", err
}

// Worktree returns the folder of the other worktree that has a branch, by its full name,
// checked out; "" for none.
func (b Branches) Worktree(ctx context.Context, branch string) (string, error) {
	all, err := b.otherWorktrees(ctx)
	for _, t := range all {
		if t.ref == branch {
			return t.root, nil
		}
	}
	return "", err
}

// With returns the name of a branch below one of the folders of refs that contains a commit; ""
// for none.
func (b Branches) With(ctx context.Context, commit string, folders ...string) (string, error) {
	args := append([]string{"--count=1", "--contains=" + commit}, folders...)
	rows, err := b.repo.Refs().List(ctx, []string{"refname:lstrip=2"}, args...)
	if err != nil || len(rows) == 0 {
		return "", err
	}
	return rows[0][0], nil
}

// HasCommit reports whether a branch, local or remote-tracking, contains a commit.
func (b Branches) HasCommit(ctx context.Context, commit string) (bool, error) {
	name, err := b.With(ctx, commit, LocalRefs, remoteRefs)
	return name != "", err
}

// Origin returns the user's own commit while a rebase or a bisect has checked out another one. The
// user returns to it, or the rebase moves it. It returns "" if HEAD is the user's own.
func (b Branches) Origin(ctx context.Context) (string, error) {
	if b.repo.head != "" {
		return "", nil
	}
	for _, name := range [...]string{"rebase-merge/orig-head", "rebase-apply/orig-head"} {
		if commit, err := b.repo.Refs().stateFile(name); err != nil || refs.IsHash(commit) {
			return commit, err
		}
	}
	start, err := b.repo.Refs().stateFile("BISECT_START") // BISECT_START has a branch, or a commit if HEAD was detached
	if err != nil || start == "" || refs.IsHash(start) {
		return start, err
	}
	return b.repo.Refs().Read(ctx, LocalRefs+start)
}

// OwnCommit returns Origin, or else the commit of HEAD; "" for none.
func (b Branches) OwnCommit(ctx context.Context) (string, error) {
	origin, err := b.Origin(ctx)
	if err != nil || origin != "" {
		return origin, err
	}
	head, err := b.repo.Head()
	return head.Hash, err
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

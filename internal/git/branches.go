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

// Branch is a local branch, a branch of a remote as last fetched, or the detached HEAD of
// another worktree.
type Branch struct {
	Name     string // as git shows it: "feat-a", "origin/feat-a"; of a detached HEAD its commit
	Commit   string // where it ends
	Remote   bool
	Worktree string // the folder of the worktree that has it checked out; "" for none
}

const (
	localRefs  = "refs/heads/"
	remoteRefs = "refs/remotes/"
)

// Branches returns all branches but the one that is checked out here, first those that
// another worktree has checked out, then the local ones, then those of remotes, each by
// name. Where git keeps refs as files it runs no process.
func (r *Repo) Branches(ctx context.Context) ([]Branch, error) {
	refs, err := r.branchRefs(ctx)
	if err != nil {
		return nil, err
	}
	own, err := r.Head()
	if err != nil {
		return nil, err
	}
	trees, err := r.otherWorktrees(ctx)
	if err != nil {
		return nil, err
	}
	at := map[string]string{} // by ref
	var all []Branch
	for _, t := range trees {
		if t.ref != "" {
			at[t.ref] = t.root
		} else if t.commit != "" {
			all = append(all, Branch{Name: t.commit[:12], Commit: t.commit, Worktree: t.root})
		}
	}
	for ref, commit := range refs {
		switch name, local := strings.CutPrefix(ref, localRefs); {
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
func (r *Repo) branchRefs(ctx context.Context) (map[string]string, error) {
	if !r.refsAreFiles() {
		return r.branchRefsByGit(ctx)
	}
	return r.refs.Below(localRefs, remoteRefs)
}

// refsAreFiles reports whether git keeps refs as files, rather than in a table.
func (r *Repo) refsAreFiles() bool {
	return strings.EqualFold(cmp.Or(r.format.extensions["refstorage"], "files"), "files")
}

func (r *Repo) branchRefsByGit(ctx context.Context) (map[string]string, error) {
	out, err := r.Git(ctx, nil, "for-each-ref", "--format=%(objectname) %(symref) %(refname)", localRefs, remoteRefs)
	refs := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), " "); len(f) == 3 && f[1] == "" {
			refs[f[2]] = f[0]
		}
	}
	return refs, err
}

// worktree is a working tree and what it has checked out.
type worktree struct {
	root   string
	ref    string // "" where HEAD is detached
	commit string // of a detached HEAD
}

// otherWorktrees returns the working trees of this repository but for this one.
func (r *Repo) otherWorktrees(ctx context.Context) ([]worktree, error) {
	linked, err := os.ReadDir(filepath.Join(r.commonDir, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Failed, "list worktrees: %w", err)
	}
	if len(linked) == 0 {
		return nil, nil
	}
	out, err := r.worktreeList(ctx, linked)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(out, func(t worktree) bool { return t.root == "" }), nil
}

// worktreeList reads the HEAD of each worktree; where refs are no files git is asked.
func (r *Repo) worktreeList(ctx context.Context, linked []fs.DirEntry) ([]worktree, error) {
	if !r.refsAreFiles() {
		return r.worktreesByGit(ctx)
	}
	var all []worktree
	if r.gitDir != r.commonDir && !r.format.bare {
		all = append(all, headOf(r.commonDir, filepath.Dir(r.commonDir)))
	}
	for _, e := range linked {
		dir := filepath.Join(r.commonDir, "worktrees", e.Name())
		gitFile, err := disk.Bytes(filepath.Join(dir, "gitdir"))
		if err != nil || dir == r.gitDir {
			continue // this one, or one that is being removed
		}
		root := filepath.Dir(from(dir, strings.TrimSpace(string(gitFile))))
		if info, err := os.Stat(root); err == nil && info.IsDir() {
			all = append(all, headOf(dir, root))
		}
	}
	return all, nil
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

func (r *Repo) worktreesByGit(ctx context.Context) ([]worktree, error) {
	out, err := r.Git(ctx, nil, "worktree", "list", "--porcelain")
	if err != nil {
		return nil, err
	}
	var all []worktree
	for block := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n\n") {
		var t worktree
		here := false
		detached := false
		for line := range strings.SplitSeq(block, "\n") {
			key, value, _ := strings.Cut(line, " ")
			switch key {
			case "worktree":
				t.root = filepath.FromSlash(value)
				here = isFolder(t.root, r.root)
			case "HEAD":
				t.commit = value
			case "branch":
				t.ref = value
			case "detached":
				detached = true
			case "bare", "prunable":
				here = true
			}
		}
		if !detached {
			t.commit = ""
		}
		if !here {
			all = append(all, t)
		}
	}
	return all, nil
}

func isFolder(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

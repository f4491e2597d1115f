// Package git opens a repository, runs git in it, and commits exactly the files that it is
// given. Everything else that the user has (index, working tree, refs, hooks, locks of other
// programs) stays as it was.
//
// The commit engine writes objects, the index and refs itself (git/object, git/index,
// git/refs), under git's locks. It takes half of the time of `git commit --only` in a small
// repository, a quarter at 10,000 files and a seventh at 100,000 (docs/performance.md). `git
// commit --only` takes along what hooks add, and rewrites the whole index; go-git's worktree
// functions commit whatever is staged and take no lock. `git fast-import` with `git
// update-index` was tried, too: three processes, and the branch and the index are not moved
// together. Where only git can write, git's plumbing does (see Backend), and what that cannot
// do either is refused with fault.Unsupported.
//
// The packages below it answer questions: git/log about commits, git/changes about what changed
// since one. git/snapshot, git/pending and git/remote have one concern each. Other packages run
// no git of their own.
package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/index"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/git/refs"
)

// Repo is a repository with a working tree, as git finds it from a folder.
// It is not safe for use by several goroutines.
type Repo struct {
	root      string // the working tree's top folder
	gitDir    string // this working tree's own: HEAD, index
	commonDir string // shared by linked worktrees: objects, refs, config
	format    format // the shape of the repository, from its own config

	conf    *config          // nil until it is needed
	objects *object.Database // nil until it is needed
	refs    *refs.Store
	lock    *disk.Lock    // our exclusive lock while we have it
	held    *refs.LockSet // index.lock after Index.Hold

	program *program // the git that runs here; shared with copies of the Repo

	signLimit time.Duration
	noFetch   bool // git may not fetch what a partial clone lacks
}

// Offline returns the same repository for questions that are not worth a network: if a partial
// clone lacks an object git refuses and does not fetch it. It may be used while another
// goroutine uses r.
func (r *Repo) Offline() *Repo {
	other := *r
	other.objects, other.lock, other.noFetch = nil, nil, true
	return &other
}

// Root returns the top folder of the working tree, absolute.
func (r *Repo) Root() string { return r.root }

// CommonDir returns the folder with the objects and refs, absolute: in a linked worktree that
// of the main one.
func (r *Repo) CommonDir() string { return r.commonDir }

// GitDir returns the folder with this working tree's HEAD and index, absolute.
func (r *Repo) GitDir() string { return r.gitDir }

// JournalDir returns the folder for the journal of this working tree; it need not exist.
func (r *Repo) JournalDir() string { return filepath.Join(r.gitDir, "ckpt") }

// PathOf returns the file at a slash path from the root.
func (r *Repo) PathOf(path string) string { return filepath.Join(r.root, filepath.FromSlash(path)) }

// IsOffline reports whether git may not fetch what a partial clone lacks.
func (r *Repo) IsOffline() bool { return r.noFetch }

// WorktreeName names the working tree among those of the repository.
func (r *Repo) WorktreeName() string {
	if r.gitDir == r.commonDir {
		return "main"
	}
	name := filepath.Base(r.gitDir)
	if strings.EqualFold(name, "main") || strings.HasPrefix(name, "linked-") {
		name = "linked-" + name // a linked one may be called main, too
	}
	return name
}

// Locked reports whether this process has the exclusive lock of the repository.
func (r *Repo) Locked() bool { return r.lock != nil }

// FileRefs returns the refs, unless the repository has a reftable.
func (r *Repo) FileRefs() *refs.Store { return r.refs }

// lockWait is how long a ckpt waits for another one, and for git.
const lockWait = 5 * time.Second

// readWait is how long a reader waits for a writer.
const readWait = 500 * time.Millisecond

// Lock excludes other ckpt processes from this repository and all its worktrees until unlock is
// called. The kernel frees the lock if the process dies. After 5 seconds, or half a second for
// a shared lock, it returns fault.Busy with the process that has the lock.
func (r *Repo) Lock(ctx context.Context, mode disk.Mode) (unlock func(), err error) {
	if r.lock != nil {
		return func() {}, nil // ours already, and exclusive
	}
	path, wait := r.refs.Locks.File(), lockWait
	if mode == disk.Shared {
		wait = readWait
		if !disk.Exists(path) {
			return func() {}, nil // nothing was ever written here
		}
	}
	l, err := disk.Acquire(ctx, path, mode, wait)
	if err != nil {
		return nil, err
	}
	if mode == disk.Exclusive {
		r.lock = l
		r.ShareState(ctx)
	}
	return func() {
		if mode == disk.Exclusive {
			r.ShareState(context.WithoutCancel(ctx))
			r.lock = nil
		}
		l.Unlock()
	}, nil
}

// sharing returns what the files of the git directory grant to other users:
// core.sharedRepository. A configuration that cannot be read grants nothing.
func (r *Repo) sharing() disk.Sharing {
	value, _ := r.Config().Setting(context.Background(), "core.sharedrepository", "")
	return disk.ParseSharing(value)
}

// ShareState applies the sharing to ckpt's own files in the git directory, so that other users
// can lock, write the journal and read pending operations.
func (r *Repo) ShareState(ctx context.Context) {
	with := r.sharing()
	private := []string{r.Config().configCache(), releaseCache(r)}
	with.ApplyBelow(filepath.Dir(r.refs.Locks.File()), private...)
	if r.gitDir != r.commonDir {
		with.ApplyBelow(r.JournalDir(), private...)
	}
}

// The names of Backend.
const (
	ownBackend = "ckpt" // trees, index and refs are written by this package
	gitBackend = "git"  // git's plumbing does it
)

// Backend returns what makes the commits in this repository, "ckpt" itself or "git", and why;
// why is empty in the usual case.
func (c Committer) Backend(ctx context.Context) (name, why string, err error) {
	why, err = c.needsGit(ctx)
	if err != nil || why != "" {
		return gitBackend, why, err
	}
	x, _, err := c.repo.Index().readIndex()
	if err == nil {
		_, err = x.Edit(nil, 0)
	}
	if u, ok := errors.AsType[index.Unsupported](err); ok {
		return ownBackend, "git updates the index: " + u.Error(), nil
	}
	return ownBackend, "", err
}

// needsGit returns why only git can commit here; "" if ckpt can. It reads a few files at most.
func (c Committer) needsGit(ctx context.Context) (why string, err error) {
	if why := c.repo.Foreign(); why != "" {
		return why, nil
	}
	if owner, known := ownerOf(c.repo.gitDir); known && owner != os.Geteuid() {
		return "the repository belongs to another user", nil // git knows whom to trust
	}
	mode, err := c.repo.Hooks().mode(ctx)
	if err != nil || mode != hooksAll {
		return "", err
	}
	for _, name := range hookNames() {
		has, err := c.repo.Hooks().hasHook(ctx, name)
		if err != nil {
			return "", err
		}
		if has && name != "commit-msg" {
			return "ckpt.hooks is all and there is a " + name + " hook", nil
		}
	}
	return "", nil
}

// Foreign returns why the objects or refs here cannot be read by this package; "" if they can.
func (r *Repo) Foreign() string {
	known := []string{"noop", "noop-v1", "preciousobjects", "partialclone", "worktreeconfig", "relativeworktrees"}
	for name, value := range r.format.extensions {
		switch {
		case name == "objectformat":
			if !strings.EqualFold(value, "sha1") {
				return "its objects are named by " + value
			}
		case name == "refstorage":
			if !strings.EqualFold(value, "files") {
				return "its refs are kept as a " + value
			}
		case !slices.Contains(known, name):
			return "it uses the extension " + name
		}
	}
	return ""
}

// hookMode tells which of the user's hooks run: git config ckpt.hooks.
type hookMode string

const (
	hooksMessage hookMode = ""     // commit-msg only: message policy
	hooksAll     hookMode = "all"  // all, through the git binary
	hooksNone    hookMode = "none" // none
)

func (h Hooks) mode(ctx context.Context) (hookMode, error) {
	value, err := h.repo.Config().Setting(ctx, "ckpt.hooks", "")
	mode := hookMode(value)
	switch mode {
	case hooksMessage, hooksAll, hooksNone:
		return mode, err
	}
	return "", fault.New(fault.Invalid, "git config ckpt.hooks: %q is neither all nor none", value).
		WithHint("git config --unset ckpt.hooks   (runs commit-msg only)")
}

// checkPaths returns an error of kind fault.Refused if git cannot store a file at one of the
// paths.
func (c Committer) checkPaths(files []change.File) error {
	seen := map[string]bool{}
	for _, f := range files {
		for part := range strings.SplitSeq(f.Path, "/") {
			reserved := part == "" || part == "." || part == ".."
			if reserved || strings.EqualFold(part, ".git") {
				return fault.New(fault.Refused, "git cannot store the path %q", f.Path)
			}
		}
		if err := c.checkPath(f.Path, seen); err != nil {
			return err
		}
	}
	return nil
}

// checkPath checks a file and the folders above it, up to the root. The paths in seen are known
// to be valid.
func (c Committer) checkPath(file string, seen map[string]bool) error {
	for at := path.Clean(file); at != "." && at != "/" && !seen[at]; at = path.Dir(at) {
		seen[at] = true
		full := filepath.Join(c.repo.root, filepath.FromSlash(at))
		info, err := os.Lstat(full)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fault.New(fault.Failed, "look at %q: %w", at, err)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return fault.New(fault.Unsupported, "%q is a symbolic link: git would commit the link, not the files", at).
				WithHint("use the folder it points at: --dir")
		}
		if !info.IsDir() {
			continue
		}
		if _, err := os.Lstat(filepath.Join(full, ".git")); err == nil {
			return fault.New(fault.Unsupported, "%q is a repository of its own", at).
				WithHint("run ckpt in there, or choose another folder: --dir")
		}
	}
	return nil
}

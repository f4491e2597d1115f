// Package git is the engine room: it commits exactly the files it is given and
// leaves everything else that the user has (index, working tree, refs, hooks,
// locks of other programs) as it was.
//
// It is the only importer of go-git, which names, stores and reads the objects of
// a commit, and the only caller of the git binary. The index and refs are its own:
// git's worktree functions, in go-git as well as `git commit` itself, take along
// or touch what is not ours. What it cannot do safely it hands to the git
// binary, and what that cannot do either it refuses with fault.Unsupported.
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
	format    format // what the repository's own config says about its shape

	conf    *config          // nil until it is needed
	objects *object.Database // nil until it is needed
	refs    *refs.Store
	lock    *disk.Lock    // our exclusive lock while we have it
	held    *refs.LockSet // index.lock after HoldIndex

	program *program // the git that runs here; shared with copies of the Repo

	signLimit time.Duration
	noFetch   bool // git may not fetch what a partial clone lacks
}

// Offline is the same repository for questions that are not worth a network: where
// a partial clone lacks an object, git refuses and does not fetch it. It may be used
// while another goroutine uses r.
func (r *Repo) Offline() *Repo {
	other := *r
	other.objects, other.lock, other.noFetch = nil, nil, true
	return &other
}

// Root is the working tree's top folder, absolute.
func (r *Repo) Root() string { return r.root }

// CommonDir is the folder that holds the objects and refs, absolute: in a
// linked worktree that of the main one.
func (r *Repo) CommonDir() string { return r.commonDir }

// GitDir returns the folder with this working tree's HEAD and index, absolute.
func (r *Repo) GitDir() string { return r.gitDir }

// JournalDir is where the journal of this working tree lives; it need not exist.
func (r *Repo) JournalDir() string { return filepath.Join(r.gitDir, "ckpt") }

// pathOf returns the file at a slash path from the root.
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

// Locked reports whether this process has the exclusive lock.
func (r *Repo) Locked() bool { return r.lock != nil }

// Refs returns the refs, which are files unless the repository has a reftable.
func (r *Repo) FileRefs() *refs.Store { return r.refs }

// lockWait is how long a ckpt waits for another one, and for git.
const lockWait = 5 * time.Second

// readWait is how long a reader waits for a writer.
const readWait = 500 * time.Millisecond

// Lock keeps other ckpt processes away from this repository and all its
// worktrees until unlock is called; the kernel frees it if the process dies.
// After 5 seconds, half a second for a shared one: fault.Busy naming the process
// that holds it.
func (r *Repo) Lock(ctx context.Context, mode disk.Mode) (unlock func(), err error) {
	if r.lock != nil {
		return func() {}, nil // ours already, and exclusive
	}
	path, wait := r.refs.Locks.File(), lockWait
	if mode == disk.Shared {
		if wait = readWait; !disk.Exists(path) {
			return func() {}, nil // nobody has ever written here
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

// ShareState applies the sharing to ckpt's own files in the git directory, so that
// other users can lock, write the journal and read what waits.
func (r *Repo) ShareState(ctx context.Context) {
	with := r.sharing()
	private := []string{r.Config().configCache(), releaseCache(r)}
	with.ApplyBelow(filepath.Dir(r.refs.Locks.File()), private...)
	if r.gitDir != r.commonDir {
		with.ApplyBelow(r.JournalDir(), private...)
	}
}

// The two cylinders, as [Repo.Cylinder] names them.
const (
	ownCylinder = "ckpt" // trees, index and refs are written by this package
	gitCylinder = "git"  // `git commit --only` does it
)

// Cylinder says who makes the commits in this repository, "ckpt" itself or the
// "git" binary, and why; why is empty where nothing is out of the ordinary.
func (c Committer) Backend(ctx context.Context) (name, why string, err error) {
	if why, err = c.needsGit(ctx); err != nil || why != "" {
		return gitCylinder, why, err
	}
	x, _, err := c.repo.Index().readIndex()
	if err == nil {
		_, err = x.Edit(nil, 0)
	}
	if u, ok := errors.AsType[index.Unsupported](err); ok {
		return ownCylinder, "git updates the index: " + u.Error(), nil
	}
	return ownCylinder, "", err
}

// needsGit is why only the git binary can commit here; "" where ckpt can. It
// looks at what is known of the repository already, and at a few files.
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

// foreign is why the objects or refs here cannot be read by this package; ""
// where they can.
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

// hookMode is which of the user's hooks run: git config ckpt.hooks.
type hookMode string

const (
	hooksMessage hookMode = ""     // commit-msg only: message policy
	hooksAll     hookMode = "all"  // all, through the git binary
	hooksNone    hookMode = "none" // none
)

func (h Hooks) mode(ctx context.Context) (hookMode, error) {
	value, err := h.repo.Config().Setting(ctx, "ckpt.hooks", "")
	switch mode := hookMode(value); mode {
	case hooksMessage, hooksAll, hooksNone:
		return mode, err
	}
	return "", fault.New(fault.Invalid, "git config ckpt.hooks: %q is neither all nor none", value).
		WithHint("git config --unset ckpt.hooks   (runs commit-msg only)")
}

// checkPaths refuses paths that git could not commit, or only as something else.
func (c Committer) checkPaths(files []change.File) error {
	seen := map[string]bool{}
	for _, f := range files {
		for part := range strings.SplitSeq(f.Path, "/") {
			if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
				return fault.New(fault.Refused, "%q is no path that git can hold", f.Path)
			}
		}
		if err := c.checkPath(f.Path, seen); err != nil {
			return err
		}
	}
	return nil
}

// checkWay looks at a file and the folders above it, up to the root; seen are
// those known to be good.
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

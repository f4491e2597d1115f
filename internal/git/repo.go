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
	"os"
	"path/filepath"
	"time"

	"example.com/ckpt/internal/disk"
)

// Repo is a repository with a working tree, as git finds it from a folder.
// It is not safe for use by several goroutines.
type Repo struct {
	root      string // the working tree's top folder
	gitDir    string // this working tree's own: HEAD, index
	commonDir string // shared by linked worktrees: objects, refs, config
	format    format // what the repository's own config says about its shape

	conf    *config // nil until it is needed
	objects *objects
	lock    *disk.Lock // our exclusive lock while it is held
	index   *lockFiles // index.lock while HoldIndex holds it

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

// JournalDir is where the journal of this working tree lives; it need not exist.
func (r *Repo) JournalDir() string { return filepath.Join(r.gitDir, "ckpt") }

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
	path, wait := r.lockFile(), lockWait
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

// InProgress is what git is in the middle of in this working tree: "merge",
// "rebase", "cherry-pick", "revert", "bisect", "commit", or "". "commit" means
// that we run inside a hook of a commit: one of ours under its feet would make
// git give up its own.
func (r *Repo) InProgress() string {
	for _, s := range [...]struct{ file, name string }{
		{"rebase-merge", "rebase"},
		{"rebase-apply", "rebase"},
		{"MERGE_HEAD", "merge"},
		{"CHERRY_PICK_HEAD", "cherry-pick"},
		{"REVERT_HEAD", "revert"},
		{"sequencer", "cherry-pick"}, // between two picks of several
		{"BISECT_LOG", "bisect"},
	} {
		if _, err := os.Lstat(filepath.Join(r.gitDir, s.file)); err == nil {
			return s.name
		}
	}
	// Git sets both for such hooks, and nothing else for other ones.
	if _, inside := os.LookupEnv("GIT_PREFIX"); inside && os.Getenv("GIT_INDEX_FILE") != "" {
		return "commit"
	}
	return ""
}

// indexFile is the index of this working tree, or the one that a hook of git
// was told to use.
func (r *Repo) indexFile() string {
	if file := os.Getenv("GIT_INDEX_FILE"); file != "" {
		return absolute(file)
	}
	return filepath.Join(r.gitDir, "index")
}

// Package git opens a repository, runs git in it, and reads and writes its configuration,
// objects, index and refs. Everything that a caller does not name stays as it was: the user's
// index, working tree, refs and hooks, and the locks of other programs.
//
// Among the packages below it, git/log answers questions about commits, git/changes about what changed since a commit;
// git/commit makes commits; git/remote fetches and pushes. Only this package and those below it start git.
package git

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/git/refs"
)

// Repo is a repository with a working tree, as git finds it from a folder.
// It is not safe for use by several goroutines.
type Repo struct {
	root      string // the working tree's top folder
	gitDir    string // the git folder of this working tree: HEAD, index
	commonDir string // the git folder that linked worktrees share: objects, refs, config
	format    format // the format of the repository, from its own config

	conf    *config // nil until it is needed
	objects *object.Database
	refs    *refs.Store
	lock    *disk.Lock // our exclusive lock, nil if we do not have it
	on      *Checkout  // the checkout from which Head answers; nil means the present one. See During
	Counts  *Counts    // shared with copies of the Repo

	program *program // the git binary; shared with copies of the Repo

	noFetch    bool   // git must not fetch what a partial clone lacks
	headCommit string // the commit that head is assumed to name; see At. Usually empty
	head       string // the ref that Head returns in place of HEAD; see At. Usually empty
}

// Counts counts what a command should do only once. A test keeps the numbers low.
type Counts struct {
	Heads atomic.Int64 // how often HEAD was resolved
	Locks atomic.Int64 // how often ckpt's lock was taken
	Sets  atomic.Int64 // how often the set of checkpoints was loaded
}

// Offline returns the same repository for questions that must not use the network: if a partial clone lacks an object,
// git returns an error and does not fetch it. The result may be used while another goroutine uses r.
func (r *Repo) Offline() *Repo {
	other := *r
	other.lock, other.noFetch = nil, true
	return &other
}

// Root returns the top folder of the working tree, absolute.
func (r *Repo) Root() string { return r.root }

// CommonDir returns the absolute path of the folder with the objects and refs, which all worktrees share.
func (r *Repo) CommonDir() string { return r.commonDir }

// GitDir returns the folder with this working tree's HEAD and index, absolute.
func (r *Repo) GitDir() string { return r.gitDir }

// StateDir returns the folder of ckpt's own files for this working tree. It may not exist yet.
func (r *Repo) StateDir() string { return Folders{GitDir: r.gitDir}.StateDir() }

// Words is the folder in StateDir for the user's messages to agents. Only the user may read its files.
const Words = "words"

// StateDir returns the folder of ckpt's own files for a working tree. It may not exist yet.
func (f Folders) StateDir() string { return filepath.Join(f.GitDir, "ckpt") }

// PathOf returns the file path for a slash path from the root.
func (r *Repo) PathOf(path string) string { return filepath.Join(r.root, filepath.FromSlash(path)) }

// Locked reports whether this process has the exclusive lock of the repository.
func (r *Repo) Locked() bool { return r.lock != nil }

// FileRefs returns the refs that git stores as files. In a repository with a reftable only git can read and move refs.
func (r *Repo) FileRefs() *refs.Store { return r.refs }

// LockWait is how long ckpt waits for a lock of another ckpt or of git.
const LockWait = 5 * time.Second

// readWait is how long a reader waits for the lock of a writer.
const readWait = 500 * time.Millisecond

// Lock takes ckpt's lock of the repository and all its worktrees, until unlock is called or the process dies. An
// exclusive lock excludes all other ckpt processes, and a shared lock only writers. After 5 seconds, or half a second
// for a shared lock, Lock returns fault.Busy with the process that has the lock.
func (r *Repo) Lock(ctx context.Context, mode disk.Mode) (unlock func(), err error) {
	if r.lock != nil {
		return func() {}, nil // we already have the exclusive lock
	}
	path, wait := r.refs.Locks.File(), LockWait
	if mode == disk.Shared {
		wait = readWait
		if !disk.Exists(path) {
			return func() {}, nil // no ckpt has ever written here: there is nothing to wait for
		}
	}
	r.Counts.Locks.Add(1)
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

// Sharing returns the permissions that files of the git directory grant to other users:
// core.sharedRepository. If the configuration cannot be read, they grant none.
func (r *Repo) Sharing() disk.Sharing {
	value, _ := r.Config().Setting(context.Background(), "core.sharedrepository", "")
	return disk.ParseSharing(value)
}

// ShareState applies the sharing to ckpt's own files in the git directory. Other users can then lock, read and write
// them.
func (r *Repo) ShareState(ctx context.Context) {
	with := r.Sharing()
	common, own := filepath.Dir(r.refs.Locks.File()), r.StateDir()
	const sep = string(filepath.Separator)
	private := []string{r.Config().configCache(), filepath.Join(common, Words) + sep, filepath.Join(own, Words) + sep}
	for _, dir := range slices.Compact([]string{common, own}) {
		with.ApplyBelow(dir, private...)
	}
}

// Foreign returns why only git can read and move refs here; "" if ckpt can.
func (s Refs) Foreign() string {
	if name := s.repo.format.extensions["refstorage"]; name != "" && !strings.EqualFold(name, "files") {
		return "its refs are kept as a " + name
	}
	return ""
}

// CheckedOut returns the commit that is checked out if r is a result of [Repo.At], and "" otherwise.
func CheckedOut(r *Repo) (string, error) {
	if r.head == "" {
		return "", nil
	}
	own := *r
	own.head, own.headCommit = "", ""
	head, err := own.Head()
	return head.Hash, err
}

// At returns the same repository with a ref in place of HEAD, as if the ref were at the given commit. An empty commit
// means the one that the ref names. The result has no index, and package commit must not commit in it.
func (r *Repo) At(ref, commit string) *Repo {
	other := *r
	other.head, other.headCommit, other.lock = ref, commit, nil
	return &other
}

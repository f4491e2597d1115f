package git

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

// ErrLeft means that HEAD has changed since an operation began: git has switched to another branch,
// detached HEAD, or begun a rebase, merge, bisect or the like. Nothing was committed.
var ErrLeft = errors.New("git has left the branch that was checked out")

// ErrMoved means that HEAD, its branch or the checkpoint ref has changed since an operation was computed. Nothing was
// committed: the operation must be computed again.
var ErrMoved = errors.New("git moves HEAD, or changes the checkpoints, at the same time")

// Head is what the working tree has checked out.
type Head struct {
	Ref  string // "refs/heads/main"; "" for a detached HEAD
	Hash string // the commit, in hex; "" on a branch without commits
}

// Branch returns the short name of the branch; "" for a detached HEAD.
func (h Head) Branch() string { return strings.TrimPrefix(h.Ref, LocalRefs) }

// Head returns what the working tree has checked out.
func (r *Repo) Head() (Head, error) {
	if r.headCommit != "" {
		return Head{Ref: r.head, Hash: r.headCommit}, nil
	}
	if r.head != "" {
		hash, err := r.Refs().Read(context.Background(), r.head)
		return Head{Ref: r.head, Hash: hash}, err
	}
	if r.on != nil {
		return r.on.Head(), nil
	}
	on, err := r.Refs().head()
	return on.Head(), err
}

// Checkout identifies what is checked out: the refs from HEAD to the branch, the commit, and the operation that git has
// in progress. An operation of ckpt records the checkout when it begins, so that it commits to no other branch. For
// [Repo.Still], the zero value matches anything.
type Checkout struct {
	Refs   []string // "HEAD", then the refs that it resolves to, the branch last; only "HEAD" if it is detached
	commit string   // the hash of the commit; "" on a branch without commits

	InProgress string // the operation that git had in progress; see [Repo.InProgress]
}

// Checkout returns what is checked out, or the checkout that [Repo.During] was given.
func (r *Repo) Checkout() (Checkout, error) {
	if r.on != nil {
		return *r.on, nil
	}
	on, err := r.Refs().head()
	on.InProgress = inProgress(r)
	return on, err
}

// head returns the present checkout, without InProgress.
func (s Refs) head() (Checkout, error) {
	s.repo.Counts.Heads.Add(1)
	if s.Foreign() == "" {
		chain, hash, err := s.repo.refs.Head()
		return Checkout{Refs: chain, commit: hash}, err
	}
	ctx, on := context.Background(), Checkout{Refs: []string{"HEAD"}}
	out, err := s.repo.Git(ctx, nil, "symbolic-ref", "-q", "HEAD")
	if err != nil && ExitCode(err) != 1 { // exit code 1 means a detached HEAD
		return Checkout{}, err
	}
	if ref := strings.TrimSpace(string(out)); ref != "" {
		on.Refs = append(on.Refs, ref)
	}
	on.commit, err = s.RevParse(ctx, "HEAD")
	return on, err
}

// During returns a copy of r whose Head, Checkout and InProgress answer from the given checkout, even if git has
// changed it since. [Repo.Still] returns what is checked out now.
func (r *Repo) During(on Checkout) *Repo {
	other := *r
	other.on = &on
	return &other
}

// Head returns the HEAD of the checkout.
func (c Checkout) Head() Head {
	h := Head{Hash: c.commit}
	if len(c.Refs) > 1 {
		h.Ref = c.Refs[len(c.Refs)-1]
	}
	return h
}

// Same reports whether HEAD is the same in two checkouts.
func (c Checkout) Same(d Checkout) bool { return c.commit == d.commit && slices.Equal(c.Refs, d.Refs) }

// Still returns what is checked out now. The error is ErrLeft if HEAD has left the checkout, or if a merge, rebase
// or the like is in progress.
func (r *Repo) Still(c Checkout) (Checkout, error) {
	now, err := r.Refs().head()
	if err != nil || c.Refs == nil {
		return now, err
	}
	now.InProgress = inProgress(r)
	if now.InProgress != "" || !slices.Equal(c.Refs, now.Refs) {
		err = ErrLeft
	}
	return now, err
}

// Durable returns the options that make git sync what it writes, so that a power cut loses nothing. There are none if
// ckpt.fsync is off. A git before 2.36 syncs objects but not refs.
func (r *Repo) Durable(ctx context.Context) ([]string, error) {
	sync, err := r.Config().Sync(ctx)
	if err != nil || !sync {
		return nil, err
	}
	if v, err := r.gitRelease(ctx); err != nil {
		return nil, err
	} else if v.before(2, 36) {
		return []string{"-c", "core.fsyncObjectFiles=true"}, nil
	}
	return []string{"-c", "core.fsync=all"}, nil
}

// InProgress returns the operation that git has in progress in this working tree: "merge",
// "rebase", "cherry-pick", "revert", "bisect", "commit", or "". "commit" means that we run inside a
// hook of a commit: if ckpt committed there, git would abort its own commit.
func (r *Repo) InProgress() string {
	switch {
	case r.head != "":
		return "" // r follows a ref that is not checked out
	case r.on != nil:
		return r.on.InProgress
	}
	return inProgress(r)
}

func inProgress(r *Repo) string {
	for _, s := range [...]struct{ file, name string }{
		{"rebase-merge", "rebase"},
		{"rebase-apply", "rebase"},
		{"MERGE_HEAD", "merge"},
		{"CHERRY_PICK_HEAD", "cherry-pick"},
		{"REVERT_HEAD", "revert"},
		{"sequencer", "cherry-pick"}, // between two commits of a cherry-pick of several
		{"BISECT_LOG", "bisect"},
	} {
		if disk.Exists(filepath.Join(r.gitDir, s.file)) || r.Refs().inTable(s.file) {
			return s.name
		}
	}
	// Git sets both variables for the hooks of a commit, and for no others.
	if _, inside := os.LookupEnv("GIT_PREFIX"); inside && os.Getenv("GIT_INDEX_FILE") != "" {
		return "commit"
	}
	return ""
}

// inTable reports whether name is CHERRY_PICK_HEAD or REVERT_HEAD and exists in a reftable. Only git can read a
// reftable. To save a process, git is asked only if MERGE_MSG exists, the message of the commit that git is preparing.
func (s Refs) inTable(name string) bool {
	picks := name == "CHERRY_PICK_HEAD" || name == "REVERT_HEAD"
	if !picks || s.Foreign() == "" || !disk.Exists(filepath.Join(s.repo.gitDir, "MERGE_MSG")) {
		return false
	}
	hash, err := s.RevParse(context.Background(), name)
	return err == nil && hash != ""
}

// stateFile returns the content of a file in this working tree's git folder that records an
// operation in progress; "" if the file does not exist.
func (s Refs) stateFile(name string) (string, error) {
	data, err := disk.Bytes(filepath.Join(s.repo.gitDir, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fault.New(fault.Failed, "read %s: %w", name, err)
	}
	return strings.TrimSpace(string(data)), nil
}

// Pseudo returns the value of a pseudo ref such as MERGE_HEAD, or "" if it does not exist.
func (s Refs) Pseudo(ctx context.Context, name string) (string, error) {
	text, err := s.stateFile(name)
	if err != nil || text != "" || s.Foreign() == "" {
		return text, err
	}
	return s.RevParse(ctx, name) // in a reftable only git can read it
}

// Sweep removes what a killed ckpt has left in the git folder: locks, on which git would fail, and
// incomplete files. The caller has the exclusive [Repo.Lock], so no running process uses them.
func (r *Repo) Sweep() error {
	locks, temps, err := leftovers(r)
	if err != nil {
		return err
	}
	for _, lock := range locks {
		if err := disk.Remove(lock); err != nil {
			return fault.New(fault.Failed, "a ckpt that died left a lock: %w", err)
		}
	}
	for _, temp := range temps {
		_ = os.Remove(temp) // if this fails, the file does no harm
	}
	return nil
}

// Leftovers returns the paths that Sweep would remove, relative to the root if they are below it. As for
// Sweep, the caller has the exclusive lock.
func (r *Repo) Leftovers() ([]string, error) {
	locks, temps, err := leftovers(r)
	var all []string
	for _, path := range append(locks, temps...) {
		if rel, err := filepath.Rel(r.root, path); err == nil && filepath.IsLocal(rel) {
			path = filepath.ToSlash(rel)
		}
		all = append(all, path)
	}
	slices.Sort(all)
	return all, err
}

func leftovers(r *Repo) (locks, temps []string, err error) {
	dirs := []string{r.StateDir(), filepath.Dir(r.refs.Locks.File())}
	if r.Refs().Foreign() == "" { // with a reftable, all locks are git's
		on, err := r.Checkout()
		if err != nil {
			return nil, nil, err
		}
		targets := []string{r.Index().File()}
		for _, name := range on.Refs {
			targets = append(targets, r.refs.File(name))
		}
		for _, target := range targets {
			dirs = append(dirs, filepath.Dir(target))
			if lock := target + ".lock"; r.refs.Locks.Ours(lock) {
				locks = append(locks, lock)
			}
		}
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if disk.IsTemp(e.Name()) {
				temps = append(temps, filepath.Join(dir, e.Name()))
			}
		}
	}
	return locks, temps, nil
}

// Refs reads and moves single refs, whatever storage git uses for them.
type Refs struct{ repo *Repo }

// Refs returns the refs of the repository.
func (r *Repo) Refs() Refs { return Refs{repo: r} }

// Log returns the commits that a ref was moved to, the newest first.
func (s Refs) Log(ctx context.Context, ref string) ([]string, error) {
	if s.Foreign() == "" {
		return s.repo.refs.Log(ref)
	}
	out, err := s.repo.Git(ctx, nil, "log", "--walk-reflogs", "--max-count=100", "--format=%H", ref, "--")
	if err != nil {
		return nil, nil // the ref has no reflog
	}
	return strings.Fields(string(out)), nil
}

// BegunFrom returns what a branch was begun from according to its reflog, usually another branch. For a renamed branch
// it returns the former name. If the reflog does not tell, it returns the branch itself.
func (s Refs) BegunFrom(ctx context.Context, branch string) string {
	out, _ := s.repo.Git(ctx, nil, "log", "--walk-reflogs", "--format=%gs", LocalRefs+branch, "--")
	entry := regexp.MustCompile(`(?m)^(?:branch: Created from|Branch: renamed) (?:refs/heads/)?(\S+)`)
	if found := entry.FindSubmatch(out); found != nil {
		branch = string(found[1])
	}
	if branch == "HEAD" {
		out, _ = s.repo.Git(ctx, nil, "check-ref-format", "--branch", "@{-1}") // the branch that was checked out before
		branch = strings.TrimSpace(string(out))
	}
	return branch
}

// Read returns the hash of the object that a ref, given by its full name, refers to. It is "" if
// the ref does not exist.
func (s Refs) Read(ctx context.Context, name string) (string, error) {
	if s.Foreign() == "" {
		return s.repo.refs.Read(name)
	}
	return s.RevParse(ctx, name)
}

// Move sets a ref, which git must store as a file, to a hash. If the ref's hash is not the one in from ("" means that
// the ref does not exist), Move returns [Moved] and changes nothing. If another program does not release the ref's
// lock, Move returns fault.Busy. The caller has ckpt's lock: with it, locks of killed ckpt processes can be recognized.
func (s Refs) Move(ctx context.Context, name, to, from string) error {
	locks := s.repo.refs.Locks.NewSet()
	defer locks.Release()
	file := s.repo.refs.File(name)
	if err := locks.Take(ctx, file, time.Now().Add(LockWait)); err != nil {
		return err
	}
	if now, err := s.Read(ctx, name); err != nil || now != from {
		return cmp.Or(err, Moved(name))
	}
	sync, err := s.repo.Config().Sync(ctx)
	if err != nil {
		return err
	}
	staged, err := s.repo.refs.Stage(name, to)
	if err != nil {
		return err
	}
	defer staged.Drop()
	if sync {
		if err := staged.Sync(); err != nil {
			return err
		}
	}
	if err := staged.Commit(); err != nil || !sync {
		return err
	}
	_ = disk.SyncDir(filepath.Dir(file)) // the ref has moved, so an error is ignored
	return nil
}

// Moved returns the error for one of ckpt's refs that another program has moved: fault.Busy and [ErrMoved].
func Moved(ref string) error {
	return fault.New(fault.Busy, "%s has moved: %w", ref, ErrMoved).WithHint("try again")
}

// RevParse returns the hash of the object that a name refers to, or "".
func (s Refs) RevParse(ctx context.Context, name string) (string, error) {
	out, err := s.repo.Git(ctx, nil, "rev-parse", "-q", "--verify", "--end-of-options", name)
	if ExitCode(err) == 1 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

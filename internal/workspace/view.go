package workspace

import (
	"cmp"
	"context"
	"errors"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// View is the checkpoints folder at one moment. It is the only way to read checkpoints, and it never changes: a
// caller that needs a later moment loads another view.
//
// It has the content of the checkpoint ref, with the edits by hand. The files of the working tree can be older:
// git may have checked out another branch or commit, or be in the middle of a merge.
type View struct {
	*folder.Folder                 // reads the files, or what the ref has in their place
	Set            *checkpoint.Set // the checkpoints of the scope that was asked for

	// Began is HEAD when the operation began. HEAD has moved since if edits by hand were committed first.
	Began git.Head

	settings    Settings
	branch      checkout.Branch    // the checkpoints folder of the worktree
	tip         string             // the commit that the view shows: refTip, or absorbed.Tip on top of it
	needsUpdate bool               // the files can be updated from the ref now, or something can be published
	unpublished string             // a remark on what could not be published yet; usually empty
	moved       string             // a remark that another program moved the ref, and ckpt restored it; usually empty
	took        string             // a remark on what was taken in from the branch or published on it; usually empty
	state       checkout.State     // what the worktree remembers of the checkpoint ref
	refTip      string             // the commit that the ref is at
	absorbed    *checkout.Absorbed // the changes in commits of the branch that the ref lacks; nil if there are none
	found       *checkout.Found    // how the files compare with the ref; nil in ref mode
}

// Branch returns the name of the branch that is checked out, on which an operation begins; "" for a detached HEAD.
func (v *View) Branch() string {
	if v.found != nil {
		return v.state.Branch
	}
	return v.Began.Branch()
}

// Read returns a view with the checkpoints of a scope. The view never shows a part of an operation: Read first
// completes what a killed process left.
func (p *Workspace) Read(ctx context.Context, scope store.Scope) (*View, error) {
	var read *View
	err := p.ReadWith(ctx, func(v *View) (err error) {
		read, err = v.Load(scope)
		return err
	})
	if err != nil {
		return nil, err
	}
	return read, nil
}

// ReadWith is Read for callers that read the files themselves. It calls do with a view without checkpoints, under the
// lock: usually no operation of ckpt changes the files before do returns.
func (p *Workspace) ReadWith(ctx context.Context, do func(*View) error) error {
	v, unlock, err := p.lockToRead(ctx)
	if err == nil && v.needsUpdate {
		unlock()
		remark, _ := p.catchUp(ctx, true) // if it fails, the view has the newest content anyway
		v, unlock, err = p.lockToRead(ctx)
		if err == nil {
			v.moved = cmp.Or(v.moved, remark)
		}
	}
	if err != nil {
		return err
	}
	defer unlock()
	return do(v)
}

// lockToRead returns a view without checkpoints, under a shared lock. If another process has the exclusive lock for
// long, for example while a hook or a signing program runs, lockToRead goes on without a lock.
func (p *Workspace) lockToRead(ctx context.Context) (v *View, unlock func(), err error) {
	unlock, err = p.Repo.Lock(ctx, disk.Shared)
	if fault.KindOf(err) == fault.Busy {
		unlock, err = func() {}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer func() { p.files.Blind = false }()
	for try := range 10 {
		p.files.Blind = try >= 5
		v, err = p.Load(ctx)
		if !errors.Is(err, git.ErrMoved) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil {
		unlock()
	}
	if errors.Is(err, git.ErrMoved) {
		err = fault.New(fault.Busy, "%w", err).WithHint("try again")
	}
	return v, unlock, err
}

// steady returns git.ErrMoved if git has changed files since the view was loaded: what looks like an edit by hand may
// then be from git.
func (v *View) steady(ctx context.Context, files []change.File) error {
	if v.found == nil {
		return nil // git does not track the files
	}
	steady, err := v.found.IsSteady(ctx, files)
	if err == nil && !steady {
		err = git.ErrMoved
	}
	return err
}

// Disk returns the view with the files as they are on disk, and all their checkpoints. If tracked is set, it reads
// the folder that the branches of the code track, even in ref mode, where the checkpoint files are in another folder.
func (v *View) Disk(tracked bool) (*View, error) {
	read := *v
	read.Folder = v.Folder.With(nil, nil)
	if tracked && v.FilesDir != v.Prefix {
		read.Store.Dir, read.FilesDir = v.Repo.PathOf(v.Prefix), v.Prefix
	}
	return read.Load(store.All)
}

// Load returns the view with the checkpoints of a scope.
func (v *View) Load(scope store.Scope) (*View, error) {
	v.Repo.Counts.Sets.Add(1)
	set, err := v.Store.Load(scope)
	if err != nil {
		return nil, err
	}
	return v.WithSet(set), nil
}

// WithSet returns the view with these checkpoints in place of its own.
func (v *View) WithSet(set *checkpoint.Set) *View {
	with := *v
	with.Set = set
	return &with
}

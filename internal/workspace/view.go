package workspace

import (
	"context"
	"maps"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/pending"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// View is the checkpoints folder as one moment saw it. It is the only way to read checkpoints,
// and it never changes: who needs a later moment loads another view.
//
// What it reads can differ from the files of the working tree, by what git is in the middle of
// and by pending operations. During a rebase or a bisect the working tree has another commit
// than the user's own. Then the base files are those of the user's commit: the one that git
// returns to, or that the rebase takes along. If a merge has left a checkpoint file in
// conflict, its base is the file as the user had it. Pending operations are merged with the
// base files.
type View struct {
	*folder.Folder                 // reads the base files, with what is pending
	Set            *checkpoint.Set // the checkpoints of the scope that was asked for
	InProgress     string          // see [git.Repo.InProgress]
	Why            string          // why nothing can be committed now; empty if ckpt can commit
	Pending        *pending.Changes
	Merged         []change.File // the pending files, with the content of the base and the merged content

	settings Settings
	on       git.Checkout     // what HEAD has checked out
	tip      string           // the commit of the checkpoint ref, in ref mode
	moved    string           // that the ref was moved back and put right, in ref mode; usually empty
	written  checkout.State   // what the worktree remembers of that ref, in ref mode
	branch   string           // the branch that a new pending operation belongs to; empty means any
	base     store.Overlay    // the user's own committed versions of files that git is working on
	others   *pending.Changes // operations that are pending until HEAD is on another branch again
	stuck    []pending.File   // pending files that cannot be merged with the base
	remarks  []string         // remarks of the merge
}

// NewView returns a view of a folder with these checkpoints, in which nothing is pending.
func NewView(at *folder.Folder, set *checkpoint.Set, s Settings) *View {
	return &View{Folder: at, Set: set, settings: s}
}

// Read returns a view with the checkpoints of a scope. No operation of ckpt is half done in it:
// what a killed one left behind is settled first.
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

// ReadWith is Read for callers that read the files themselves: no operation of ckpt changes
// them before do returns. The view has no checkpoints yet. ReadWith may call do again.
func (p *Workspace) ReadWith(ctx context.Context, do func(*View) error) error {
	if err := p.RecoverInterrupted(ctx); err != nil {
		return err
	}
	if p.ref != nil && p.locate(ctx) == nil {
		_ = p.ref.refresh(ctx) // the view reads what the files should be
	}
	unlock, err := p.Repo.Lock(ctx, disk.Shared)
	if fault.KindOf(err) == fault.Busy {
		return p.readUnlocked(ctx, do) // the process with the lock runs a hook or a signing program
	}
	if err != nil {
		return err
	}
	defer unlock()
	v, err := p.Load(ctx)
	if err != nil {
		return err
	}
	return do(v)
}

// readUnlocked reads while another process holds the lock but has not yet changed a file, so
// that the files are those before its operation. If a journal appears meanwhile, it tries
// again.
func (p *Workspace) readUnlocked(ctx context.Context, do func(*View) error) error {
	for range 10 {
		before, err := disk.Moment(p.Repo.JournalDir())
		if err != nil {
			return err
		}
		v, err := p.Load(ctx)
		if err != nil {
			return err
		}
		err = do(v)
		if after, busy := disk.Moment(p.Repo.JournalDir()); busy == nil && after == before && after != "" {
			return err
		}
	}
	return fault.New(fault.Busy, "another ckpt is changing the files").WithHint("try again")
}

// Load returns a view without checkpoints. If no merge or the like is in progress and nothing is
// pending, it costs a few calls of stat. The caller must hold the lock.
func (p *Workspace) Load(ctx context.Context) (*View, error) {
	on, err := p.Repo.Checkout()
	if err != nil {
		return nil, err
	}
	v := NewView(p.folder(), nil, p.Settings)
	v.on = on
	if p.ref != nil {
		return p.ref.load(ctx, v)
	}
	v.InProgress = p.Repo.InProgress()
	if v.InProgress != "" {
		v.Why = "a " + v.InProgress + " is in progress"
		v.base, err = baseFiles(ctx, v.Folder)
		if err != nil {
			return nil, err
		}
		v.Folder = v.Folder.With(v.base)
	}
	waiting, err := pending.Of(p.Repo).Load(ctx)
	if err != nil || waiting == nil {
		return v, err
	}
	elsewhere, err := pending.Of(p.Repo).ForOtherBranch(ctx, waiting, on)
	if err != nil {
		return nil, err
	}
	if elsewhere {
		v.others = waiting
		return v, nil
	}
	return v.WithPending(ctx, waiting)
}

// baseFiles returns the files of the folder that git is working on, as the user's own commit
// has them. No other function decides which files a view reads in place of those on disk
// before anything is pending.
func baseFiles(ctx context.Context, at *folder.Folder) (store.Overlay, error) {
	head, err := at.Repo.Objects().Tree(at.Prefix)
	if err != nil {
		return nil, err
	}
	conflicts, err := log.Of(at.Repo).Conflicts(ctx, at.Prefix)
	if err != nil {
		return nil, err
	}
	own := head
	origin, err := at.Repo.Branches().Origin(ctx)
	if err != nil {
		return nil, err
	}
	if origin != "" {
		own, err = at.Repo.Objects().TreeAt(ctx, origin, at.Prefix)
		if err != nil {
			return nil, err
		}
	}
	files := store.Overlay{}
	for _, names := range []map[string]string{own, head} {
		for rel := range names {
			_, done := files[rel]
			same := own[rel] == head[rel] && !conflicts[rel]
			if done || same || !store.Keeps(rel) {
				continue
			}
			if clean, err := at.IsClean(rel, head[rel]); err != nil {
				return nil, err
			} else if !clean && !conflicts[rel] {
				continue // the file was edited by hand
			}
			files[rel], err = folder.Blob(at.Repo, own[rel])
			if err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// WithPending returns the view as it is if these operations are pending, and no others. Nil
// means none.
func (v *View) WithPending(ctx context.Context, waiting *pending.Changes) (*View, error) {
	with := *v
	with.Folder = v.Folder.With(v.base)
	with.Pending = waiting
	with.others = nil
	merged := &pendingMerge{}
	if waiting != nil {
		var err error
		merged, err = mergePending(ctx, with.Folder, waiting)
		if err != nil {
			return nil, err
		}
	}
	with.Merged = merged.files
	with.stuck = merged.stuck
	with.remarks = merged.remarks
	laid := store.Overlay{}
	maps.Copy(laid, v.base)
	for _, f := range merged.files {
		laid[f.Path] = f.After
	}
	with.Folder = v.Folder.With(laid)
	return &with, nil
}

// Disk returns the view with the files as they are on disk, and the checkpoints of a scope.
func (v *View) Disk(scope store.Scope) (*View, error) {
	return v.onDisk().Load(scope)
}

// onDisk returns the view with the files as they are on disk.
func (v *View) onDisk() *View {
	read := *v
	read.Folder = v.Folder.With(nil)
	return &read
}

// Load returns the view with the checkpoints of a scope.
func (v *View) Load(scope store.Scope) (*View, error) {
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

// because returns the view with a reason why nothing can be committed now.
func (v *View) because(why string) *View {
	with := *v
	with.Why = why
	return &with
}

package workspace

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/reftip"
	"example.com/ckpt/internal/workspace/store"
)

// refMode is the checkpoint ref of a repository, and the files of this worktree.
type refMode struct {
	mode     policy.Commit // what is published of the ref
	ref      ckptref.Ref
	checkout *checkout.Checkout
	finder   reftip.Finder
	blind    bool // see [checkout.Branch.Blind]
}

// branch returns the files of this worktree, unless they are on no branch of the code.
func (m *refMode) branch() checkout.Branch {
	return checkout.Branch{Checkout: m.checkout, Ref: m.ref, Blind: m.blind}
}

// findRef returns the checkpoint ref. The mode is that of git config, else that of config.yaml. Whoever
// reads the policy reports an invalid one.
func (p *Workspace) findRef(ctx context.Context) (*refMode, error) {
	mode, err := configuredMode(ctx, p.Repo)
	if err != nil && fault.KindOf(err) != fault.Invalid {
		return nil, err
	}
	cfg, _ := p.Disk.Config()
	if cfg.Commit.Newer() {
		return nil, fault.New(fault.Invalid, "this repository needs a newer ckpt (commit: %s in %s)", cfg.Commit,
			p.Prefix+"/"+store.ConfigFile).WithHint("ckpt version; this one knows own, ref and off")
	}
	mode = cmp.Or(mode, cfg.Commit, policy.Own)
	ref, err := ckptref.Of(ctx, p.Repo)
	if err != nil {
		return nil, err
	}
	files := checkout.Open(p.Repo, p.Prefix)
	if mode != policy.Ref {
		files = checkout.OnBranch(p.Repo, p.Prefix, ref).Checkout
	}
	return &refMode{mode: mode, ref: ref, checkout: files, finder: reftip.Finder{Ref: ref, Checkout: files}}, nil
}

// update returns the commit of the ref, and what brings the files of the worktree to it.
func (m *refMode) update(ctx context.Context, on git.Checkout) (tip string, u *checkout.Update, err error) {
	tip, err = m.finder.Find(ctx)
	if err != nil {
		return "", nil, err
	}
	if tip == "" && m.checkout.Repo.Locked() { // the mode has begun with what a branch has
		made, err := checkout.OnBranch(m.checkout.Repo, m.checkout.Prefix, m.ref).Absorb(ctx, on, tip, time.Time{})
		if err == nil {
			err = made.Land(ctx)
		}
		if err != nil {
			return "", nil, err
		}
		if made != nil {
			tip = made.Tip
		}
	}
	u, err = m.checkout.Plan(ctx, tip, on.Branch())
	if err != nil && tip != "" && !log.Of(m.checkout.Repo).HasCommit(ctx, tip) {
		err = m.finder.Broken(ctx, tip)
	}
	return tip, u, err
}

// load completes a view. With the exclusive lock it takes in what commits of the branch have brought, or
// brings the files of a worktree to the ref; otherwise the view reads what the files should be in place of
// them.
func (m *refMode) load(ctx context.Context, v *View, now time.Time) (*View, error) {
	if m.mode != policy.Ref {
		return m.loadBranch(ctx, v, now)
	}
	tip, u, err := m.update(ctx, v.on)
	if err != nil {
		return nil, err
	}
	v.tip, v.written, v.moved = tip, u.State(), m.finder.Remark
	if u.Empty() {
		return v, nil
	}
	if v.Repo.Locked() {
		return v, m.checkout.Apply(u)
	}
	laid := store.Overlay{}
	for _, f := range u.Files {
		laid[f.Path] = f.After
	}
	v.Folder = v.Folder.With(laid)
	return v, nil
}

// loadBranch is load where the branches of the code have the files.
func (m *refMode) loadBranch(ctx context.Context, v *View, now time.Time) (*View, error) {
	tip, err := m.finder.Find(ctx)
	if err != nil {
		return nil, err
	}
	v.moved = m.finder.Remark
	if v.Repo.Locked() {
		if err := m.branch().Recover(ctx); err != nil {
			return nil, err
		}
		v.refTip = tip
		v.absorbed, err = m.branch().Absorb(ctx, v.on, tip, now)
		if err != nil {
			return nil, err
		}
		if v.absorbed != nil {
			tip, v.took = v.absorbed.Tip, v.absorbed.Remark
		}
	}
	v.found, err = m.branch().Compare(ctx, v.on, tip)
	if err != nil {
		return nil, err
	}
	shown := v.found.State.Shown
	choose := func(marked []*checkpoint.Checkpoint) *checkpoint.Checkpoint {
		for _, c := range marked {
			if c.ID == shown {
				return c
			}
		}
		return slices.MinFunc(marked, checkpoint.LatestFirst)
	}
	v.tip, v.written = tip, v.found.State
	v.unpublished = m.branch().Waits(v.on)
	if tip != "" { // else the branch has all there is
		v.Folder = v.Folder.With(v.found.Laid)
		v.Folder.Commits = m.ref.At(tip)
	}
	v.Folder = v.Folder.Choosing(choose)
	return v, nil
}

// refresh brings the files of the worktree to the ref, for people and programs that read them. A view does not
// need it: it reads what the files should be.
func (p *Workspace) refresh(ctx context.Context) error {
	if p.ref.mode != policy.Ref {
		return p.refreshBranch(ctx)
	}
	m := p.ref
	repo := m.checkout.Repo
	on, err := repo.Checkout()
	if err != nil {
		return err
	}
	tip, u, err := m.update(ctx, on)
	if err != nil {
		return err
	}
	if done := u.Empty() && !m.finder.Moves; done && tip != "" {
		return nil
	}
	unlock, err := repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	_, u, err = m.update(ctx, on)
	if err != nil {
		return err
	}
	return m.checkout.Apply(u)
}

// refreshBranch publishes what could not be published before.
func (p *Workspace) refreshBranch(ctx context.Context) error {
	b := p.ref.branch()
	tip, err := p.ref.ref.Tip(ctx)
	if err != nil {
		return err
	}
	if behind, err := b.IsBehind(tip); !behind || err != nil {
		return err
	}
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	v, err := p.Load(ctx)
	if err != nil {
		return err
	}
	if v.absorbed != nil && v.tip != v.refTip {
		return nil // the next operation takes in what is new first
	}
	if err := v.absorbed.Land(ctx); err != nil {
		return err
	}
	return p.publishOwed(ctx, v)
}

// publishOwed publishes what could not be published before.
func (p *Workspace) publishOwed(ctx context.Context, v *View) error {
	cfg, err := v.Policy(ctx)
	if err != nil || v.found == nil {
		return err
	}
	publishing := checkout.Publishing{Commits: cfg.Commit == policy.Own, Now: p.Now()}
	if p.ref.branch().Lacks(v.found) {
		missing, err := v.MissingKeepFiles() // an operation that was not published has added none
		if err != nil {
			return err
		}
		for _, rel := range missing {
			publishing.Besides = append(publishing.Besides, change.File{Path: rel, After: []byte{}})
		}
	}
	_, err = p.ref.branch().Publish(ctx, v.on, v.found, v.tip, publishing)
	if publishing.Commits {
		p.ref.branch().PublishElsewhere(ctx, v.found, v.tip, p.Now())
	}
	return err
}

// FilesBehind returns why the files of the worktree cannot be brought to the checkpoint ref, or nil.
func (p *Workspace) FilesBehind(ctx context.Context) error {
	err := p.refresh(ctx)
	if fault.KindOf(err) == fault.Busy || errors.Is(err, disk.ErrChanged) || errors.Is(err, git.ErrMoved) {
		return nil // the next command does it
	}
	return err
}

// CheckpointRef returns the checkpoint ref and the files of this worktree.
func (p *Workspace) CheckpointRef() (ckptref.Ref, *checkout.Checkout) {
	return p.ref.ref, p.ref.checkout
}

// MoveRef moves the checkpoint ref from a commit ("" for none) to one that contains it, and brings
// the files of the worktree to it. If the ref has moved meanwhile it returns git.ErrMoved.
func (p *Workspace) MoveRef(ctx context.Context, from, to, why string) error {
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	err = p.ref.ref.Move(ctx, to, from, why)
	unlock()
	if fault.KindOf(err) == fault.Busy {
		return git.ErrMoved
	}
	if err == nil {
		_ = p.refresh(ctx) // the ref has moved, which is what counts
	}
	return err
}

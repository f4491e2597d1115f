package workspace

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/recorder"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/base"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/reftip"
	"example.com/ckpt/internal/workspace/store"
)

// findRef finds the checkpoint ref and the files of this worktree, and sets the fields that depend on the commit
// mode. Git config takes precedence over config.yaml. An invalid mode is ignored; [View.Policy] reports it.
func (p *Workspace) findRef(ctx context.Context) error {
	dir, s := p.Repo.PathOf(p.Prefix), p.Settings
	p.Disk = &store.Store{Dir: dir, PolicyDir: dir, Root: p.Repo.Root()}
	mode, err := configuredMode(ctx, p.Repo)
	if err != nil && fault.KindOf(err) != fault.Invalid {
		return err
	}
	cfg, _ := p.Disk.Config()
	if cfg.Commit.Newer() {
		return fault.New(fault.Invalid, "this repository needs a newer ckpt (commit: %s in %s)", cfg.Commit,
			p.Prefix+"/"+store.ConfigFile).WithHint("ckpt version; this one knows own, ref and off")
	}
	p.mode = cmp.Or(mode, cfg.Commit, policy.Own)
	ref, err := ckptref.Of(ctx, p.Repo)
	p.files = checkout.OnBranch(p.Repo, p.Prefix, ref)
	if p.mode == policy.Ref {
		p.files = checkout.Open(p.Repo, p.Prefix, ref)
	}
	p.Commits = ref.At("")
	if p.Publishes() {
		if tip, err := ref.Tip(ctx); tip == "" && err == nil {
			p.Commits = p.Repo // until the first operation all checkpoints are on the branch
		}
	}
	p.Disk.Dir = p.files.Dir
	p.Base = base.Finder{Folder: p.folder(p.Repo)}
	p.Recorder = &recorder.Recorder{
		Repo: p.Repo, Prefix: p.FilesDir(), Agent: s.Agent, Session: s.Session, Subagent: s.Subagent, Now: s.Now,
		Config: p.Disk.Config, Pinned: strings.TrimPrefix(strings.Trim(path.Base("/"+s.Env("CKPT_ID")), "/@"), "chk-"),
	}
	return err
}

// Load returns a view of this moment, without checkpoints. The caller must have the lock. Under an exclusive lock,
// Load first completes what a killed command began, perhaps a migration. Then it takes in changes from new commits of
// the branch or, in ref mode, updates the files of the worktree from the ref. Under a shared lock it makes these
// changes in memory only.
func (p *Workspace) Load(ctx context.Context) (*View, error) {
	if p.Repo.Locked() {
		if err := checkout.OnBranch(p.Repo, p.Prefix, p.files.Ref).Recover(ctx, p.SetMode); err != nil {
			return nil, err
		}
	}
	on, err := p.Repo.Checkout()
	if err != nil {
		return nil, err
	}
	repo := p.Repo.During(on)
	v := &View{Folder: p.folder(repo).With(nil, nil), settings: p.Settings}
	v.Store.Committed = func(rel string) *checkpoint.Checkpoint {
		src, _ := v.LastCommitted(ctx, rel) // if it cannot be read, it is not known to be a checkpoint
		c, _ := checkpoint.Parse(rel, src)
		return c
	}
	v.Began = on.Head()
	v.branch = p.files.During(on)
	finder := reftip.Finder{Branch: v.branch}
	v.refTip, err = finder.Find(ctx)
	if err != nil {
		return nil, err
	}
	v.tip, v.moved, v.needsUpdate = v.refTip, finder.Remark, finder.Moves
	if p.mode == policy.Ref {
		err = v.loadApart(ctx)
	} else {
		err = v.loadBranch(ctx, p.Now())
		if err == nil && (p.mode == policy.Own || repo.InProgress() != "") { // mode off writes files at once if git is idle
			v.unpublished = v.branch.Waits(v.found)
		}
	}
	if err != nil && v.tip != "" && !log.Of(repo).HasCommit(v.tip) {
		err = finder.Broken(ctx, v.tip)
	}
	if v.tip != "" { // otherwise all checkpoints are on the branch
		v.Commits = p.files.Ref.At(v.tip)
	}
	return v, err
}

// loadApart completes a view in ref mode, where the files are on no branch of the code.
func (v *View) loadApart(ctx context.Context) error {
	if v.tip == "" && v.Repo.Locked() { // create the ref from the checkpoints of the branch
		made, err := checkout.OnBranch(v.Repo, v.Prefix, v.branch.Ref).Absorb(ctx, "", time.Time{})
		if err == nil {
			err = made.MoveRef(ctx)
		}
		if err != nil {
			return err
		}
		if made != nil {
			v.tip, v.refTip = made.Tip, made.Tip
		}
	}
	found, err := v.branch.Compare(ctx, v.tip, nil, nil)
	if err != nil {
		return err
	}
	v.state = found.State
	if !found.IsBehind() {
		return nil
	}
	if v.Repo.Locked() {
		_, err := v.branch.Publish(ctx, found, v.tip, checkout.Publishing{})
		return err
	}
	v.needsUpdate = true
	v.Folder = v.Folder.With(found.Laid, found.Edited)
	return nil
}

// loadBranch completes a view in the commit modes own and off: the files are on the branches of the code.
func (v *View) loadBranch(ctx context.Context, now time.Time) (err error) {
	if err := v.Store.CheckLinks("."); err != nil {
		return err
	}
	if v.Repo.Locked() {
		v.absorbed, err = v.branch.Absorb(ctx, v.tip, now)
		if err != nil {
			return err
		}
		if v.absorbed != nil {
			v.tip, v.took = v.absorbed.Tip, v.absorbed.Remark
		}
	}
	v.found, err = v.branch.Compare(ctx, v.tip, nil, nil)
	if err != nil {
		return err
	}
	v.state = v.found.State
	restores := v.needsUpdate && v.tip != ""
	v.needsUpdate = restores || v.branch.IsBehind(v.found, v.tip)
	v.Folder = v.Folder.With(v.found.Laid, v.found.Edited)
	v.Folder.Store.Choose = func(marked []*checkpoint.Checkpoint) *checkpoint.Checkpoint {
		for _, c := range marked {
			if c.ID == v.state.Current() {
				return c
			}
		}
		return slices.MinFunc(marked, checkpoint.LatestFirst)
	}
	return nil
}

// catchUp updates the files of the worktree from the ref and publishes what could not be published before. It does so
// for people and programs that read the files; views have the newest content anyway. If another program has moved the
// ref, catchUp restores it and returns a remark. For owed see publishOwed.
func (p *Workspace) catchUp(ctx context.Context, owed bool) (remark string, err error) {
	v, unlock, err := p.lockForChange(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	if v.absorbed != nil && v.tip != v.refTip {
		return v.moved, nil // the branch has new changes, which the next operation takes in first
	}
	if err := v.absorbed.MoveRef(ctx); err != nil {
		return v.moved, err
	}
	return v.moved, p.publishOwed(ctx, v, owed)
}

// publishOwed publishes what could not be published before. Unless owed is set, it also publishes again what the
// branch has lost since, for example by `git reset`. If it commits or writes files, the view gets a remark.
func (p *Workspace) publishOwed(ctx context.Context, v *View, owed bool) error {
	if v.found == nil {
		return nil // in ref mode nothing is published
	}
	cfg, err := v.Policy(ctx)
	if err != nil {
		return err
	}
	publishing := checkout.Publishing{
		Commits: cfg.Commit == policy.Own, Later: p.mode == policy.Own, Owed: owed, Now: p.Now(),
	}
	if owed && publishing.Commits && commit.Of(p.Repo).RunsPrograms(ctx) {
		return nil // a reader does not wait for hooks and signing programs
	}
	made, err := v.branch.Publish(ctx, v.found, v.tip, publishing)
	if made != "" && v.took == "" {
		v.took = "published what was pending [" + made[:7] + "]"
	} else if v.found.Wrote > 0 && v.took == "" {
		v.took = "wrote " + text.Count(v.found.Wrote, "file") + " from the store"
	}
	if publishing.Commits {
		v.branch.PublishElsewhere(ctx, v.found, v.tip, p.Now())
	}
	return err
}

// FilesBehind updates the files if they are behind the checkpoint ref. It ignores an error that may be gone when the
// next command tries again.
func (p *Workspace) FilesBehind(ctx context.Context) error {
	v, err := p.Load(ctx)
	if err == nil && v.needsUpdate {
		_, err = p.catchUp(ctx, false)
	}
	if err == nil && v.found != nil && len(v.found.Linked) > 0 {
		err = fault.New(fault.Unsupported, "%s is a symbolic link", v.FromRoot(v.found.Linked[0])).
			WithHint("commit the file that it names in its place")
	}
	later := errors.Is(err, git.ErrMoved) || errors.Is(err, git.ErrLeft) // as on a detached HEAD
	busy := fault.KindOf(err) == fault.Busy && !errors.Is(err, commit.ErrSigner)
	if later || busy || errors.Is(err, disk.ErrChanged) {
		return nil // the next command does it
	}
	return err
}

// Files returns the files of this worktree and the checkpoint ref.
func (p *Workspace) Files() checkout.Branch { return p.files }

// MoveRef moves the checkpoint ref from one commit ("" for none) to a descendant of it, and updates the files
// of the worktree. It returns git.ErrMoved if the ref is not at from any more.
func (p *Workspace) MoveRef(ctx context.Context, from, to, why string) error {
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	err = p.files.Ref.Move(ctx, to, from, why)
	unlock()
	if err == nil {
		_, _ = p.catchUp(ctx, false) // if it fails, the next command updates the files
	}
	return err
}

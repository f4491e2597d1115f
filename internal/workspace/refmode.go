package workspace

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/reftip"
	"example.com/ckpt/internal/workspace/store"
)

// refMode is the checkpoint ref of a repository in ref mode, and the files of this worktree.
type refMode struct {
	ref      ckptref.Ref
	checkout *checkout.Checkout
	finder   reftip.Finder
}

// configuredMode returns the commit mode of git config ckpt.commit, or "".
func configuredMode(ctx context.Context, repo *git.Repo) (policy.Commit, error) {
	value, ok, err := repo.Config().Get(ctx, "ckpt.commit")
	if err != nil || !ok {
		return "", err
	}
	mode, err := policy.ParseCommit(value)
	if err != nil {
		return "", fault.New(fault.Invalid, "git config ckpt.commit: %w", err)
	}
	return mode, nil
}

// findRef returns the checkpoint ref if the repository is in ref mode: by git config, else by
// config.yaml, else because the ref exists. An old branch without config.yaml does not fall back
// to another mode.
func (p *Workspace) findRef(ctx context.Context) (*refMode, error) {
	mode, err := configuredMode(ctx, p.Repo)
	if fault.KindOf(err) == fault.Invalid {
		return nil, nil // whoever reads the policy reports it
	}
	if err != nil {
		return nil, err
	}
	cfg, err := p.Disk.Config()
	if cfg.Commit.Newer() {
		return nil, fault.New(fault.Invalid, "this repository needs a newer ckpt (commit: %s in %s)", cfg.Commit,
			p.FromRoot(store.ConfigFile)).WithHint("ckpt version; this one knows own, ref and off")
	}
	switch {
	case mode != "":
	case err != nil:
		return nil, nil // as above
	default:
		mode = cfg.Commit
	}
	if mode != "" && mode != policy.Ref {
		return nil, nil
	}
	ref, err := ckptref.Of(ctx, p.Repo)
	if err != nil {
		return nil, err
	}
	if mode == "" {
		if tip, err := ref.Tip(ctx); tip == "" || err != nil {
			return nil, err
		}
	}
	files, err := checkout.Open(p.Repo, p.Prefix)
	return &refMode{ref: ref, checkout: files, finder: reftip.Finder{Ref: ref, Checkout: files}}, err
}

// locate decides in which folder the files are, and moves them there; see [checkout.Checkout].
func (p *Workspace) locate(ctx context.Context) error {
	if p.ref == nil {
		return nil
	}
	tip, err := p.ref.ref.Tip(ctx)
	if tip != "" && err == nil { // else nothing is to be written
		err = p.ref.checkout.Locate(ctx, p.ref.ref.Name())
	}
	p.Disk.Dir = p.ref.checkout.Dir
	return err
}

// CheckMode refuses a change of the commit mode that would leave checkpoints behind. The empty
// mode is no change.
func (p *Workspace) CheckMode(ctx context.Context, mode policy.Commit) error {
	isRef, willBeRef := p.ref != nil, mode == policy.Ref
	if mode == "" || isRef == willBeRef {
		return nil
	}
	if p.ref != nil {
		if tip, err := p.ref.ref.Tip(ctx); tip == "" || err != nil {
			return err
		}
		return fault.New(fault.Refused, "the checkpoints are on %s", p.ref.ref.Name()).WithHint("ckpt migrate --to own")
	}
	tree, err := p.folder().Committed(store.All)
	if err != nil {
		return err
	}
	for rel := range tree {
		if checkout.Written(rel) && rel != store.Learnings {
			return fault.New(fault.Refused, "this branch has checkpoints in %s/", p.Prefix).WithHint("ckpt migrate --to ref")
		}
	}
	return nil
}

// SetMode records the commit mode in the clone's own configuration where that is needed: a branch
// without config.yaml must not fall back to another mode than ref, and a mode that was set before
// must not prevail.
func (p *Workspace) SetMode(ctx context.Context, mode policy.Commit) error {
	set, err := configuredMode(ctx, p.Repo)
	if err != nil || set == mode {
		return err
	}
	if set == "" && mode != policy.Ref {
		return nil
	}
	_, err = p.Repo.Run(ctx, "config", "--local", "ckpt.commit", string(mode))
	return err
}

// update returns the commit of the ref, and what brings the files of the worktree to it.
func (m *refMode) update(ctx context.Context, on git.Checkout) (tip string, u *checkout.Update, err error) {
	tip, err = m.finder.Find(ctx)
	if err != nil {
		return "", nil, err
	}
	u, err = m.checkout.Plan(ctx, tip, on.Branch())
	if err != nil && tip != "" && !log.Of(m.checkout.Repo).HasCommit(ctx, tip) {
		err = m.finder.Broken(ctx, tip)
	}
	return tip, u, err
}

// load completes a view in ref mode. With the exclusive lock it brings the files of the worktree
// to the ref; otherwise the view reads what they should be in place of them.
func (m *refMode) load(ctx context.Context, v *View) (*View, error) {
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

// refresh brings the files of the worktree to the ref, for people and programs that read them. A view
// does not need it: it reads what the files should be.
func (m *refMode) refresh(ctx context.Context) error {
	repo := m.checkout.Repo
	on, err := repo.Checkout()
	if err != nil {
		return err
	}
	if _, u, err := m.update(ctx, on); err != nil || u.Empty() && !m.finder.Moves {
		return err
	}
	unlock, err := repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	_, u, err := m.update(ctx, on)
	if err != nil {
		return err
	}
	return m.checkout.Apply(u)
}

// FilesBehind returns why the files of the worktree cannot be brought to the checkpoint ref, or nil.
func (p *Workspace) FilesBehind(ctx context.Context) error {
	err := p.locate(ctx)
	if err == nil && p.ref != nil {
		err = p.ref.refresh(ctx)
	}
	if fault.KindOf(err) == fault.Busy || errors.Is(err, disk.ErrChanged) || errors.Is(err, git.ErrMoved) {
		return nil // the next command does it
	}
	return err
}

// CheckpointRef returns the checkpoint ref and the files of this worktree. The files are nil in
// the other modes.
func (p *Workspace) CheckpointRef() (ckptref.Ref, *checkout.Checkout) {
	if p.ref == nil {
		return ckptref.Ref{}, nil
	}
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
		_ = p.ref.refresh(ctx) // the ref has moved, which is what counts
	}
	return err
}

// commitToRef makes the change in ref mode: one commit, one compare-and-set of the ref, which is
// the operation, and then the files. After a death in between, the next command writes them.
func (a *applying) commitToRef(ctx context.Context) error {
	m, v := a.w.ref, a.view
	if v.tip == "" {
		if err := m.checkout.Begin(ctx, m.ref.Name()); err != nil {
			return err
		}
	}
	if err := a.unchangedOnDisk(); err != nil {
		return err
	}
	chosen, changed, err := a.chosen()
	if err != nil {
		return err
	}
	parent := v.tip
	if parent == "" {
		parent, err = m.ref.Root(ctx)
		if err != nil {
			return err
		}
	}
	spec := commit.Spec{Parents: []string{parent}, Message: Message(a.cfg, a.tx) + a.refTrailers(), Time: a.now}
	spec.Files, spec.Contents, err = a.refFiles(ctx, chosen, changed)
	if err != nil {
		return err
	}
	tip := v.tip
	if len(spec.Files) > 0 {
		tip, err = m.ref.Store(ctx, spec)
		if err != nil {
			return err
		}
	}
	if changed {
		if err := m.checkout.Announce(v.written, tip, chosen); err != nil {
			return err
		}
	}
	if tip != v.tip {
		subject, _, _ := strings.Cut(spec.Message, "\n")
		if err := m.ref.Move(ctx, tip, v.tip, subject); err != nil {
			if fault.KindOf(err) == fault.Busy {
				return git.ErrMoved
			}
			return err
		}
		a.receipt.Commit = tip
	} else {
		a.receipt.Pending = "in this worktree"
	}
	err = m.checkout.Advance(v.written, tip, a.tx.Files.Files, chosen, changed)
	if err != nil && (changed || tip != v.tip) { // the operation is done, and the next command writes the files
		a.receipt.Remarks = append(a.receipt.Remarks, "the files are not up to date yet: "+err.Error())
		return nil
	}
	return err
}

// unchangedOnDisk returns disk.ErrChanged if a file is not as the transaction found it.
func (a *applying) unchangedOnDisk() error {
	for _, f := range a.tx.Files.Files {
		src, err := a.w.Disk.OnDisk(f.Path)
		if err != nil {
			return err
		}
		found := f.Before
		if a.tx.Mode == Save {
			found = f.After
		}
		if !change.Same(src, found) {
			return disk.ErrChanged
		}
	}
	return nil
}

// chosen returns the id of the checkpoint that is current after the transaction, or
// [checkout.None], and whether that is a change. It is one, too, if the file marks the checkpoint as
// current but the worktree's state does not record it.
func (a *applying) chosen() (id string, changed bool, err error) {
	before, after := checkout.None, checkout.None
	if c := a.view.Set.Current(); c != nil {
		before = c.ID
	}
	set, err := a.tx.Applied(a.view.Set)
	if err != nil {
		return "", false, err
	}
	if c := set.Current(); c != nil {
		after = c.ID
	}
	changed = before != after || after != checkout.None && after != a.view.written.Shown
	return after, changed, nil
}

// refFiles returns the files of the commit that differ from the ref's. If changed is set, the file with
// the choice of the current checkpoint is one of them.
func (a *applying) refFiles(ctx context.Context, chosen string, changed bool) (map[string]git.Entry, map[string][]byte,
	error) {
	var written []change.File
	var paths []string
	for _, f := range a.tx.Files.Files {
		if checkout.Written(f.Path) {
			written, paths = append(written, f), append(paths, a.view.InTree(f.Path))
		}
	}
	tree, err := a.w.Repo.Objects().EntriesIn(ctx, a.view.tip, paths)
	if err != nil {
		return nil, nil, err
	}
	files, contents := map[string]git.Entry{}, map[string][]byte{}
	for i, f := range written {
		path, was := paths[i], tree[paths[i]].Hash
		if f.Gone() {
			if was != "" {
				files[path] = git.Entry{}
			}
			continue
		}
		if same, err := checkout.Same(a.w.Repo, f.Path, f.After, was); err != nil {
			return nil, nil, err
		} else if same {
			continue
		}
		files[path], contents[path] = git.FileEntry(""), checkout.Shared(f.Path, f.After)
	}
	branch := a.view.on.Branch()
	if !changed || branch == "" {
		return files, contents, nil
	}
	at := a.view.InTree(checkout.CurrentFolder + "/" + branch)
	files[at], contents[at] = git.FileEntry(""), []byte(chosen+"\n")
	return files, contents, a.dropBranches(ctx, branch, files)
}

// dropBranches removes the choices for branches that cannot exist beside this branch: "a" and "a/b"
// cannot both exist.
func (a *applying) dropBranches(ctx context.Context, branch string, files map[string]git.Entry) error {
	all, err := a.w.Repo.Objects().TreeAt(ctx, a.view.tip, a.view.InTree(checkout.CurrentFolder))
	for _, other := range slices.Sorted(maps.Keys(all)) {
		if strings.HasPrefix(other, branch+"/") || strings.HasPrefix(branch, other+"/") {
			files[a.view.InTree(checkout.CurrentFolder+"/"+other)] = git.Entry{}
		}
	}
	return err
}

// refTrailers names where the operation was made: a commit on the ref does not tell.
func (a *applying) refTrailers() string {
	head, _ := a.w.Repo.Head() // without a commit the trailer is left out
	maker := ckptref.Maker{
		Folder: filepath.Base(a.w.Repo.Root()), Worktree: a.view.written.Worktree, Agent: a.w.Agent, Session: a.w.Session,
	}
	return maker.Trailers(a.view.on.Branch(), head.Hash)
}

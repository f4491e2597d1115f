package workspace

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
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

// refMode is the checkpoint ref of a repository, and the files of this worktree.
type refMode struct {
	mode     policy.Commit // what is published of the ref
	ref      ckptref.Ref
	checkout *checkout.Checkout
	finder   reftip.Finder
}

// branch returns the files of this worktree, unless they are on no branch of the code.
func (m *refMode) branch() checkout.Branch { return checkout.Branch{Checkout: m.checkout, Ref: m.ref} }

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

// CheckMode refuses a change of the commit mode that would leave checkpoints behind. The empty
// mode is no change.
func (p *Workspace) CheckMode(ctx context.Context, mode policy.Commit) error {
	isRef, willBeRef := p.ref.mode == policy.Ref, mode == policy.Ref
	if mode == "" || isRef == willBeRef {
		return nil
	}
	tip, err := p.ref.ref.Tip(ctx)
	if tip == "" || err != nil {
		return err
	}
	all, err := p.folder().Committed(store.All)
	if len(all) == 0 || err != nil {
		return err
	}
	return fault.New(fault.Refused, "there are checkpoints already").WithHint("ckpt migrate --to %s", mode)
}

// SetMode records the commit mode in the clone's own configuration where that is needed: a branch
// without config.yaml must not fall back to another mode than ref, and a mode that was set before
// must not prevail. Reset takes it back.
func (p *Workspace) SetMode(ctx context.Context, mode policy.Commit) (reset func() error, err error) {
	was, err := configuredMode(ctx, p.Repo)
	isDefault := was == "" && mode != policy.Ref
	if err != nil || was == mode || isDefault {
		return func() error { return nil }, err
	}
	set := func(args ...string) error {
		_, err := p.Repo.Run(ctx, append([]string{"config", "--local"}, args...)...)
		return err
	}
	reset = func() error {
		if was == "" {
			return set("--unset", "ckpt.commit")
		}
		return set("ckpt.commit", string(was))
	}
	return reset, set("ckpt.commit", string(mode))
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
	if tip, u, err := m.update(ctx, on); err != nil || tip != "" && u.Empty() && !m.finder.Moves {
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

// InUse reports whether the repository has checkpoints, or a folder for them. A worktree may not have the
// files yet.
func (p *Workspace) InUse(ctx context.Context) bool {
	if p.Disk.Exists() || disk.Exists(p.Repo.PathOf(p.Prefix)) {
		return true
	}
	tip, err := p.ref.ref.Tip(ctx)
	return tip != "" && err == nil
}

// Publishes reports whether the branches of the code have the files of checkpoints.
func (p *Workspace) Publishes() bool { return p.ref.mode != policy.Ref }

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

// commit makes the change: one commit, one compare-and-set of the ref, which is the operation, and then the
// copies: the files and, in own mode, the commit on the branch. After a death in between, the next command
// makes them.
func (a *applying) commit(ctx context.Context) error {
	m, v := a.w.ref, a.view
	onRef := m.mode == policy.Ref
	if err := a.unchangedOnDisk(); err != nil {
		return err
	}
	chosen, changed, err := a.chosen()
	if err != nil {
		return err
	}
	tip, message, err := a.store(ctx, chosen, changed)
	if err != nil {
		return err
	}
	from := v.tip
	if !onRef {
		from = v.refTip
		if v.absorbed != nil && v.tip != from {
			if err := v.absorbed.Begin(); err != nil {
				return err
			}
		}
		if err := m.branch().Begin(v.written, change.Paths(a.tx.Files.Files)); err != nil {
			return err
		}
	}
	if changed {
		if err := m.checkout.Announce(v.written, tip, chosen); err != nil {
			return err
		}
	}
	if tip != from {
		subject, _, _ := strings.Cut(message, "\n")
		if err := m.ref.Move(ctx, tip, from, subject); err != nil {
			if fault.KindOf(err) == fault.Busy {
				return git.ErrMoved
			}
			return err
		}
		a.receipt.Commit = tip
		if v.absorbed != nil {
			_ = v.absorbed.Done() // without it they are taken in again, which changes nothing
		}
	} else if onRef {
		a.receipt.Pending = "in this worktree"
	}
	if !onRef {
		return a.publish(ctx, tip, chosen, changed)
	}
	err = m.checkout.Advance(v.written, tip, a.tx.Files.Files, chosen, changed)
	if err != nil && (changed || tip != v.tip) { // the operation is done, and the next command writes the files
		a.receipt.Remarks = append(a.receipt.Remarks, "the files are not up to date yet: "+err.Error())
		return nil
	}
	return err
}

// store stores the commit of the transaction, to which nothing points yet, and returns it with its message.
// If no file of the ref changes, it returns the commit that the ref is at.
func (a *applying) store(ctx context.Context, chosen string, changed bool) (tip, message string, err error) {
	m, parent := a.w.ref, a.view.tip
	message = Message(a.cfg, a.tx) + a.refTrailers()
	files, contents, err := a.refFiles(ctx, chosen, changed)
	if err != nil || len(files) == 0 {
		return parent, message, err
	}
	if parent == "" {
		parent, err = m.ref.Root(ctx)
		if err != nil {
			return "", "", err
		}
	}
	tip, err = m.ref.Store(ctx, commit.Spec{
		Parents: []string{parent}, Files: files, Contents: contents, Message: message, Time: a.now,
	}, m.mode == policy.Ref)
	return tip, message, err
}

// publish copies the operation to the files and the branch. What cannot be copied now stays for the next
// command.
func (a *applying) publish(ctx context.Context, tip, chosen string, changed bool) error {
	b, on, own := a.w.ref.branch(), a.view.on, a.cfg.Commit == policy.Own
	besides := slices.DeleteFunc(slices.Clone(a.tx.Files.Files), func(f change.File) bool { return checkout.Written(f.Path) })
	var err error
	since := ""
	if !b.Lacks(a.view.found) {
		since = cmp.Or(a.view.tip, checkout.Nothing)
	}
	marks := a.view.found.Marks
	if strings.Contains(marks, ",") { // all operations leave one mark, but for those that bring back what was
		changed = !a.tx.Mode.fromHistory() || a.tx.Op == OpResolve
	}
	if changed {
		err = b.Chose(a.view.written, tip, chosen, marks)
	}
	var found *checkout.Found
	if err == nil {
		found, err = b.CompareAfter(ctx, on, tip, a.view.found, a.tx.Files.Files)
	}
	made := ""
	if err == nil {
		made, err = b.Publish(ctx, on, found, tip, checkout.Publishing{
			Commits: own, Besides: besides, Message: Message(a.cfg, a.tx), Now: a.now, Since: since,
		})
	}
	switch {
	case err != nil && tip == a.view.tip && len(besides) > 0:
		return err // the files are not in the store
	case err != nil:
		if found != nil {
			_ = b.Took(found, a.tx.Files.Files) // without it the edits are merged again, which changes nothing
		}
		a.receipt.Pending = "not published: " + b.Unpublishable(on, err)
		b.Owe(a.view.written.Branch, a.tx.Files.Files)
		b.HasUpTo(a.view.written.Branch, since)
	case made != "":
		a.receipt.Commit, a.receipt.Published = made, true
	case !own:
		if a.w.ref.mode == policy.Own { // --no-commit
			b.Owe(a.view.written.Branch, a.tx.Files.Files)
		}
		a.receipt.Pending = "in the files; not committed on the branch"
	}
	if own && found != nil {
		b.PublishElsewhere(ctx, found, tip, a.now)
	}
	return nil
}

// unchangedOnDisk returns disk.ErrChanged if a file is not as the transaction found it.
func (a *applying) unchangedOnDisk() error {
	for _, f := range a.tx.Files.Files {
		if a.view.found != nil && a.view.Store.IsPending(f.Path) {
			continue // the branch has another version, which is compared when it is published
		}
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
		after := f.After
		if a.w.Publishes() {
			stored, err := checkout.WithoutCR(a.w.Repo, path, after)
			if err != nil {
				return nil, nil, err
			}
			if stored != nil {
				after = stored
			}
		}
		if same, err := checkout.Same(a.w.Repo, f.Path, after, was); err != nil {
			return nil, nil, err
		} else if same {
			continue
		}
		files[path], contents[path] = git.FileEntry(""), checkout.Shared(f.Path, after)
	}
	branch := a.view.branchName()
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
	return maker.Trailers(a.view.branchName(), head.Hash)
}

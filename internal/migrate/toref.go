package migrate

import (
	"context"
	"strconv"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// toRef moves the checkpoints of all branches to the ref, and takes the files off this branch. If
// they were moved before, it takes over what the branches have gained since.
func (m *migration) toRef(ctx context.Context) error {
	r, err := replayAll(ctx, m.Repo, m.ref, m.Prefix)
	if err != nil {
		return err
	}
	to, err := r.join(ctx)
	if err != nil {
		return err
	}
	m.answer.Branches, err = r.branches(ctx)
	if err != nil {
		return err
	}
	m.answer.Commits = r.lacks()
	if err := m.remarkOnBranches(ctx); err != nil {
		return err
	}
	m.answer.Tip, m.answer.OldTip = to, r.tip
	if err := m.count(ctx, r, to); err != nil {
		return err
	}
	b, err := m.offBranch(ctx)
	if err != nil {
		return err
	}
	if to == r.tip && len(b.set) == 0 && m.view.OnRef() {
		m.answer.Unchanged = true
		return nil
	}
	if m.DryRun {
		return nil
	}
	return m.moveToRef(ctx, r, b, to)
}

// moveToRef makes the change. The order is such that all checkpoints are on the branch or on the
// ref at every moment: the ref moves before the branch loses the files, and whatever can refuse
// has refused before.
func (m *migration) moveToRef(ctx context.Context, r *replay, b *branchCommit, to string) error {
	const summary = "keep the checkpoints on a ref of their own"
	if err := r.flush(ctx); err != nil {
		return err
	}
	landed, err := m.make(ctx, b, summary)
	if err != nil {
		return err
	}
	if m.tracked() && !m.view.OnRef() { // in ref mode the files are from the ref already
		from, err := r.at(ctx, m.head.Hash)
		if err != nil {
			return err
		}
		if err := m.files.Adopt(from, m.on.Branch(), m.current()); err != nil {
			return err
		}
	}
	was, isSet, err := m.Repo.Config().Get(ctx, modeKey)
	if err != nil {
		return err
	}
	if to != r.tip {
		if err := m.ref.Move(ctx, to, r.tip, "ckpt: "+Op); err != nil {
			return err
		}
	}
	err = m.SetMode(ctx, policy.Ref)
	if err == nil {
		err = m.land(ctx, b, landed, summary)
	}
	if err != nil {
		m.takeBack(ctx, r, to, was, isSet)
		return err
	}
	if landed != m.head.Hash {
		m.answer.Commit = landed
	}
	if err := m.files.Locate(ctx, m.ref.Name()); err != nil {
		return err
	}
	u, err := m.files.Plan(ctx, to, m.on.Branch())
	if err != nil || u.Empty() {
		return err
	}
	return m.files.Apply(u)
}

// modeKey is the key of git config for the commit mode.
const modeKey = "ckpt.commit"

// takeBack leaves the clone in the mode that it had before moveToRef failed, unless the branch has lost
// the files already. It ignores errors: the one that made the migration fail is reported.
func (m *migration) takeBack(ctx context.Context, r *replay, to, was string, isSet bool) {
	if head, err := m.Repo.Head(); err != nil || head.Hash != m.head.Hash || m.view.OnRef() {
		return
	}
	if isSet {
		_, _ = m.Repo.Run(ctx, "config", "--local", modeKey, was)
	} else {
		_, _ = m.Repo.Run(ctx, "config", "--local", "--unset-all", modeKey)
	}
	switch r.tip {
	case to:
	case "":
		_ = m.ref.Remove(ctx, to)
	default:
		_ = m.ref.Move(ctx, r.tip, to, "ckpt: "+Op)
	}
	_, _ = m.files.Leave()
}

// remarkOnBranches names the local branches that still have files of their own.
func (m *migration) remarkOnBranches(ctx context.Context) error {
	all, err := m.tracking(ctx, m.ref)
	if err != nil {
		return err
	}
	var names []string
	for _, b := range all {
		if !b.Remote {
			names = append(names, b.Name)
		}
	}
	if n := len(names) - mostBranches; n > 0 {
		names = append(names[:mostBranches], strconv.Itoa(n)+" more")
	}
	if len(names) > 0 {
		m.answer.Remarks = append(m.answer.Remarks, "branches that still have the files: "+strings.Join(names, ", ")+
			" (ckpt migrate --to ref on each takes them off)")
	}
	return nil
}

// tracking returns the branches that have checkpoints, apart from the one at HEAD and the ref.
func (p *Migrator) tracking(ctx context.Context, ref ckptref.Ref) ([]git.Branch, error) {
	all, err := p.Repo.Branches().All(ctx)
	if err != nil {
		return nil, err
	}
	var found []git.Branch
	for _, b := range all {
		if git.LocalRefs+b.Name == ref.Name() {
			continue
		}
		has, err := p.tracks(ctx, b.Commit)
		if err != nil {
			return nil, err
		}
		if has {
			found = append(found, b)
		}
	}
	return found, nil
}

// tracks reports whether a commit of the code has checkpoints.
func (p *Migrator) tracks(ctx context.Context, commit string) (bool, error) {
	found, err := p.Repo.Objects().EntriesIn(ctx, commit, checkout.TrackedPaths(p.Prefix))
	return len(found) > 0, err
}

// mostBranches is the maximal number of branches that a remark names.
const mostBranches = 5

// tracked reports whether the commit at HEAD has checkpoints.
func (m *migration) tracked() bool {
	for rel := range m.onHead {
		if belongs(rel) {
			return true
		}
	}
	return false
}

// offBranch returns the commit that takes the files off the branch. The files of the working tree
// stay, and git ignores them from then on. If the worktree has those of the ref elsewhere, they are
// removed with the commit.
func (m *migration) offBranch(ctx context.Context) (*branchCommit, error) {
	b := newBranchCommit()
	for rel, e := range m.onHead {
		stays := rel == store.ConfigFile || rel == store.Attributes
		if !store.Keeps(rel) || !e.Regular() || stays {
			continue
		}
		m.answer.Files++
		if !m.files.IsApart() {
			b.remove(rel)
		} else if err := m.removeClean(ctx, b, rel, e); err != nil {
			return nil, err
		}
	}
	if e := m.onHead[store.Attributes]; e.Regular() {
		if err := m.dropAttributes(ctx, b, e); err != nil {
			return nil, err
		}
	}
	if err := m.setPolicy(ctx, b); err != nil {
		return nil, err
	}
	return b, m.checkIndex(ctx, b)
}

// dropAttributes removes ckpt's .gitattributes, unless somebody has edited it.
func (m *migration) dropAttributes(ctx context.Context, b *branchCommit, e git.Entry) error {
	standard := []byte(store.AttributesText)
	src, err := m.inPrefix.OnDisk(store.Attributes)
	if err != nil || !change.Same(src, standard) {
		return err
	}
	if same, err := m.onDiskAs(ctx, store.Attributes, standard, e.Hash); err != nil || !same {
		return err
	}
	b.remove(store.Attributes)
	b.disk = append(b.disk, change.File{Path: store.Attributes, Before: src})
	return nil
}

// count adds the number of checkpoints at a commit of the ref to the answer.
func (m *migration) count(ctx context.Context, r *replay, at string) error {
	files, err := r.files(ctx, at)
	for rel := range written(files) {
		if store.IsCheckpoint(rel) {
			m.answer.Checkpoints++
		}
	}
	return err
}

// Behind returns the branches whose checkpoints the ref does not have: they were committed to the
// branch after the checkpoints were moved. It returns nil in the other commit modes.
func (p *Migrator) Behind(ctx context.Context) ([]string, error) {
	if p.Commits == p.Repo {
		return nil, nil
	}
	ref, err := ckptref.Of(ctx, p.Repo)
	if err != nil {
		return nil, err
	}
	old, err := p.tracking(ctx, ref)
	if err != nil {
		return nil, err
	}
	head, err := p.Repo.Head()
	if err != nil {
		return nil, err
	}
	if here, err := p.tracks(ctx, head.Hash); err != nil || !here && len(old) == 0 {
		return nil, err
	}
	r, err := replayAll(ctx, p.Repo, ref, p.Prefix)
	if err != nil {
		return nil, err
	}
	return r.branches(ctx)
}

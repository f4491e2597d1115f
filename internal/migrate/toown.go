package migrate

import (
	"cmp"
	"context"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// toOwn puts the checkpoints of the ref on this branch.
func (m *migration) toOwn(ctx context.Context) error {
	tip, err := m.ref.Tip(ctx)
	if err != nil {
		return err
	}
	tip = cmp.Or(tip, m.former)
	cfg, err := m.Disk.Config()
	if err != nil {
		return err
	}
	switch {
	case !m.view.OnRef():
		return m.complete(ctx, tip)
	case tip == "" && cfg.Commit == policy.Ref:
		return fault.New(fault.NotFound, "%s is not in this clone", m.ref.Name()).WithHint("ckpt sync brings it")
	case tip == "":
		return m.endRefMode(ctx, "") // only git config says that there is a ref
	}
	if err := m.checkTakenOver(ctx, tip); err != nil {
		return err
	}
	b, err := m.onBranch(ctx, tip)
	if err != nil {
		return err
	}
	m.answer.OldTip = tip
	if m.DryRun {
		return nil
	}
	const summary = "keep the checkpoints on the branches of the code"
	var parents []string
	if m.req.WithHistory && len(b.set) > 0 {
		parents = []string{tip}
	}
	m.trailers = []string{ckptref.TrailerRef + ": " + tip}
	landed, err := m.make(ctx, b, summary, parents...)
	if err != nil {
		return err
	}
	m.answer.OldRef, err = m.ref.Keep(ctx, tip, m.Now())
	if err != nil {
		return err
	}
	if err := m.land(ctx, b, landed, summary); err != nil {
		return err
	}
	if landed != m.head.Hash {
		m.answer.Commit = landed
	}
	return m.endRefMode(ctx, tip)
}

// complete removes the ref if the branch has what it has: an earlier migration was killed before it did
// so, or was made in another clone.
func (m *migration) complete(ctx context.Context, tip string) error {
	if tip == "" {
		m.answer.Unchanged = true
		return nil
	}
	kept, err := m.ref.Kept(ctx, tip)
	if err != nil {
		return err
	}
	if kept == "" {
		left, err := ckptref.Left(ctx, m.Repo)
		if err != nil {
			return err
		}
		if left != "" {
			return fault.New(fault.Refused, "%s", left).WithHint("%s", ckptref.LeftFix)
		}
		kept, err = m.keep(ctx, tip)
		if err != nil {
			return err
		}
	}
	m.answer.OldTip, m.answer.OldRef = tip, kept
	return m.endRefMode(ctx, tip)
}

// keep keeps a commit of the ref, unless nothing is to be changed.
func (m *migration) keep(ctx context.Context, tip string) (string, error) {
	if m.DryRun {
		return "", nil
	}
	return m.ref.Keep(ctx, tip, m.Now())
}

// endRefMode removes the settings of ref mode, and then the ref, which is kept under another name
// by now. In ref mode a missing ref would mean that there are no checkpoints.
func (m *migration) endRefMode(ctx context.Context, tip string) error {
	if m.DryRun {
		return nil
	}
	_, err := m.Repo.Run(ctx, "config", "--local", "--unset-all", modeKey)
	if err != nil && git.ExitCode(err) != 5 { // it is not set
		return err
	}
	mode, err := m.Repo.Run(ctx, "config", "--get", modeKey)
	if err != nil && git.ExitCode(err) != 1 { // it is not set
		return err
	}
	if strings.TrimSpace(string(mode)) == string(policy.Ref) { // in the user's own configuration
		if err := m.SetMode(ctx, policy.Own); err != nil {
			return err
		}
	}
	left, err := m.files.Leave()
	if len(left) > 0 {
		m.answer.Remarks = append(m.answer.Remarks, "edited, and not on the branch: "+strings.Join(left, ", "))
	}
	if err != nil || tip == "" {
		return err
	}
	return m.ref.Remove(ctx, tip)
}

// checkTakenOver refuses to replace checkpoints of this branch that the ref does not have.
func (m *migration) checkTakenOver(ctx context.Context, tip string) error {
	if !m.tracked() {
		return nil
	}
	r, err := replayAll(ctx, m.Repo, m.ref, m.Prefix)
	if err != nil {
		return err
	}
	mine, err := r.at(ctx, m.head.Hash)
	if err != nil || mine == "" || r.commits.contains(tip, mine) {
		return err
	}
	return fault.New(fault.Refused, "this branch has checkpoints in %s/ that %s does not have", m.Prefix, m.ref.Name()).
		WithHint("ckpt migrate --to ref takes them over")
}

// onBranch returns the commit that puts the files of the ref on the branch. The checkpoint that is
// current in this worktree is marked so. The files of the working tree are those of the ref
// already; an edited one stays edited.
func (m *migration) onBranch(ctx context.Context, tip string) (*branchCommit, error) {
	files, err := m.Repo.Objects().FolderAt(ctx, tip, m.Prefix)
	if err != nil {
		return nil, err
	}
	files = written(files)
	contents, err := m.contents(ctx, files)
	if err != nil {
		return nil, err
	}
	current, b := m.current(), newBranchCommit()
	for rel, src := range contents {
		shown := checkout.Shown(rel, src, current)
		if same, err := m.onDiskAs(ctx, rel, shown, m.onHead[rel].Hash); err != nil {
			return nil, err
		} else if !same {
			b.put(rel, shown)
		}
		if store.IsCheckpoint(rel) {
			m.answer.Checkpoints++
		}
		if err := m.write(ctx, b, rel, shown); err != nil {
			return nil, err
		}
	}
	for rel, e := range written(m.onHead) {
		if _, stays := files[rel]; !stays {
			if err := m.removeClean(ctx, b, rel, e); err != nil {
				return nil, err
			}
		}
	}
	m.answer.Files = len(b.set)
	starters := map[string][]byte{
		store.Attributes: []byte(store.AttributesText), store.ActiveKeep: {}, store.ArchiveKeep: {},
	}
	for rel, src := range starters {
		if _, ok := m.onHead[rel]; !ok {
			b.put(rel, src)
			if err := m.writeMissing(b, rel, src); err != nil {
				return nil, err
			}
		}
	}
	if err := m.bringBack(b, files); err != nil {
		return nil, err
	}
	return b, m.setPolicy(ctx, b)
}

// contents returns the contents of files by path.
func (m *migration) contents(ctx context.Context, files map[string]git.Entry) (map[string][]byte, error) {
	return newObjects(m.Repo, m.Prefix).contents(ctx, files)
}

// writeMissing writes a file of the working tree if there is none.
func (m *migration) writeMissing(b *branchCommit, rel string, src []byte) error {
	have, err := m.inPrefix.OnDisk(rel)
	if err == nil && have == nil {
		b.disk = append(b.disk, change.File{Path: rel, After: src})
	}
	return err
}

// write writes a file of the working tree as the ref has it, or as it was edited.
func (m *migration) write(ctx context.Context, b *branchCommit, rel string, src []byte) error {
	if !m.files.IsApart() {
		return m.writeMissing(b, rel, src) // an edited one stays edited
	}
	mine, err := m.Disk.OnDisk(rel)
	if err != nil {
		return err
	}
	if mine != nil {
		src = mine
	}
	have, err := m.inPrefix.OnDisk(rel)
	if err != nil || change.Same(have, src) {
		return err
	}
	if have != nil {
		if err := m.checkClean(ctx, rel, have, m.onHead[rel]); err != nil {
			return err
		}
	}
	b.disk = append(b.disk, change.File{Path: rel, Before: have, After: src})
	return nil
}

// bringBack writes the files of the worktree that the ref does not have to where a branch has them.
func (m *migration) bringBack(b *branchCommit, onRef map[string]git.Entry) error {
	if !m.files.IsApart() {
		return nil
	}
	all, err := m.Disk.Files(store.All)
	if err != nil {
		return err
	}
	for _, rel := range all {
		if _, done := onRef[rel]; done || rel == store.ConfigFile {
			continue
		}
		src, err := m.Disk.OnDisk(rel)
		if err != nil {
			return err
		}
		if err := m.writeMissing(b, rel, src); err != nil {
			return err
		}
	}
	return nil
}

// removeClean removes a file of the branch from it and from the working tree.
func (m *migration) removeClean(ctx context.Context, b *branchCommit, rel string, e git.Entry) error {
	b.remove(rel)
	src, err := m.inPrefix.OnDisk(rel)
	if err != nil || src == nil {
		return err
	}
	if err := m.checkClean(ctx, rel, src, e); err != nil {
		return err
	}
	b.disk = append(b.disk, change.File{Path: rel, Before: src})
	return nil
}

// checkClean refuses to replace or remove a file of the branch that was edited, unless the worktree
// has the edit elsewhere.
func (m *migration) checkClean(ctx context.Context, rel string, src []byte, e git.Entry) error {
	same, err := m.onDiskAs(ctx, rel, src, e.Hash)
	if err != nil || same {
		return err
	}
	if m.files.IsApart() {
		mine, err := m.Disk.OnDisk(rel)
		if err != nil || change.Same(mine, src) {
			return err
		}
	}
	path := m.view.InTree(rel)
	refusal := fault.New(fault.Refused, "%s is edited, and the ref does not have that version", path)
	if e.IsZero() {
		return refusal.WithHint("move it away, then ckpt migrate --to %s", m.req.To) // git does not track it
	}
	return refusal.WithHint("git restore %s, or git stash, then ckpt migrate --to %s", path, m.req.To)
}

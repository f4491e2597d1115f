// Package migrate changes whether the files of checkpoints are published on the branches of the code.
//
// The checkpoints stay where they are, on the checkpoint ref. A migration is one commit on the branch, which
// takes the files away or adds them, and changes the mode in config.yaml.
package migrate

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// migration is the state of one call of Run.
type migration struct {
	*workspace.Workspace
	to     policy.Commit // policy.Ref or policy.Own
	branch checkout.Branch
	view   *workspace.View
	head   map[string]string // the hashes of the branch's files, by path in the folder
	files  []change.File     // what the commit changes, by path from the root
	answer *result.Migration
}

// Run moves a repository to another commit mode. An error before its commit leaves the mode as it was.
func Run(ctx context.Context, w *workspace.Workspace, to policy.Commit) (*result.Migration, error) {
	switch {
	case to != policy.Ref && to != policy.Own:
		return nil, fault.New(fault.Usage, "--to %q: checkpoints can move to ref or to own", to).
			WithHint("ckpt migrate --help")
	case w.NoCommit:
		return nil, fault.New(fault.Usage, "a migration without a commit is not possible").WithHint("--dry-run shows it")
	}
	if state := w.Repo.InProgress(); state != "" {
		return nil, fault.New(fault.Refused, "a %s is in progress", state).
			WithHint("end it, then ckpt migrate --to %s", to)
	}
	m := &migration{Workspace: w, to: to}
	unlock, err := w.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := m.begin(ctx); err != nil {
		return nil, err
	}
	plan := m.planToOwn
	if to == policy.Ref {
		plan = m.planToRef
	}
	if err := plan(ctx); err != nil {
		return nil, err
	}
	if m.answer.Unchanged || w.DryRun {
		return m.answer, nil
	}
	if err := m.change(ctx); err != nil {
		return nil, err
	}
	w.Trust.ByChange(w.InHook)
	return m.answer, nil
}

// begin reads what a migration needs. First it takes new changes of the branch into the ref.
func (m *migration) begin(ctx context.Context) (err error) {
	ref := m.Files().Ref
	on, err := m.Repo.Checkout()
	if err != nil {
		return err
	}
	m.branch = checkout.OnBranch(m.Repo.During(on), m.Prefix, ref)
	head := on.Head()
	switch {
	case head.Hash == "":
		return fault.New(fault.Refused, "nothing is committed yet").WithHint("ckpt init --commit %s", m.to)
	case head.Ref == "":
		return fault.New(fault.Refused, "HEAD is detached").WithHint("git switch BRANCH, then ckpt migrate --to %s", m.to)
	}
	tip, err := ref.Tip(ctx)
	if err != nil {
		return err
	}
	if !m.DryRun {
		made, err := m.branch.Absorb(ctx, tip, m.Now())
		if err == nil {
			err = made.MoveRef(ctx)
		}
		if err != nil {
			return err
		}
	}
	m.head, err = m.branch.Repo.Objects().Tree(m.Prefix)
	view, failed := m.Load(ctx)
	if err := cmp.Or(err, failed); err != nil {
		return err
	}
	m.view, err = view.Load(store.All)
	if err != nil {
		return err
	}
	edits, err := m.view.Edits(ctx, store.All)
	edits = slices.DeleteFunc(edits, func(f change.File) bool { // new files that are not checkpoints stay where they are
		unread := f.Before == nil && checkpoint.IsFile(f.Path) && checkpoint.IDIn(f.After) == ""
		return unread || !checkout.Written(f.Path)
	})
	if err != nil {
		return err
	}
	if len(edits) > 0 {
		return fault.New(fault.Refused, "%s has edits by hand", m.FromRoot(edits[0].Path)).
			WithHint("ckpt save, then ckpt migrate --to %s", m.to)
	}
	all := map[string]bool{}
	for _, c := range m.view.Set.All {
		all[c.ID] = true
	}
	m.answer = &result.Migration{To: string(m.to), Ref: ref.Name(), DryRun: m.DryRun, Checkpoints: len(all)}
	nothing := tip == "" && len(all) == 0
	if nothing && !m.Publishes() && m.to == policy.Own {
		return fault.New(fault.NotFound, "%s is not in this clone", ref.Name()).WithHint("ckpt sync brings it")
	}
	return nil
}

// put adds the new content of a file of the folder to the commit; nil removes the file. In ref mode, where views do not
// read the folder, it refuses a file whose present content would be lost.
func (m *migration) put(rel string, after []byte) error {
	path := m.Prefix + "/" + rel
	before, err := disk.ReadFile(m.Repo.PathOf(path))
	if err != nil {
		return fault.New(fault.Failed, "read %s: %w", path, disk.Pathless(err))
	}
	if !m.Publishes() && before != nil {
		stored, err := m.Repo.Objects().BlobOf(context.Background(), path, before)
		if err != nil {
			return err
		}
		if stored != m.head[rel] && stored != m.Repo.Objects().BlobHash(after) {
			return fault.New(fault.Refused, "%s has content that is not committed", path).
				WithHint("move it away, then ckpt migrate --to %s", m.to)
		}
	}
	m.files = append(m.files, change.File{Path: path, Before: before, After: after})
	return nil
}

// planToRef plans the removal of the checkpoint files from the branch and its folder. Files that the ref lacks stay.
func (m *migration) planToRef(ctx context.Context) error {
	all := maps.Clone(m.head)
	if m.Publishes() {
		if err := m.branch.CheckApart(ctx, !m.DryRun); err != nil {
			return err
		}
		stored, failed := m.view.Committed(store.All)
		paths, err := m.view.Store.Files(store.All)
		if err := cmp.Or(failed, err); err != nil {
			return err
		}
		for _, rel := range paths {
			made := !checkout.Written(rel) // ckpt made it for the branch; the ref has no such file
			if stored[rel] != "" || made { // begin has refused edits by hand
				all[rel] = stored[rel]
			} else if m.head[rel] == "" && disk.Exists(m.Repo.PathOf(m.Prefix+"/"+rel)) {
				m.answer.Remarks = append(m.answer.Remarks, m.FromRoot(rel)+" is not on "+m.answer.Ref+", and stays")
			}
		}
	}
	for _, rel := range slices.Sorted(maps.Keys(all)) {
		if !store.Keeps(rel) || rel == store.ConfigFile {
			continue
		}
		if err := m.put(rel, nil); err != nil {
			return err
		}
		if m.head[rel] != "" {
			m.answer.Files++
		}
	}
	err := m.setPolicy(ctx)
	m.answer.Unchanged = len(m.files) == 0 && !m.Publishes()
	return err
}

// planToOwn plans the addition of the checkpoint files to the branch. Nothing changes if the branch has them and the
// worktree has no copies in the folder Apart. Copies may remain if another branch or worktree was migrated first.
func (m *migration) planToOwn(ctx context.Context) error {
	isOwn := m.Publishes() && m.branch.ModeAt(ctx, m.view.Began.Hash) != policy.Ref
	m.answer.Unchanged = isOwn && !disk.Exists(m.Repo.PathOf(checkout.Apart(m.Prefix)))
	if m.answer.Unchanged {
		return nil
	}
	paths, err := m.view.Store.Files(store.All)
	if err != nil {
		return err
	}
	for _, rel := range paths {
		if !checkout.Written(rel) {
			continue
		}
		src, err := m.view.Store.Read(rel)
		if err != nil {
			return err
		}
		if m.Repo.Objects().BlobHash(src) == m.head[rel] {
			continue
		}
		if err := m.put(rel, src); err != nil {
			return err
		}
	}
	m.answer.Files = len(m.files)
	besides := map[string]string{store.Attributes: store.AttributesText, store.ActiveKeep: "", store.ArchiveKeep: ""}
	for rel, src := range besides {
		now, err := disk.ReadFile(m.Repo.PathOf(m.Prefix + "/" + rel))
		ours := err == nil && (now == nil || string(now) == src)
		if ours && m.head[rel] == "" {
			if err := m.put(rel, []byte(src)); err != nil {
				return err
			}
		}
	}
	return m.setPolicy(ctx)
}

// setPolicy changes the mode in config.yaml.
func (m *migration) setPolicy(ctx context.Context) error {
	path := m.Prefix + "/" + store.ConfigFile
	before, err := m.Disk.OnDisk(store.ConfigFile)
	if err != nil {
		return err
	}
	after := policy.WithCommit(cmp.Or(string(before), policy.Starter()), m.to)
	stored, err := m.Repo.Objects().BlobOf(ctx, path, after)
	if stored != m.head[store.ConfigFile] || !change.Same(before, after) {
		m.files = append(m.files, change.File{Path: path, Before: before, After: after})
	}
	return err
}

// change makes the commit that is the migration. If ckpt is killed after it, the next command does the rest.
func (m *migration) change(ctx context.Context) error {
	summary := "keep the checkpoints on a ref of their own"
	if m.to == policy.Own {
		summary = "keep the checkpoints on the branches of the code"
	}
	cfg, err := m.Policy(ctx)
	if err != nil {
		return err
	}
	current := ""
	if c := m.view.Set.Current(); c != nil && c.Status() == checkpoint.Current {
		current = c.ID
	}
	if err := m.branch.Choose(current); err != nil {
		return err
	}
	if len(m.files) > 0 {
		message := workspace.Message(cfg, &workspace.Tx{Op: workspace.OpMigrate, Summary: summary})
		m.answer.Commit, err = m.branch.CommitFiles(ctx, m.files, message, m.Now())
		if err != nil {
			return err
		}
	}
	err = m.complete(ctx)
	if err != nil && m.answer.Commit != "" {
		m.answer.Remarks, err = append(m.answer.Remarks, "the next command completes this: "+err.Error()), nil
	}
	return err
}

// complete brings the clone and its files in line with the new mode.
func (m *migration) complete(ctx context.Context) error {
	err := m.SetMode(ctx, m.to)
	if err == nil {
		err = m.FilesBehind(ctx)
	}
	if err != nil || m.to == policy.Ref {
		return err
	}
	left, err := m.branch.Arrive()
	for _, path := range left {
		m.answer.Remarks = append(m.answer.Remarks, path+" is not on the branch, and stays")
	}
	return err
}

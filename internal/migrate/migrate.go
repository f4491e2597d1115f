// Package migrate moves checkpoints with their history: from the branches of the code to the
// checkpoint ref, and back.
//
// Nothing is deleted. The commits of the branches stay, and a ref that is not in use any more is
// kept as refs/ckpt/old/<time>. Every step can be repeated: if a migration is killed half way, all
// checkpoints are on the ref or on the branch, and another migration completes it.
package migrate

import (
	"cmp"
	"context"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/pending"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// Op is the operation that moves checkpoints from one commit mode to another.
const Op = "migrate"

// Migrator moves the checkpoints of a repository.
type Migrator struct{ *workspace.Workspace }

// New returns a migrator of the repository of w.
func New(w *workspace.Workspace) *Migrator { return &Migrator{w} }

// Request says where the checkpoints are to be.
type Request struct {
	To          policy.Commit // policy.Ref or policy.Own
	WithHistory bool          // back on the branch, the history of the ref is the branch's, too
}

// migration is one run.
type migration struct {
	*Migrator
	req      Request
	ref      ckptref.Ref
	files    *checkout.Checkout
	former   string       // the commit at which the ref was made again, or would be in a dry run; may be empty
	inPrefix *store.Store // the files of the worktree where a branch has them
	view     *workspace.View
	on       git.Checkout
	head     git.Head
	onHead   map[string]git.Entry // the files of the folder in the commit at HEAD
	trailers []string             // of the commit on the branch
	answer   *result.Migration
}

// Migrate moves the checkpoints. An error means that no checkpoint has moved.
func (p *Migrator) Migrate(ctx context.Context, req Request) (*result.Migration, error) {
	switch {
	case req.To != policy.Ref && req.To != policy.Own:
		return nil, fault.New(fault.Usage, "--to %q: checkpoints can move to ref or to own", req.To).
			WithHint("ckpt migrate --help")
	case req.WithHistory && req.To == policy.Ref:
		return nil, fault.New(fault.Usage, "--with-history belongs to --to own: the ref always gets the history")
	case p.NoCommit:
		return nil, fault.New(fault.Usage, "a migration without a commit is not possible").WithHint("--dry-run shows it")
	}
	unlock, err := p.LockForChange(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	m := &migration{Migrator: p, req: req}
	err = m.begin(ctx)
	switch {
	case err != nil:
	case req.To == policy.Ref:
		err = m.toRef(ctx)
	default:
		err = m.toOwn(ctx)
	}
	if err != nil {
		if m.former != "" && !p.DryRun { // it fails if the ref has moved on
			_ = m.ref.Remove(ctx, m.former)
		}
		return nil, err
	}
	if !m.answer.Unchanged && !p.DryRun {
		p.Trust.ByChange(p.InHook)
	}
	return m.answer, nil
}

// begin reads what a migration needs to know, and refuses one that is not possible now.
func (m *migration) begin(ctx context.Context) error {
	p, req := m.Migrator, m.req
	if state := p.Repo.InProgress(); state != "" {
		return fault.New(fault.Refused, "a %s is in progress", state).
			WithHint("end it, then ckpt migrate --to %s", req.To)
	}
	waiting, err := pending.Of(p.Repo).Refs(ctx)
	if err != nil {
		return err
	}
	if len(waiting) > 0 {
		return fault.New(fault.Refused, "operations wait to be committed in %s", strings.Join(waiting, ", ")).
			WithHint("ckpt save there, or ckpt doctor, then ckpt migrate --to %s", req.To)
	}
	m.ref, err = ckptref.Of(ctx, p.Repo)
	if err != nil {
		return err
	}
	if err := m.beginOver(ctx); err != nil {
		return err
	}
	m.inPrefix = &store.Store{Dir: p.Repo.PathOf(p.Prefix)}
	_, m.files = p.CheckpointRef()
	if m.files == nil {
		m.files = &checkout.Checkout{Repo: p.Repo, Dir: m.inPrefix.Dir, Prefix: p.Prefix}
	}
	if err := m.loadView(ctx); err != nil {
		return err
	}
	m.on, err = p.Repo.Checkout()
	if err != nil {
		return err
	}
	m.head, err = p.Repo.Head()
	if err != nil {
		return err
	}
	if m.head.Hash == "" {
		return fault.New(fault.Refused, "nothing is committed yet").WithHint("ckpt init --commit %s", req.To)
	}
	m.onHead, err = p.Repo.Objects().FolderAt(ctx, m.head.Hash, p.Prefix)
	m.answer = &result.Migration{To: string(req.To), Ref: m.ref.Name(), DryRun: p.DryRun}
	return err
}

// loadView reads the checkpoints. In a dry run without a ref there are none to read.
func (m *migration) loadView(ctx context.Context) error {
	if m.former != "" && m.DryRun {
		at := folder.New(m.Repo, m.Disk, m.Prefix)
		at.Commits, at.FilesDir = m.Commits, m.FilesDir()
		m.view = workspace.NewView(at, &checkpoint.Set{}, m.Settings)
		return nil
	}
	view, err := m.Load(ctx)
	if err != nil {
		return err
	}
	m.view, err = view.Load(store.Live)
	return err
}

// beginOver makes the ref again at what an earlier migration to the branches kept of it, if this
// branch still has commit: ref: it does not have the commit of that migration, and gets one of its own.
func (m *migration) beginOver(ctx context.Context) error {
	if _, files := m.CheckpointRef(); files == nil || m.DryRun && m.req.To == policy.Ref {
		return nil
	}
	if tip, err := m.ref.Tip(ctx); tip != "" || err != nil {
		return err
	}
	old, err := m.ref.Former(ctx, "")
	if old == "" || err != nil {
		return err
	}
	kept, err := m.Repo.Refs().Read(ctx, old)
	if err != nil {
		return err
	}
	if !m.DryRun {
		err = m.ref.Move(ctx, kept, "", "ckpt: "+Op)
	}
	if err == nil {
		m.former = kept
	}
	return err
}

// current returns the id of the checkpoint that is current in this worktree; "" for none.
func (m *migration) current() string {
	if c := m.view.Set.Current(); c != nil {
		return c.ID
	}
	return ""
}

// branchCommit is a commit on the branch of the code that changes only files of the folder, which
// it names by their paths in it. Whatever else is staged or edited stays so.
type branchCommit struct {
	set   map[string]git.Entry // the zero entry without content removes a file
	fresh map[string][]byte    // the contents of the others
	disk  []change.File        // what changes in the working tree
}

func newBranchCommit() *branchCommit {
	return &branchCommit{set: map[string]git.Entry{}, fresh: map[string][]byte{}}
}

func (b *branchCommit) put(rel string, src []byte) {
	b.set[rel], b.fresh[rel] = git.FileEntry(""), src
}

func (b *branchCommit) remove(rel string) { b.set[rel] = git.Entry{} }

// setPolicy changes the commit mode in config.yaml, in the commit and on disk, where it may be
// edited.
func (m *migration) setPolicy(ctx context.Context, b *branchCommit) error {
	committed, onDisk := []byte(policy.Starter()), []byte(nil)
	if e, ok := m.onHead[store.ConfigFile]; ok {
		found, err := m.Repo.Objects().Contents(ctx, []string{e.Hash})
		if err != nil {
			return err
		}
		committed = found[e.Hash]
	}
	onDisk, err := m.inPrefix.OnDisk(store.ConfigFile)
	if err != nil {
		return err
	}
	after := policy.WithCommit(string(committed), m.req.To)
	if e := m.onHead[store.ConfigFile]; e.IsZero() || !change.Same(after, committed) {
		b.put(store.ConfigFile, after)
	}
	set := change.Set{}
	set.Add(change.File{
		Path: store.ConfigFile, Before: onDisk, After: policy.WithCommit(cmp.Or(string(onDisk), string(committed)), m.req.To),
	})
	b.disk = append(b.disk, set.Files...)
	return nil
}

// checkIndex refuses a commit that would change the index entry of a file whose staged content is
// neither in the commit at HEAD nor on disk.
func (m *migration) checkIndex(ctx context.Context, b *branchCommit) error {
	staged, err := log.Of(m.Repo).Staged(ctx, m.Prefix)
	if err != nil {
		return err
	}
	for _, f := range staged {
		rel := strings.TrimPrefix(f.Path, m.Prefix+"/")
		if !store.Keeps(rel) {
			continue
		}
		src, err := m.inPrefix.OnDisk(rel)
		if err != nil {
			return err
		}
		if same, err := m.onDiskAs(ctx, rel, src, f.After); err != nil {
			return err
		} else if !same {
			return fault.New(fault.Refused, "%s is staged with a content that it does not have any more", f.Path).
				WithHint("git add %s, or git restore --staged %s", f.Path, f.Path)
		}
		if _, changes := b.set[rel]; !changes && belongs(rel) {
			b.remove(rel) // a new checkpoint that was staged: it stays as an edit by hand
		}
	}
	return nil
}

// onDiskAs reports whether git would store the content of a file, nil for none, as a blob.
func (m *migration) onDiskAs(ctx context.Context, rel string, src []byte, blob string) (bool, error) {
	if src == nil || strings.Trim(blob, "0") == "" {
		return src == nil && strings.Trim(blob, "0") == "", nil
	}
	name, err := m.Repo.Objects().BlobOf(ctx, m.view.InTree(rel), src)
	return name == blob, err
}

// make stores a commit of the branch and returns its hash; HEAD's if it changes nothing.
func (m *migration) make(ctx context.Context, b *branchCommit, summary string, parents ...string) (string, error) {
	if len(b.set) == 0 && len(parents) == 0 {
		return m.head.Hash, nil
	}
	cfg, err := m.Policy(ctx)
	if err != nil {
		return "", err
	}
	c := commit.Spec{
		Parents:  append([]string{m.head.Hash}, parents...),
		Files:    map[string]git.Entry{},
		Contents: map[string][]byte{},
		Message:  workspace.Message(cfg, &workspace.Tx{Op: Op, Summary: summary, Trailers: m.trailers}),
		Time:     m.Now(),
	}
	for rel, e := range b.set {
		if _, had := m.onHead[rel]; !had && e.IsZero() {
			continue // it is only staged
		}
		c.Files[m.view.InTree(rel)] = e
		if src, isNew := b.fresh[rel]; isNew {
			c.Contents[m.view.InTree(rel)] = src
		}
	}
	return commit.Of(m.Repo).Make(ctx, c)
}

// land moves the branch to a commit, with the index entries and the files on disk.
func (m *migration) land(ctx context.Context, b *branchCommit, to, summary string) error {
	if to == m.head.Hash {
		return nil
	}
	at, err := m.Repo.Objects().FolderAt(ctx, to, m.Prefix)
	if err != nil {
		return err
	}
	index, agree := map[string]git.Entry{}, []change.File{}
	for rel := range b.set {
		index[m.view.InTree(rel)] = at[rel]
		src, err := m.diskAfter(b, rel)
		if err != nil {
			return err
		}
		if fresh, isNew := b.fresh[rel]; isNew && change.Same(src, fresh) {
			agree = append(agree, change.File{Path: m.view.InTree(rel), After: fresh})
		}
	}
	draft, err := commit.Of(m.Repo).PrepareMove(ctx, m.on, m.head.Hash, to, index, agree, summary, m.Now())
	if err != nil {
		return err
	}
	sync, err := m.Repo.Config().Sync(ctx)
	if err != nil {
		return err
	}
	set := change.Set{Files: b.disk}
	w := disk.Operation{Root: m.Repo.Root(), Files: set.Under(m.Prefix), End: disk.ToMove(m.head.Hash, to), Sync: sync}
	hold := func() error { return m.Repo.Index().Hold(ctx, m.on) }
	if draft.ByGit() {
		hold = func() error { return m.Repo.Left(m.on) }
	}
	return workspace.WriteFiles(m.Repo, w, draft, hold, func() error {
		_, err := draft.Land(ctx)
		return err
	})
}

// diskAfter returns the content of a file of the working tree once the commit has landed.
func (m *migration) diskAfter(b *branchCommit, rel string) ([]byte, error) {
	for _, f := range b.disk {
		if f.Path == rel {
			return f.After, nil
		}
	}
	return m.inPrefix.OnDisk(rel)
}

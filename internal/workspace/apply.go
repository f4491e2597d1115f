package workspace

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/stats"
	"example.com/ckpt/internal/workspace/store"
)

// Mode tells where the content of a transaction's files comes from, and so which checks are made.
type Mode int

const (
	Edit    Mode = iota // new content, which is checked
	Save                // the files already have the content, so only the commit is made
	Restore             // content from history
	Merge               // as Restore, but written and staged in the merge that is in progress
)

// fromHistory reports whether the content was checked when it was first written.
func (m Mode) fromHistory() bool { return m >= Restore }

// Tx is a transaction: the files that a command wants to change, and how.
type Tx struct {
	Op, ID, Summary string
	Path            string // the file that the receipt names, relative to the folder
	Files           change.Set
	Mode            Mode
	Commit          policy.Commit // how to commit it; empty means as the policy demands
	Remarks         []string
	Trailers        []string
	Undoes          []string // the commits that it reverts
	Resolution      *result.Resolution

	replaced []result.Replaced
	keep     string                   // the flag that appends next actions instead of replacing them, if any
	clean    bool                     // HEAD is known to have the files as the operation found them
	cleared  []*checkpoint.Checkpoint // the checkpoints from which it only takes the mark
}

// Put makes the transaction write a file. Nil after removes it.
func (o *Tx) Put(rel string, before, after []byte) {
	o.Files.Add(change.File{Path: rel, Before: before, After: after})
}

// Revise makes the transaction write a revised checkpoint, perhaps to another path.
func (o *Tx) Revise(old, revised *checkpoint.Checkpoint) {
	if old.Path != revised.Path {
		o.Put(old.Path, old.Doc.Bytes(), nil)
		o.Put(revised.Path, nil, revised.Doc.Bytes())
		return
	}
	o.Put(old.Path, old.Doc.Bytes(), revised.Doc.Bytes())
}

// Applied returns the set after the operation.
func (o *Tx) Applied(set *checkpoint.Set) (*checkpoint.Set, error) {
	all := slices.DeleteFunc(slices.Clone(set.All), func(c *checkpoint.Checkpoint) bool {
		_, changed := o.Files.After(c.Path)
		return changed
	})
	for _, f := range o.Files.Files {
		if f.Gone() || !store.IsCheckpoint(f.Path) {
			continue
		}
		c, err := checkpoint.Parse(f.Path, f.After)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b *checkpoint.Checkpoint) int { return strings.Compare(a.Path, b.Path) })
	return set.With(all), nil
}

// PlanFunc computes a transaction from the checkpoints; it must not write.
type PlanFunc func(v *View, now time.Time) (*Tx, error)

// Change makes every change: lock, read, compute the operation, commit, write the files, return the
// receipt. An error means that nothing has changed; a dry run stops before anything is written.
// While a merge or the like is in progress the operation becomes pending. Pending operations are
// committed before the next one.
//
// If another program changes the same files or their versions in the branch meanwhile (an
// editor, a pull, a reset), the operation is computed again.
func (p *Workspace) Change(ctx context.Context, scope store.Scope, do PlanFunc) (receipt *result.Receipt, err error) {
	for try := range 5 {
		receipt, err = p.changeOnce(ctx, scope, do)
		switch {
		case errors.Is(err, git.ErrMoved), errors.Is(err, disk.ErrChanged):
		case try == 0 && fault.KindOf(err) == fault.NotFound && p.Repo.Worktree().FilesMoving():
			time.Sleep(100 * time.Millisecond) // git may have removed a file that it is about to write
		default:
			return receipt, err
		}
	}
	return nil, fault.New(fault.Busy, "%w", err).WithHint("try again")
}

func (p *Workspace) changeOnce(ctx context.Context, scope store.Scope, do PlanFunc) (*result.Receipt, error) {
	began := time.Now()
	unlock, err := p.LockForChange(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	view, err := p.Load(ctx)
	if err != nil {
		return nil, err
	}
	cfg, err := view.Policy(ctx)
	if err != nil {
		return nil, err
	}
	a := &applying{w: p, view: view, cfg: cfg, now: p.Now()}
	if err := a.plan(scope, do); err != nil {
		return nil, view.OrLeftOut(ctx, err)
	}
	note, landedCommit := func(err error) error { return err }, ""
	if a.view.Pending != nil && a.view.Why == "" && !p.DryRun { // the operation is known to be possible now
		landed, err := a.landFirst(ctx)
		if err != nil {
			return nil, err
		}
		if landed != nil {
			note, landedCommit = func(err error) error { return afterLanding(err, landed) }, landed.Commit
		}
		if err := a.plan(scope, do); err != nil {
			return nil, note(err)
		}
		committed := landed != nil && landed.Pending+landed.Commit != ""
		if committed && a.tx.Mode == Save && a.tx.Files.Empty() {
			a.receipt = landed
			a.addLosses(ctx)
			return landed, nil
		}
		if landed != nil {
			a.tx.Remarks = append(landed.Remarks, a.tx.Remarks...)
		}
	}
	if err := a.check(ctx, scope, do); err != nil {
		return nil, note(err)
	}
	a.receipt = Receipt(a.folder(), a.tx)
	switch {
	case a.tx.Files.Empty():
		a.receipt.Unchanged = true
		a.addLosses(ctx)
		return a.receipt, nil
	case p.DryRun:
		a.receipt.DryRun = true
		a.receipt.Diff = change.Patch(a.tx.Files.Under(a.folder()))
		return a.receipt, nil
	}
	if err := a.perform(ctx); err != nil {
		return nil, note(err)
	}
	a.sayReplaced(ctx)
	a.addLosses(ctx, landedCommit)
	a.rememberCurrent()
	p.Trust.ByChange(p.InHook)
	if a.tx.Op != OpInit {
		p.Figures.Record(stats.Entry{Kind: stats.Save, Bytes: a.tx.Files.Size()}, began)
	}
	p.Recorder.Operation(ctx, a.tx.Op, a.tx.ID, a.now)
	return a.receipt, nil
}

// check refuses secrets and edits by hand that add an error. If the transaction has such
// a file only to take its mark of the current checkpoint, check leaves that file out. It saves the other
// edits first, and then computes the transaction again.
func (a *applying) check(ctx context.Context, scope store.Scope, do PlanFunc) error {
	remarks := slices.Clone(a.tx.Remarks)
	saved, err := a.sound(ctx)
	var marksStay error
	if err != nil && len(a.tx.cleared) > 0 {
		marksStay = err
		a.tx.keepMarks(remarks, marksStay)
		saved, err = a.sound(ctx)
	}
	if saved == nil || err != nil {
		return err
	}
	a.view, err = a.w.Load(ctx)
	if err == nil && (a.view.Pending != nil || a.view.Why != "") {
		err = git.ErrMoved // git has begun or ended something meanwhile
	}
	if err == nil {
		err = a.plan(scope, do)
	}
	if err != nil {
		return err
	}
	if marksStay != nil {
		a.tx.keepMarks(a.tx.Remarks, marksStay)
	}
	a.tx.Remarks, a.tx.clean = append(saved.Remarks, a.tx.Remarks...), true
	return nil
}

// sound refuses the transaction if it adds a secret or an error. If it does not, it saves the edits by
// hand of the transaction's files, and returns the receipt of that, or nil if there were none.
func (a *applying) sound(ctx context.Context) (saved *result.Receipt, err error) {
	saves := a.view.Why == "" && a.cfg.Commit != policy.Off && (a.tx.Mode == Edit && a.tx.Op != OpSave || a.tx.takesBack())
	var edits []change.File
	var remarks []string
	if saves {
		edits, remarks, err = a.handEdits(ctx)
	}
	if err == nil {
		err = a.noSecrets(ctx)
	}
	if len(edits) == 0 || a.w.DryRun || err != nil {
		return nil, err
	}
	return a.saveEdits(ctx, edits, remarks)
}

// applying is a transaction on its way into the repository.
type applying struct {
	w       *Workspace
	view    *View // the checkpoints that the transaction was computed from
	tx      *Tx
	cfg     policy.Config
	now     time.Time
	receipt *result.Receipt
}

// folder returns the folder of the transaction's files, from the worktree's root. Those that a
// branch of the code tracks are in another one than those of the checkpoint ref may be.
func (a *applying) folder() string {
	if a.cfg.Commit == policy.Own {
		return a.w.Prefix
	}
	return a.w.FilesDir()
}

// plan loads the checkpoints and computes the transaction. It changes nothing.
func (a *applying) plan(scope store.Scope, do PlanFunc) error {
	v, err := a.view.Load(scope)
	if err != nil {
		return err
	}
	o, err := do(v, a.now)
	if err != nil {
		return err
	}
	o.leaveOneMark(v)
	a.view, a.tx = v, o
	if o.Commit != "" {
		a.cfg.Commit = o.Commit
	}
	if err := readable(o, v.FilesDir); err != nil {
		return err
	}
	return addKeepFiles(v, o)
}

// readable refuses an operation that would make a checkpoint's file unreadable. Content from
// history may be restored even if it is unreadable, and save checks its files itself.
func readable(o *Tx, prefix string) error {
	if o.Mode == Save || o.Mode.fromHistory() {
		return nil
	}
	for _, f := range o.Files.Files {
		if f.After == nil || !store.IsCheckpoint(f.Path) {
			continue
		}
		_, err := checkpoint.Parse(f.Path, f.After)
		if err == nil || errors.Is(err, checkpoint.ErrOther) {
			continue
		}
		if f.Before != nil {
			if _, was := checkpoint.Parse(f.Path, f.Before); was != nil {
				continue
			}
		}
		return fault.New(fault.Invalid, "%s would be unreadable after this: %w", prefix+"/"+f.Path, err).
			WithHint("fix the input and try again")
	}
	return nil
}

// perform makes the change. If git does not allow a commit now, or has begun a merge or the like
// since the operation began, the operation becomes pending.
func (a *applying) perform(ctx context.Context) error {
	if a.tx.Mode == Merge {
		return a.writeMerged(ctx)
	}
	switch {
	case a.cfg.Commit == policy.Ref:
		return a.commitToRef(ctx)
	case a.cfg.Commit == policy.Off && a.view.OnRef():
		return fault.New(fault.Usage, "commit: ref: a change is a commit on %s: --no-commit cannot be given",
			a.w.ref.ref.Name()).WithHint("no branch, index or other file changes without it, either; --dry-run shows the change")
	}
	if a.view.Why != "" && !a.w.NoCommit {
		return a.wait(ctx, a.view)
	}
	if err := a.writable(); err != nil {
		return err
	}
	err := a.write(ctx)
	switch {
	case errors.Is(err, commit.ErrSigner):
		return a.wait(ctx, a.view.because(signerSlow))
	case errors.Is(err, git.ErrLeft):
		return a.afterLeaving(ctx)
	case err == nil && a.receipt.Commit != "":
		a.keepFromGit(ctx)
	}
	return err
}

// Policy returns config.yaml as it is on disk, with the settings of git config and of the
// flags. Use [View.Policy] where there is a view.
func (p *Workspace) Policy(ctx context.Context) (policy.Config, error) {
	return NewView(p.folder(), nil, p.Settings).Policy(ctx)
}

// Policy returns config.yaml with the settings of git config and of the flags.
func (v *View) Policy(ctx context.Context) (policy.Config, error) {
	cfg, err := v.Store.Config()
	if err != nil {
		return cfg, err
	}
	if mode, err := configuredMode(ctx, v.Repo); err != nil {
		return cfg, err
	} else if mode != "" {
		cfg.Commit = mode
	}
	if cfg.Commit == "" {
		cfg.Commit = policy.Own
	}
	if v.OnRef() {
		cfg.Commit = policy.Ref // it may be configured nowhere
	}
	if set, ok, err := v.Repo.Config().Get(ctx, "ckpt.recover"); err != nil {
		return cfg, err
	} else if ok {
		cfg.Recover, err = policy.ParseRecover(set)
		if err != nil {
			return cfg, fault.New(fault.Invalid, "git config ckpt.recover: %w", err)
		}
	}
	if v.settings.NoCommit {
		cfg.Commit = policy.Off
	}
	return cfg, nil
}

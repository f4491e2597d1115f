package workspace

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/stats"
	"example.com/ckpt/internal/workspace/store"
)

// Mode tells where the content of a transaction's files comes from, and so which checks are made.
type Mode int

const (
	Edit    Mode = iota // new content, which is checked
	Save                // the files already have the content, apart from marks that the save clears
	Restore             // content from history
	Merge               // the resolved files of a merge in git, which are written and staged, not committed
)

// fromHistory reports whether the content was checked when it was first written.
func (m Mode) fromHistory() bool { return m >= Restore }

// Tx is a transaction: the files that a command wants to change, and how.
type Tx struct {
	Op, ID, Summary string
	Path            string // the file that the receipt names, relative to the folder
	Name            string // set by new: the name from which the id is made; a secret in it is refused
	Copied          string // set by new for a fork: the text that is copied from the parent
	Files           change.Set
	Mode            Mode
	Commit          policy.Commit // the commit mode for this transaction; empty means that of the policy
	Remarks         []string
	Trailers        []string
	Undoes          []string // the commits that the transaction reverts
	Branch          string   // the branch of the newest commit in Undoes, if another branch is checked out
	Resolution      *result.Resolution
	Takes           []record.Words // the user's messages that it takes up; with an empty Said all of a session
	Next            string         // set by done: the first next action that is still open
	BeforeCommit    func()         // called after all checks, before the commit; may be nil

	replaced []result.Replaced
	keep     string                   // the flag that would append next actions instead of replacing them; may be empty
	cleared  []*checkpoint.Checkpoint // the checkpoints that it changes only to unmark them
}

// Put makes the transaction write a file, or remove it if after is nil.
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

// PlanFunc computes a transaction from the checkpoints; it must not write.
type PlanFunc func(v *View, now time.Time) (*Tx, error)

// Change carries out every operation: it takes the lock, loads a view, computes the transaction, commits it to the
// checkpoint ref, publishes it and returns the receipt. An error means that the transaction was not applied. A dry
// run writes nothing. What cannot be published now is left to the next command.
//
// If another program, such as an editor or a git pull, changes the same files or the ref meanwhile, Change computes
// the transaction again.
func (p *Workspace) Change(ctx context.Context, scope store.Scope, do PlanFunc) (receipt *result.Receipt, err error) {
	defer func() { p.files.Blind = false }()
	torn := false // the last error may be due to a file that git is writing
	for try := range 20 {
		p.files.Blind = try >= 5 // otherwise a program that moves HEAD all the time would block the operation
		receipt, err = p.changeOnce(ctx, scope, do)
		moved := errors.Is(err, git.ErrMoved) || errors.Is(err, disk.ErrChanged)
		torn = fault.KindOf(err) == fault.NotFound || fault.KindOf(err) == fault.Invalid
		if !moved && !(torn && p.Repo.Index().IsLocked()) {
			return receipt, err
		}
		time.Sleep(time.Duration(try) * 5 * time.Millisecond) // git may have locked the index
	}
	locked := p.Repo.Index().DescribeLock()
	switch {
	case torn:
		return nil, err
	case locked != "":
		return nil, fault.New(fault.Busy, "%s", locked).WithHint("try again; if no git is running, remove the file")
	}
	return nil, fault.New(fault.Busy, "%w", err).WithHint("try again")
}

func (p *Workspace) changeOnce(ctx context.Context, scope store.Scope, do PlanFunc) (*result.Receipt, error) {
	began := time.Now()
	lock := p.lockForChange
	if p.DryRun {
		lock = p.lockToRead
	}
	view, unlock, err := lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	cfg, err := view.Policy(ctx)
	if err != nil {
		return nil, err
	}
	a := &applying{w: p, view: view, cfg: cfg, now: p.Now()}
	if err := a.plan(scope, do); err != nil {
		return nil, err
	}
	if err := a.checkAndSaveEdits(ctx, scope, do); err != nil {
		return nil, err
	}
	a.receipt = Receipt(a.folder(), a.tx)
	switch {
	case a.tx.Files.Empty() && a.tx.Op == OpSave && a.view.found != nil && a.view.found.Unsure():
		return nil, git.ErrMoved // git was changing the files, so edits by hand may have been missed
	case a.tx.Files.Empty() && len(a.tx.Undoes) == 0:
		a.receipt.Unchanged = true
		if !p.DryRun {
			if err := a.view.absorbed.MoveRef(ctx); err != nil {
				return nil, err
			}
			if a.tx.Op == OpSave && cfg.Commit == policy.Own && a.view.found != nil {
				if err := a.view.branch.RecordOwed(a.view.state, a.view.found.Saved(), a.view.tip, true); err != nil {
					return nil, err
				}
			}
			_ = p.publishOwed(ctx, a.view, false) // if it fails, the next command tries again
		}
		a.receipt.Remarks = append(a.view.Remarks(), a.receipt.Remarks...)
		return a.receipt, nil
	case p.DryRun:
		a.receipt.DryRun = true
		a.receipt.Diff = change.Patch(a.tx.Files.Under(a.folder()))
		return a.receipt, nil
	}
	if err := a.perform(ctx); err != nil {
		return nil, err
	}
	_ = p.Repo.Objects().Database().Loosen() // if it fails, the next command is slower
	a.sayReplaced()
	a.receipt.Remarks = append(a.view.Remarks(), a.receipt.Remarks...)
	p.Trust.ByChange(p.InHook)
	if a.tx.Op != OpInit {
		p.Figures.Record(stats.Entry{Kind: stats.Save, Bytes: a.tx.Files.Size()}, began)
	}
	if p.InHook { // an operation of a hook records no message of the user
		a.tx.Takes = nil
	}
	did := record.Entry{At: a.now, Tool: a.tx.Op, Checkpoint: a.tx.ID, Commit: a.made, Undoes: a.tx.Undoes}
	p.Recorder.Operation(ctx, did, a.tx.Takes)
	return a.receipt, nil
}

// lockForChange returns a view without checkpoints, under the exclusive lock.
func (p *Workspace) lockForChange(ctx context.Context) (v *View, unlock func(), err error) {
	unlock, err = p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return nil, nil, err
	}
	v, err = p.Load(ctx)
	if err != nil {
		unlock()
	}
	return v, unlock, err
}

// checkAndSaveEdits refuses secrets, and edits by hand that add an error. If the check fails, it runs once more
// without the files that the transaction changes only to unmark their checkpoints. Other edits by hand are saved as
// an operation of their own, and then the transaction is computed again.
func (a *applying) checkAndSaveEdits(ctx context.Context, scope store.Scope, do PlanFunc) error {
	remarks := slices.Clone(a.tx.Remarks)
	edits, lost, err := a.check(ctx)
	var marksStay error
	if err != nil && len(a.tx.cleared) > 0 {
		marksStay = err
		a.tx.keepMarks(remarks, marksStay)
		edits, lost, err = a.check(ctx)
	}
	if len(edits) == 0 || a.w.DryRun || err != nil {
		return err
	}
	saved, err := a.saveEdits(ctx, edits, lost)
	if err != nil {
		return err
	}
	began := a.view.Began
	a.view, err = a.w.Load(ctx)
	if err != nil {
		return err
	}
	a.view.Began = began
	if err := a.plan(scope, do); err != nil {
		return err
	}
	if marksStay != nil {
		a.tx.keepMarks(a.tx.Remarks, marksStay)
	}
	a.tx.Remarks = append(saved.Remarks, a.tx.Remarks...)
	return nil
}

// check refuses the transaction if it adds a secret or an error. It returns the edits by hand of the transaction's
// files, which must be committed first, and remarks on what they have removed.
func (a *applying) check(ctx context.Context) (edits []change.File, lost []string, err error) {
	if a.tx.Mode == Edit || a.tx.Mode == Restore && a.tx.Op != OpDoctor {
		edits, lost, err = a.handEdits(ctx)
	}
	if err == nil && (len(edits) > 0 || a.tx.Mode == Save) {
		err = a.view.steady(ctx, a.tx.Files.Files)
	}
	if err == nil { // check the edits first: the transaction may move their lines
		err = cmp.Or(a.noSecrets(SaveEdits(edits, "")), a.noSecrets(a.tx))
	}
	if a.tx.Op == OpInit { // init itself commits the edits of config.yaml
		edits = nil
	}
	return edits, lost, err
}

// applying is a transaction that is being applied.
type applying struct {
	w       *Workspace
	view    *View // the checkpoints that the transaction was computed from
	tx      *Tx
	cfg     policy.Config
	now     time.Time
	made    string // the commit on the checkpoint ref; may be empty
	receipt *result.Receipt
}

// folder returns the folder of the transaction's files, relative to the worktree's root: Prefix if a branch of the
// code tracks them, otherwise the folder of the checkpoint files.
func (a *applying) folder() string {
	if a.tx.Commit != "" || a.tx.Mode == Merge {
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
	return readable(o, v.FilesDir)
}

// readable refuses an operation that adds a zero byte, or makes a checkpoint's file unreadable. It does not check
// content from history, or a save, which checks its files itself.
func readable(o *Tx, prefix string) error {
	if o.Mode == Save || o.Mode.fromHistory() {
		return nil
	}
	zeros := 0 // how many zero bytes are added: git treats a file with one as binary
	for _, f := range o.Files.Files {
		zeros += bytes.Count(f.After, []byte{0}) - bytes.Count(f.Before, []byte{0})
	}
	if zeros > 0 {
		return fault.New(fault.Invalid, "a zero byte: this is not text")
	}
	for _, f := range o.Files.Files {
		if err := merge.Readable(f.Path, f.After); err != nil && merge.Readable(f.Path, f.Before) == nil {
			return fault.New(fault.Invalid, "%s would be unreadable after this: %w", prefix+"/"+f.Path, err).
				WithHint("fix the input and try again")
		}
	}
	return nil
}

// perform writes and stages the files of a resolve during a merge, and commits any other transaction.
func (a *applying) perform(ctx context.Context) error {
	if a.w.mode == policy.Own {
		a.receipt.Published = new(bool)
	}
	if a.tx.Mode == Merge {
		return cmp.Or(a.view.absorbed.MoveRef(ctx), a.writeMerged(ctx))
	}
	if a.cfg.Commit == policy.Off && !a.w.Publishes() {
		return fault.New(fault.Usage, "commit: ref: a change is a commit on %s: --no-commit cannot be given",
			a.w.files.Ref.Name()).
			WithHint("no branch, index or other file changes without it, either; --dry-run shows the change")
	}
	return a.commit(ctx)
}

// Policy returns the policy in config.yaml as it is on disk. Settings in git config and flags take precedence.
// Callers that have a view use [View.Policy].
func (p *Workspace) Policy(ctx context.Context) (policy.Config, error) {
	return (&View{Folder: p.folder(p.Repo), settings: p.Settings}).Policy(ctx)
}

// Policy returns the policy in the view's config.yaml. Settings in git config and flags take precedence.
func (v *View) Policy(ctx context.Context) (policy.Config, error) {
	cfg, err := v.Store.Config()
	if err != nil {
		return cfg, err
	}
	mode, err := configuredMode(ctx, v.Repo)
	if err != nil {
		return cfg, err
	}
	cfg.Commit = cmp.Or(mode, cfg.Commit, policy.Own)
	if set, ok, err := v.Repo.Config().Get(ctx, "ckpt.recover"); err != nil {
		return cfg, err
	} else if ok {
		cfg.Recover, err = policy.ParseRecover(set)
		if err != nil {
			return cfg, fault.New(fault.Invalid, "git config ckpt.recover: %w", err).WithHint("git config ckpt.recover suggest")
		}
	}
	if v.settings.NoCommit {
		cfg.Commit = policy.Off
	}
	return cfg, nil
}

package workspace

import (
	"context"
	"errors"
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
	"example.com/ckpt/internal/workspace/uncommitted"
)

// Mode tells where the content of a transaction's files comes from, and so what is checked
// of it and what follows from it.
type Mode int

const (
	Edit    Mode = iota // new content: checked, and the indexes follow
	Exact               // new content: checked; nothing but the listed files changes
	Save                // the files on disk have the content already: only the commit is made
	Restore             // content that history has; the indexes follow
	Revert              // content that history has; nothing but the listed files changes
	Merge               // as Revert, written and staged into the merge that git has in progress
)

// indexesFollow reports whether INDEX.md and the keep files are brought up to date.
func (m Mode) indexesFollow() bool { return m == Edit || m == Restore }

// fromHistory reports whether the content was checked when it was first written.
func (m Mode) fromHistory() bool { return m >= Restore }

// Tx is a transaction: the files that a command wants to change, and how.
type Tx struct {
	Op, ID, Summary string
	Path            string // the file that the receipt names, relative to the folder
	Files           change.Set
	Mode            Mode
	Commit          policy.Commit // how it is committed; empty means as the policy demands
	Remarks         []string
	Trailers        []string
	Undoes          []string                 // the commits that it reverts
	Undone          []*uncommitted.Operation // operations without a commit that it reverts
	Resolution      *result.Resolution

	replaced  []result.Replaced
	keep      string // the flag that appends next actions instead of replacing them, if any
	clean     bool   // HEAD is known to have the files as they were found
	recommits bool   // a commit has what it reverts, which was recorded as without a commit
}

// Put makes the transaction write a file. Nil after removes it.
func (o *Tx) Put(rel string, before, after []byte) {
	o.Files.Add(change.File{Path: rel, Before: before, After: after})
}

// Revise makes the transaction write a revised checkpoint, which may have moved.
func (o *Tx) Revise(old, revised *checkpoint.Checkpoint) {
	if old.Path != revised.Path {
		o.Put(old.Path, old.Doc.Bytes(), nil)
		o.Put(revised.Path, nil, revised.Doc.Bytes())
		return
	}
	o.Put(old.Path, old.Doc.Bytes(), revised.Doc.Bytes())
}

// PlanFunc computes a transaction from the checkpoints; it must not write.
type PlanFunc func(set *checkpoint.Set, now time.Time) (*Tx, error)

// Change makes every change: lock, read, compute the operation, update INDEX.md, commit,
// write the files, return the receipt. An error means that nothing has changed; a dry run
// stops before anything is written. While git is in the middle of something the operation
// becomes pending; pending operations land before the next one.
//
// If another program changes the same files or their versions in the branch meanwhile (an
// editor, a pull, a reset), the operation is computed again.
func (p *Workspace) Change(ctx context.Context, scope store.Scope, do PlanFunc) (receipt *result.Receipt, err error) {
	for try := range 5 {
		receipt, err = p.changeOnce(ctx, scope, do)
		switch {
		case errors.Is(err, git.ErrMoved), errors.Is(err, disk.ErrChanged):
		case try == 0 && fault.KindOf(err) == fault.NotFound && p.Repo.Worktree().FilesMoving():
			time.Sleep(100 * time.Millisecond) // a checkout removes a file before it writes it
		default:
			return receipt, err
		}
	}
	return nil, fault.New(fault.Busy, "%w", err).WithHint("try again")
}

func (p *Workspace) changeOnce(ctx context.Context, scope store.Scope, do PlanFunc) (*result.Receipt, error) {
	began := time.Now()
	if err := p.RecoverInterrupted(ctx); err != nil {
		return nil, err
	}
	mode := disk.Exclusive
	if p.DryRun {
		mode = disk.Shared
	}
	unlock, err := p.Repo.Lock(ctx, mode)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if !p.DryRun {
		if err := p.Recover(ctx); err != nil {
			return nil, err
		}
	}
	state, err := p.LoadState(ctx)
	if err != nil {
		return nil, err
	}
	cfg, err := p.Policy(ctx)
	if err != nil {
		return nil, err
	}
	now := p.Now()
	o, set, err := p.plan(scope, do, now)
	if err != nil {
		return nil, err
	}
	if o.Commit != "" {
		cfg.Commit = o.Commit
	}
	note, landedCommit := func(err error) error { return err }, ""
	if state.Pending != nil && state.Why == "" && !p.DryRun { // known by now: the operation is possible
		landed, err := p.landFirst(ctx, state, cfg, now)
		if err != nil {
			return nil, err
		}
		if landed != nil {
			note, landedCommit = func(err error) error { return afterLanding(err, landed) }, landed.Commit
		}
		o, set, err = p.plan(scope, do, now)
		if err != nil {
			return nil, note(err)
		}
		committed := landed != nil && landed.Pending+landed.Commit != ""
		if committed && o.Mode == Save && o.Files.Empty() {
			p.addLosses(ctx, o, landed)
			return landed, nil
		}
		if landed != nil {
			o.Remarks = append(landed.Remarks, o.Remarks...)
		}
	}
	if state.Why == "" && cfg.Commit != policy.Off && o.Mode == Edit {
		if err := p.handEdits(ctx, o, cfg.Commit == policy.Stage); err != nil {
			return nil, note(err)
		}
	}
	if err := p.noSecrets(ctx, o, state, cfg); err != nil {
		return nil, err
	}
	receipt := p.Receipt(o)
	switch {
	case o.Files.Empty():
		receipt.Unchanged = true
		p.addLosses(ctx, o, receipt)
		return receipt, nil
	case p.DryRun:
		receipt.DryRun = true
		receipt.Diff = change.Patch(o.Files.Under(p.Prefix))
		return receipt, nil
	}
	if err := p.perform(ctx, state, o, cfg, now, receipt); err != nil {
		return nil, note(err)
	}
	p.sayReplaced(ctx, o, cfg, receipt)
	p.addLosses(ctx, o, receipt, landedCommit)
	p.rememberCurrent(set, o, state.on)
	p.Trust.ByChange(p.InHook)
	p.Figures.Record(stats.Entry{Kind: stats.Save, Bytes: o.Files.Size()}, began)
	p.Recorder.Operation(ctx, o.Op, o.ID, now)
	return receipt, nil
}

// plan loads the checkpoints and computes the transaction, with INDEX.md. It changes nothing.
func (p *Workspace) plan(scope store.Scope, do PlanFunc, now time.Time) (*Tx, *checkpoint.Set, error) {
	set, err := p.Store.Load(scope)
	if err != nil {
		return nil, nil, err
	}
	o, err := do(set, now)
	if err != nil {
		return nil, nil, err
	}
	if err := p.readable(o); err != nil {
		return nil, nil, err
	}
	if o.Mode.indexesFollow() {
		err = p.syncIndexes(set, o)
	}
	if err == nil {
		err = p.addKeepFiles(o)
	}
	return o, set, err
}

// readable refuses an operation that would make a checkpoint's file unreadable. What
// history has may come back as it was; save looks at its files itself.
func (p *Workspace) readable(o *Tx) error {
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
		return fault.New(fault.Invalid, "nobody could read %s after this: %w", p.FromRoot(f.Path), err).
			WithHint("mend what was given, and try again")
	}
	return nil
}

// perform makes the change. Where git does not allow a commit now, or has begun something
// since the operation began, the operation becomes pending.
func (p *Workspace) perform(ctx context.Context, s *State, o *Tx, policy policy.Config, now time.Time,
	receipt *result.Receipt) error {
	if o.Mode == Merge {
		return p.writeMerged(ctx, o, receipt)
	}
	if s.Why != "" && !p.NoCommit {
		return p.wait(ctx, s, o, policy, now, receipt)
	}
	if err := p.writable(o, s); err != nil {
		return err
	}
	err := p.write(ctx, s.on, o, policy, now, receipt)
	switch {
	case errors.Is(err, commit.ErrSigner):
		s.Why = signerSlow
		return p.wait(ctx, s, o, policy, now, receipt)
	case errors.Is(err, git.ErrLeft):
		return p.afterLeaving(ctx, s.on, o, policy, now, receipt)
	case err == nil && receipt.Commit != "":
		p.keepFromGit(ctx, o, policy, now, receipt)
	}
	return err
}

// Policy is config.yaml, with what git config and the flags say on top.
func (p *Workspace) Policy(ctx context.Context) (policy.Config, error) {
	cfg, err := p.Store.Config()
	if err != nil {
		return cfg, err
	}
	if mode, ok, err := p.Repo.Config().Get(ctx, "ckpt.commit"); err != nil {
		return cfg, err
	} else if ok {
		cfg.Commit, err = policy.ParseCommit(mode)
		if err != nil {
			return cfg, fault.New(fault.Invalid, "git config ckpt.commit: %w", err)
		}
	}
	if set, ok, err := p.Repo.Config().Get(ctx, "ckpt.recover"); err != nil {
		return cfg, err
	} else if ok {
		cfg.Recover, err = policy.ParseRecover(set)
		if err != nil {
			return cfg, fault.New(fault.Invalid, "git config ckpt.recover: %w", err)
		}
	}
	if p.NoCommit {
		cfg.Commit = policy.Off
	}
	return cfg, nil
}

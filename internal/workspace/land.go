package workspace

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/pending"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/store"
)

// OpLand is the name of the operation that commits pending operations.
const OpLand = "land"

// landFirst lands the pending operations before another one. Where the signer does not
// answer, or git has begun something by now, they stay pending and the new operation
// joins them: the view is that of this moment, and the receipt is nil.
func (a *applying) landFirst(ctx context.Context) (*result.Receipt, error) {
	landed, err := a.land(ctx)
	slow, left := errors.Is(err, commit.ErrSigner), errors.Is(err, git.ErrLeft)
	if !slow && !left {
		a.view = a.view.onDisk()
		return landed, err
	}
	again, err := a.w.Load(ctx)
	if err != nil {
		return nil, err
	}
	if left && again.Why == "" { // HEAD is on another branch
		return nil, git.ErrMoved
	}
	if slow {
		again = again.because(signerSlow)
	}
	a.view = again
	return nil, nil
}

// afterLanding adds to the error of an operation that pending operations were committed before it.
func afterLanding(err error, landed *result.Receipt) error {
	if landed.Commit == "" {
		return err
	}
	return fault.New(fault.KindOf(err), "%w\n(what waited has landed all the same: %s)", err, landed.Commit[:7]).
		WithHint("%s", fault.HintOf(err))
}

// land writes the pending operations to the working tree and commits them as one operation, and
// then removes the pending ref. Changes that cannot be merged stay pending. If the process is
// killed half way, landing again finds the files as wanted.
func (a *applying) land(ctx context.Context) (*result.Receipt, error) {
	p, s := a.w, a.view
	all, err := pending.Of(p.Repo).Commits(ctx, s.Pending)
	if err != nil {
		return nil, err
	}
	o := landing(all)
	o.Files.Files = append(o.Files.Files, s.Merged...)
	onDisk, err := s.Disk(store.All)
	if err != nil {
		return nil, err
	}
	o.Remarks = append(o.Remarks, s.remarks...)
	l := &applying{w: p, view: onDisk, tx: o, cfg: a.cfg, now: a.now, receipt: Receipt(p.Prefix, o)}
	if err := l.noSecrets(ctx); err != nil {
		return nil, fault.New(fault.KindOf(err), "land what waits in %s: %w", s.Pending.Ref, err).
			WithHint("%s", fault.HintOf(err))
	}
	receipt := l.receipt
	if !o.Files.Empty() {
		if err := l.write(ctx); err != nil {
			return nil, fault.New(fault.KindOf(err), "land what waits in %s: %w", s.Pending.Ref, err).
				WithHint("%s", fault.HintOf(err))
		}
		l.rememberCurrent()
		landed := text.Count(len(all), "operation") + " that waited in " + s.Pending.Ref + " landed"
		if s.Pending.Inherited {
			landed += ", left by an earlier worktree of this name"
		}
		receipt.Remarks = append([]string{landed}, receipt.Remarks...)
	}
	switch {
	case len(s.stuck) > 0 && o.Files.Empty():
		return receipt, nil
	case len(s.stuck) > 0:
		branch, err := p.Repo.Branches().OwnBranch(s.on)
		if err != nil {
			return receipt, err
		}
		return receipt, pending.Of(p.Repo).
			Append(ctx, s.Pending, s.Pending.Branch, s.stuck, pendingMessage(a.cfg, o, branch), a.now)
	}
	return receipt, pending.Of(p.Repo).Delete(ctx, s.Pending)
}

// landing returns the operation that commits the given pending ones, which are listed from the
// newest.
func landing(all []log.Commit) *Tx {
	o := &Tx{Op: OpLand}
	var ids, said []string
	for _, c := range slices.Backward(all) {
		ids = append(ids, c.Trailers[TrailerID]...)
		said = append(said, strings.TrimPrefix(c.Subject, "ckpt: "))
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 1 {
		o.ID = ids[0]
	} else {
		for _, id := range ids {
			o.Trailers = append(o.Trailers, TrailerID+": "+id)
		}
	}
	for _, c := range all {
		for _, undone := range c.Trailers[TrailerUndoes] {
			o.Trailers = append(o.Trailers, TrailerUndoes+": "+undone)
		}
	}
	o.Summary = text.Count(len(all), "operation") + " that waited\n\n- " + strings.Join(said, "\n- ")
	return o
}

// LandNow commits the pending operations, if nothing prevents that, without another operation.
func (p *Workspace) LandNow(ctx context.Context) error {
	if p.DryRun || p.Repo.InProgress() != "" {
		return nil
	}
	if waiting, err := pending.Of(p.Repo).Load(ctx); waiting == nil || err != nil {
		return err
	}
	_, err := p.Change(ctx, store.Live, func(*View, time.Time) (*Tx, error) {
		return &Tx{Op: OpLand}, nil
	})
	return err
}

// Package sync exchanges checkpoints with a remote: it fetches the checkpoint ref, merges it
// without a working tree, pushes, and moves the ref only when the remote has taken the result.
//
// It never sends code, never forces a push and never leaves a merge commit that was not pushed. Others may
// push at any time: after a refused push a new round begins.
package sync

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/remote"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// Request selects how to sync.
type Request struct {
	Timeout time.Duration // how long to try again while others push
	Watch   io.Writer     // a terminal for progress; nil means no progress

	onlyToSend bool // do nothing if the ref is as the remote's at the last fetch
}

// Syncer syncs a workspace.
type Syncer struct{ *workspace.Workspace }

// New returns a Syncer for a workspace.
func New(w *workspace.Workspace) *Syncer { return &Syncer{w} }

// Sync merges the checkpoint ref with the ref of the remote, and pushes the result. No other
// operation uses the network. The ref here moves only after the push was accepted, so a sync that
// fails has changed nothing here. If the remote has changed meanwhile, Sync begins again until the
// timeout. HEAD, the index and the branches take no part, and code is not exchanged.
func (p *Syncer) Sync(ctx context.Context, req Request) (*result.Sync, error) {
	if p.NoCommit {
		return nil, fault.New(fault.Usage, "sync sends and receives commits: --no-commit cannot be given").
			WithHint("ckpt sync --dry-run")
	}
	ref := p.Files().Ref
	up, err := remote.Of(p.Repo).OfRef(ctx, ref.Name())
	if err != nil {
		return nil, err
	}
	s := &refSync{Syncer: p, ref: ref, up: up, req: req}
	s.report = &result.Sync{Branch: up.Branch, Upstream: up.Name(), DryRun: p.DryRun}
	if req.onlyToSend {
		if r, err := s.compare(ctx); err != nil || r.mine == r.theirs {
			return s.report, err
		}
	}
	before, err := s.takeIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := req.repeat(ctx, s.report, s.round); err != nil {
		return nil, explain(err, req, s.report)
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	remarks := append(s.report.Remarks, s.found...)
	if was := before.Set.Current(); was != nil && !slices.Contains(workspace.IDs(view.Set.Active()), was.ID) {
		remarks = append(remarks, was.ID+" was current here, and others have archived or deleted it (ckpt use ID)")
	}
	edits, err := view.Edits(ctx, store.All)
	onlyOnBranches := func(f change.File) bool { return !checkout.Written(f.Path) } // never sent, such as config.yaml
	edits = slices.DeleteFunc(edits, onlyOnBranches)
	if len(edits) > 0 {
		remarks = append(remarks, text.Count(len(edits), "file")+" in "+view.FilesDir+
			"/ with changes that no commit has: not sent (ckpt save)")
	}
	s.report.Remarks = remarks
	return s.report, err
}

// repeat repeats rounds until both sides agree or the time is up.
func (req Request) repeat(ctx context.Context, report *result.Sync, round func(context.Context) error) error {
	deadline := time.Now().Add(req.Timeout)
	for {
		report.Rounds++
		began := time.Now()
		err := round(ctx)
		is := func(target error) bool { return errors.Is(err, target) }
		mayPass := []error{remote.ErrRejected, remote.ErrDeclined, git.ErrMoved, disk.ErrChanged}
		if !slices.ContainsFunc(mayPass, is) || report.DryRun {
			return err
		}
		left := time.Until(deadline)
		if left <= 0 {
			return err
		}
		wait := pause(report.Rounds, time.Since(began), left)
		if req.Watch != nil && report.Rounds > 3 {
			fmt.Fprintf(req.Watch, "ckpt: %v; trying again\n", err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(wait):
		}
	}
}

// pause returns how long to wait after round n, which took the given time. If many clones push at once, only one of
// them succeeds. So each waits a random time: at most that of 2, 4, 8 and then 16 rounds, and at most two thirds of
// the time left.
func pause(n int, took, left time.Duration) time.Duration {
	return rand.N(max(min(time.Duration(1<<min(n, 4))*took, left*2/3), time.Millisecond))
}

// explain adds to the error of a sync what was sent before it, and a hint.
func explain(err error, req Request, report *result.Sync) error {
	hint := fault.HintOf(err)
	switch {
	case errors.Is(err, remote.ErrDeclined) && hint == "":
		hint = "ckpt sync --timeout 2m tries for longer"
	case errors.Is(err, remote.ErrRejected):
		err = fault.New(fault.Busy, "%w, %s in %s", err, text.Count(report.Rounds, "time"), req.Timeout)
		hint = "ckpt sync --timeout 2m tries for longer"
	case errors.Is(err, git.ErrMoved), errors.Is(err, disk.ErrChanged):
		err = fault.New(fault.Busy, "%w", err)
		hint = "try again"
	}
	if report.Sent > 0 {
		err = fault.New(fault.KindOf(err), "%w\n(%s has your checkpoints; the next ckpt sync goes on from there)",
			err, report.Upstream)
	}
	if hint == "" {
		return err
	}
	return fault.New(fault.KindOf(err), "%w", err).WithHint("%s", hint)
}

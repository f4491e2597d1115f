// Package sync exchanges checkpoints with a remote: it fetches, merges the checkpoints folders
// as objects, pushes, and moves the branch only when the remote has taken the result.
//
// It never sends code unless told to, never forces a push and never leaves a merge commit that was
// not pushed. Others may push at any time: after a refused push a new round begins.
package sync

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/remote"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/resolve"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/sync/folder"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// Request selects how to sync.
type Request struct {
	WithCode bool                                // also send commits that change more than checkpoints
	Timeout  time.Duration                       // how long to try again while others push
	Yes      bool                                // send to the remote's default branch without asking
	Ask      func(question string) (bool, error) // asks a person; nil if there is no terminal
	Watch    io.Writer                           // a terminal for progress; nil means no progress
}

// Syncer syncs a workspace.
type Syncer struct {
	checkpoints
	workspace.Settings
	repo     *git.Repo
	prefix   string // the checkpoints folder, from the repository's root
	fromRoot func(rel string) string
	resolve  *resolve.Resolver
}

// checkpoints reads the checkpoints, and commits or completes what is in the way of a sync.
type checkpoints interface {
	Read(ctx context.Context, scope store.Scope) (*workspace.View, error)
	Policy(ctx context.Context) (policy.Config, error)
	LandNow(ctx context.Context) error
	Recover(ctx context.Context) error
	CheckpointRef() (ckptref.Ref, *checkout.Checkout)
	MoveRef(ctx context.Context, from, to, why string) error
}

// New returns a Syncer for a workspace.
func New(w *workspace.Workspace) *Syncer {
	return &Syncer{
		checkpoints: w, Settings: w.Settings, repo: w.Repo, prefix: w.Prefix,
		fromRoot: w.FromRoot, resolve: resolve.New(w),
	}
}

// Sync merges the checkpoints of the current branch with those of the remote branch that it
// follows, and pushes the result. No other operation uses the network.
//
// The branch moves only after the push was accepted, so a sync that fails has changed nothing here.
// If the remote has changed meanwhile, or a hook of the remote refused, Sync begins again until the
// timeout.
//
// Code is not exchanged. If a side has commits with code that the other lacks, only the folder is
// exchanged, as one commit; see [syncing.decide].
func (p *Syncer) Sync(ctx context.Context, req Request) (*result.Sync, error) {
	if p.NoCommit {
		return nil, fault.New(fault.Usage, "sync sends and receives commits: --no-commit cannot be given").
			WithHint("ckpt sync --dry-run")
	}
	if ref, files := p.CheckpointRef(); files != nil {
		return p.syncRef(ctx, ref, req)
	}
	if state := p.repo.InProgress(); state != "" {
		return nil, fault.New(fault.Busy, "a %s is in progress", state).
			WithHint("end it (ckpt resolve settles conflicts of checkpoints), then ckpt sync")
	}
	if err := p.LandNow(ctx); err != nil {
		return nil, err
	}
	up, err := remote.Of(p.repo).Upstream(ctx)
	if err != nil {
		return nil, err
	}
	before, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	s := &syncing{Syncer: p, mover: workspace.Mover(before.Folder), up: up, req: req}
	s.report = &result.Sync{Branch: up.Branch, Upstream: up.Name(), DryRun: p.DryRun}
	if err := req.repeat(ctx, s.report, s.round); err != nil {
		return nil, s.explain(err)
	}
	return s.report, s.afterSync(ctx, before.Set.Current())
}

// syncing is one run of Sync.
type syncing struct {
	*Syncer
	up     remote.Upstream
	mover  folder.Mover
	req    Request
	report *result.Sync

	last           *round
	found          []string // findings of the last merge
	sent, sentFrom string   // the last pushed commit, and where the branch was then
}

// repeat repeats rounds until both sides agree or the time is up.
func (req Request) repeat(ctx context.Context, report *result.Sync, round func(context.Context) error) error {
	deadline := time.Now().Add(req.Timeout)
	for {
		report.Rounds++
		began := time.Now()
		err := round(ctx)
		if err == nil || !passing(err) || report.DryRun {
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

// passing reports whether a new round may succeed after this error.
func passing(err error) bool {
	for _, target := range []error{remote.ErrRejected, remote.ErrDeclined, git.ErrMoved, disk.ErrChanged} {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}

// pause returns how long to wait after the nth round, of the given duration, if enough time is left.
// If many push at once, only one of them succeeds. So each waits a random time, of up to 2, 4, 8 and
// then 16 rounds: few run at any moment, and after the first rounds the fewer the more there are.
func pause(n int, took, left time.Duration) time.Duration {
	return rand.N(max(min(time.Duration(1<<min(n, 4))*took, left*2/3), time.Millisecond))
}

// explain adds to an error what was done before, and how to solve it.
func (s *syncing) explain(err error) error {
	if errors.Is(err, remote.ErrProtected) {
		hint := fmt.Sprintf("git switch -c NAME && git push -u %s NAME, then a pull request; "+
			"ckpt sync works on that branch; or ckpt migrate --to ref: a ref is not protected", s.up.Remote)
		return explain(fault.New(fault.KindOf(err), "%w", err).WithHint("%s", hint), s.req, s.report)
	}
	return explain(err, s.req, s.report)
}

// explain adds to the error of a sync what was done before, and how to solve it.
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

// afterSync adds remarks to the report. Was is the checkpoint that was current before.
func (s *syncing) afterSync(ctx context.Context, was *checkpoint.Checkpoint) error {
	s.report.Remarks = append(s.found, s.last.codeRemarks(s.report)...)
	view, err := s.Read(ctx, store.Live)
	if err != nil {
		return err
	}
	set := view.Set
	if c := set.Current(); was != nil && c != nil && c.ID != was.ID {
		remark := fmt.Sprintf("%s is current now, as in %s; %s was", c.ID, s.report.Upstream, was.ID)
		if slices.Contains(workspace.IDs(set.All), was.ID) {
			remark += " (ckpt use " + was.ID + ")"
		}
		s.report.Remarks = append(s.report.Remarks, remark)
	}
	s.report.Remarks = append(s.report.Remarks, workspace.AlsoMarkedIn(set)...)
	s.report.Remarks, err = s.notSent(ctx, view, s.report.Remarks)
	return err
}

// notSent adds a remark on files with edits that no commit has.
func (p *Syncer) notSent(ctx context.Context, view *workspace.View, remarks []string) ([]string, error) {
	edits, err := view.Edits(ctx, store.All)
	if len(edits) > 0 {
		remarks = append(remarks, text.Count(len(edits), "file")+" in "+view.FilesDir+
			"/ with changes that no commit has: not sent (ckpt save)")
	}
	return remarks, err
}

// codeRemarks returns remarks on code that only one side has, with the commands that exchange it. A
// plain git pull fails if both sides have new commits, and git push fails if the remote has.
func (r *round) codeRemarks(s *result.Sync) []string {
	var all []string
	add := func(n int, where, what, how string) {
		verb := "are"
		if n == 1 {
			verb = "is"
		}
		if n > 0 {
			all = append(all, fmt.Sprintf("%s with code%s %s not %s (%s)", text.Count(n, "commit"), where, verb, what, how))
		}
	}
	push := "git push, or ckpt sync --with-code"
	switch {
	case r.codeThere > 0:
		push = "git pull --no-rebase, then git push"
	case len(r.behind) > 0 || r.sends == asFolder:
		push = "ckpt sync --with-code, or git pull --no-rebase, then git push"
	}
	add(s.CodeHere, "", "sent", push)
	pull := "git pull"
	if len(r.ahead) > 0 || r.takes == asFolder {
		pull += " --no-rebase"
	}
	add(s.CodeThere, " of "+s.Upstream, "brought in", pull)
	return all
}

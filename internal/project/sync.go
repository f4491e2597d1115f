package project

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/phrase"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/setup"
	"example.com/ckpt/internal/store"
)

// SyncRequest says what may go over.
type SyncRequest struct {
	WithCode bool      // also commits of the branch that change more than checkpoints
	Watch    io.Writer // a terminal on which git shows its progress, and may ask; nil for none
}

// Sync brings the current branch and the remote one that it follows together, as far
// as that concerns checkpoints alone: commits that change anything else are brought by
// `git pull`, and sent only where the request says so. It is the only deed that talks
// to a network. What is refused is refused before the branch or the remote has changed;
// where the push fails, what was received stays.
func (p *Project) Sync(ctx context.Context, req SyncRequest) (*report.Sync, error) {
	if state := p.Repo.InProgress(); state != "" {
		return nil, fault.New(fault.Busy, "a %s is in progress", state).WithHint("end it (ckpt resolve settles conflicts of checkpoints), then ckpt sync")
	}
	if err := p.landNow(ctx); err != nil {
		return nil, err
	}
	up, err := p.Repo.Upstream(ctx)
	if err != nil {
		return nil, err
	}
	s := &report.Sync{Branch: up.Branch, Upstream: up.Name(), DryRun: p.DryRun}
	for again := range 2 {
		err = p.syncOnce(ctx, up, req, s)
		if err == nil || !errors.Is(err, git.ErrRejected) || again == 1 {
			break // else somebody was faster: once more
		}
	}
	if err != nil {
		if s.Received > 0 {
			err = fault.New(fault.KindOf(err), "%w\n(%s received from %s all the same)", err, phrase.Count(s.Received, "commit"), s.Upstream).WithHint("%s", fault.HintOf(err))
		}
		return nil, err
	}
	return s, p.afterSync(ctx, s)
}

// syncOnce fetches, brings in and sends.
func (p *Project) syncOnce(ctx context.Context, up git.Upstream, req SyncRequest, s *report.Sync) error {
	if !p.DryRun {
		if err := p.Repo.Fetch(ctx, up, req.Watch); err != nil {
			return err
		}
	}
	apart, err := p.Repo.Apart(ctx, up)
	if err != nil {
		return err
	}
	if err := p.onlyCheckpoints(ctx, up, apart, req); err != nil {
		return err
	}
	merges := apart.Behind > 0 && apart.Ahead > 0
	if apart.Behind > 0 {
		if err := p.bringIn(ctx, up, apart); err != nil {
			return err
		}
		s.Received += apart.Behind
	}
	if apart.Ahead == 0 {
		return nil
	}
	if merges {
		apart.Ahead++
		s.Merged = true
	}
	if !p.DryRun {
		if err := p.Repo.Push(ctx, up, req.Watch); err != nil {
			return err
		}
	}
	s.Sent = apart.Ahead
	return nil
}

// onlyCheckpoints refuses commits that change more than checkpoints.
func (p *Project) onlyCheckpoints(ctx context.Context, up git.Upstream, apart git.Apart, req SyncRequest) error {
	coming, going, err := p.Repo.Beyond(ctx, up, apart, p.prefix)
	if err != nil {
		return err
	}
	if len(coming) > 0 {
		return fault.New(fault.Refused, "%s of %s %s more than %s/: %s", phrase.Count(len(coming), "commit"), up.Name(), changes(coming), p.prefix, some(coming)).
			WithHint("git pull, then ckpt sync")
	}
	if len(going) > 0 && !req.WithCode {
		return fault.New(fault.Refused, "%s not pushed yet %s more than %s/: %s", phrase.Count(len(going), "commit"), changes(going), p.prefix, some(going)).
			WithHint("git push, or ckpt sync --with-code sends them, too")
	}
	return nil
}

func changes(commits []string) string {
	if len(commits) == 1 {
		return "changes"
	}
	return "change"
}

// some names the first of many commits.
func some(commits []string) string {
	if n := len(commits); n > 3 {
		return fmt.Sprintf("%s; and %d more", strings.Join(commits[:2], "; "), n-2)
	}
	return strings.Join(commits, "; ")
}

// bringIn makes the branch hold what the remote one has, unless somebody has to choose.
func (p *Project) bringIn(ctx context.Context, up git.Upstream, apart git.Apart) error {
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	driver := setup.DriverOptions()
	clashes, err := p.Repo.Clashes(ctx, apart.To, driver...)
	if err != nil {
		return err
	}
	if len(clashes) > 0 {
		return fault.New(fault.Refused, "both sides have written the same anew in %s", strings.Join(clashes, ", ")).
			WithHint("git pull --no-rebase, ckpt resolve, git commit, then ckpt sync")
	}
	if p.DryRun {
		return nil
	}
	return p.Repo.Join(ctx, apart.To, "Merge remote-tracking branch '"+up.Name()+"'", driver...)
}

// afterSync says what a person should look at.
func (p *Project) afterSync(ctx context.Context, s *report.Sync) error {
	set, err := p.read(ctx, store.Live)
	if err != nil {
		return err
	}
	s.Remarks = append(s.Remarks, alsoMarkedIn(set)...)
	edits, err := p.edits(ctx, store.All)
	if len(edits) > 0 {
		s.Remarks = append(s.Remarks, phrase.Count(len(edits), "file")+" in "+p.prefix+"/ with changes that no commit has: not sent (ckpt save)")
	}
	return err
}

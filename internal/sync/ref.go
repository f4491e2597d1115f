package sync

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/ckptref"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/remote"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/sync/refmerge"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// refSync is one run of Sync. It leaves both sides at the same commit, because a merge of
// checkpoints never waits for a person.
type refSync struct {
	*Syncer
	ref    ckptref.Ref
	up     remote.Upstream
	req    Request
	report *result.Sync
	found  []string // findings of the last merge
}

// takeIn takes changes in commits of the branch into the ref, as every operation does, and returns a view. If the
// clone has no ref, it takes in nothing: the clone begins with the ref of the remote.
func (s *refSync) takeIn(ctx context.Context) (view *workspace.View, err error) {
	if tip, err := s.ref.Tip(ctx); tip == "" || err != nil {
		return s.Read(ctx, store.Live)
	}
	receipt, err := s.Change(ctx, store.Live, func(v *workspace.View, _ time.Time) (*workspace.Tx, error) {
		view = v
		return &workspace.Tx{}, nil
	})
	if err == nil {
		s.report.Remarks = receipt.Remarks
	}
	return view, err
}

// SyncInSession syncs the checkpoint ref once and reports no errors: an agent's session does not
// depend on it. With onlyToSend it does so only if the ref differs from the remote's as of the last fetch.
func (p *Syncer) SyncInSession(ctx context.Context, onlyToSend bool) {
	_, _ = p.Sync(ctx, Request{onlyToSend: onlyToSend})
}

// refRound is one attempt to sync the checkpoint ref.
type refRound struct {
	mine, theirs  string // the tips of both sides, "" for none
	base          string // the newest common ancestor, "" for none
	ahead, behind int    // how many commits only mine has, and only theirs has
	alien         bool   // what the remote has is not a commit, or has no ancestor in common with mine
}

// round fetches, merges, pushes, and moves the ref.
func (s *refSync) round(ctx context.Context) error {
	r, err := s.compare(ctx)
	if err != nil {
		return err
	}
	if s.DryRun {
		s.report.Received += r.behind
		s.countSent(r)
		return nil
	}
	onlyAhead := r.theirs != "" && r.ahead > 0 && r.behind == 0
	if onlyAhead && s.report.Rounds == 1 {
		// Push without a fetch: if nobody else has pushed since the last sync, this is the only exchange with the remote.
		err := s.push(ctx, r, r.mine)
		if !errors.Is(err, remote.ErrRejected) {
			return err
		}
	}
	if err := remote.Of(s.Repo).FetchRef(ctx, s.up, s.req.Watch); err != nil {
		return fault.New(fault.KindOf(err), "%w", err).WithHint("nothing was changed; ckpt sync tries again")
	}
	r, err = s.compare(ctx)
	if err != nil {
		return err
	}
	if r.alien {
		return s.alien()
	}
	to, err := s.join(ctx, r)
	if err != nil {
		return err
	}
	if r.ahead > 0 {
		if err := s.push(ctx, r, to); err != nil {
			return err
		}
	}
	if r.behind == 0 {
		return nil
	}
	if err := s.MoveRef(ctx, r.mine, to, "ckpt: sync with "+s.up.Name()); err != nil {
		return err
	}
	s.report.Received += r.behind
	return nil
}

// compare determines what each side has, as of the last fetch.
func (s *refSync) compare(ctx context.Context) (r *refRound, err error) {
	r = &refRound{}
	r.mine, err = s.ref.Tip(ctx)
	if err != nil {
		return nil, err
	}
	r.theirs, err = remote.Of(s.Repo).Tip(ctx, s.up)
	if err != nil {
		return nil, err
	}
	if r.theirs != "" && !log.Of(s.Repo).HasCommit(r.theirs) {
		r.theirs, r.alien = "", true
	}
	if r.mine == "" || r.theirs == "" {
		r.ahead, err = remote.Of(s.Repo).CountNew(ctx, r.mine)
		if err == nil {
			r.behind, err = remote.Of(s.Repo).CountNew(ctx, r.theirs)
		}
		return r, err
	}
	first, second := ckptref.MergeOrder(r.mine, r.theirs)
	r.base, r.ahead, r.behind, err = remote.Of(s.Repo).AheadBehind(ctx, first, second)
	r.alien = r.base == ""
	if first != r.mine {
		r.ahead, r.behind = r.behind, r.ahead
	}
	return r, err
}

// alien returns the error for a ref of the remote without an ancestor in common with the ref here.
// In every clone checkpoints begin with the same commit, but a shallow clone may lack it.
func (s *refSync) alien() error {
	name := s.ref.Name()
	err := fault.New(fault.Refused, "%s of %s is not a history of checkpoints that this clone can merge with its own",
		name, s.up.Remote)
	if disk.Exists(filepath.Join(s.Repo.CommonDir(), "shallow")) {
		return err.WithHint("git fetch --unshallow, then ckpt sync")
	}
	return err.WithHint("git show %s shows it; git push --force %s %s replaces it by this clone's", s.up.Tracking,
		s.up.Remote, name)
}

// join returns the commit for both sides: the tip of the side that has all commits, or a merge.
func (s *refSync) join(ctx context.Context, r *refRound) (string, error) {
	switch {
	case r.behind == 0:
		return r.mine, nil
	case r.ahead == 0:
		return r.theirs, nil
	}
	merger := refmerge.Merger{Repo: s.Repo, Ref: s.ref, Prefix: s.Prefix}
	merged, notes, err := merger.Merge(ctx, r.base, r.mine, r.theirs)
	if err != nil {
		return "", err
	}
	const most = 5
	if n := len(notes) - most; n > 0 {
		notes = append(notes[:most:most], fmt.Sprintf("and %d more", n))
	}
	s.found = notes
	return merged, nil
}

// push sends a commit to the remote.
func (s *refSync) push(ctx context.Context, r *refRound, commit string) error {
	if err := remote.Of(s.Repo).Push(ctx, s.up, commit, s.req.Watch); err != nil {
		return s.refused(r, err)
	}
	s.countSent(r)
	return nil
}

// countSent adds what a push sends to the report.
func (s *refSync) countSent(r *refRound) {
	s.report.Sent += r.ahead
	if r.ahead > 0 && r.behind > 0 { // the push also sends the merge
		s.report.Sent++
		s.report.Merged = true
	}
}

// refused adds a hint to the error of a push that the remote will refuse again. If a hook has accepted the ref
// before, it may accept the next push, and the error gets no hint.
func (s *refSync) refused(r *refRound, err error) error {
	declined := errors.Is(err, remote.ErrDeclined)
	again := errors.Is(err, remote.ErrRejected) || declined && r.theirs != ""
	switch {
	case again:
		return err
	case fault.KindOf(err) != fault.Refused:
		return fault.New(fault.KindOf(err), "%w", err).
			WithHint("ckpt sync tries again; git config ckpt.remote URL names another repository")
	case declined && strings.Contains(strings.ToLower(err.Error()), "secret"):
		return fault.New(fault.Refused, "%s", err.Error()).WithHint("ckpt scan --history")
	}
	hint := "git config ckpt.remote URL (another repository)"
	if !strings.HasPrefix(s.up.Ref, "refs/heads/") {
		hint = "git config ckpt.ref refs/heads/ckpt (a branch), " + hint
	}
	if !s.Publishes() {
		hint += ", or ckpt migrate --to own"
	}
	return fault.New(fault.Refused, "%s", err.Error()).WithHint("%s", hint)
}

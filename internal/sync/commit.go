package sync

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/remote"
	"example.com/ckpt/internal/resolve"
	"example.com/ckpt/internal/sync/folder"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
)

// make makes the commits of a round: the one to push, stored in r, and the one to which the branch
// is to move, "" for none.
func (s *syncing) make(ctx context.Context, r *round) (to string, err error) {
	if r.theirs == "" || r.merged == nil {
		r.commit = r.head
		return "", nil
	}
	switch r.sends {
	case asItIs:
		r.commit = r.head
	case asMerge:
		subject := "Merge remote-tracking branch '" + s.up.Name() + "'"
		message := subject + "\n\n" + workspace.TrailerOp + ": " + workspace.OpSync + "\n"
		r.commit, err = s.commitOf(ctx, r, message, r.mine, r.head, r.theirs)
	case asFolder:
		r.commit, err = s.folderCommit(ctx, r, r.others, r.theirs, "to "+s.up.Name())
	}
	if err != nil {
		return "", err
	}
	switch r.takes {
	case asItIs:
		return r.theirs, nil
	case asMerge:
		to = r.commit
	case asFolder:
		to, err = s.folderCommit(ctx, r, r.mine, r.head, "from "+s.up.Name())
	}
	if err == nil {
		err = s.checkLost(ctx, r, to)
	}
	// The commit contains what was stored, so the refs are not needed.
	if err == nil && to != "" && len(r.merged.Fresh) > 0 {
		r.merged.Files, err = s.repo.Objects().FolderAt(ctx, to, s.prefix)
	}
	return to, err
}

// checkLost refuses to push a merge that has lost a checkpoint of one of the sides.
func (s *syncing) checkLost(ctx context.Context, r *round, to string) error {
	result := to
	switch {
	case r.sends == asMerge, r.sends == asFolder:
		result = r.commit
	case r.takes != asFolder:
		return nil // the result equals one of the sides
	}
	m := merging{base: r.met, ours: r.head, theirs: r.theirs, made: result}
	return s.refuseLoss(ctx, m, s.up.Name())
}

// merging is a merge of two commits with a common base, "" for none.
type merging struct{ base, ours, theirs, made string }

// refuseLoss refuses a merge with a remote that has lost a checkpoint of one of the sides.
func (p *Syncer) refuseLoss(ctx context.Context, m merging, with string) error {
	lost, err := p.resolve.LostInMerge(ctx, m.base, m.ours, m.theirs, m.made)
	if errors.Is(err, git.ErrElsewhere) {
		return nil
	}
	i := slices.IndexFunc(lost, func(l resolve.Lost) bool { return l.At == "" })
	if err != nil || i < 0 {
		return err
	}
	l := lost[i]
	commit := l.Sides[0].Commit[:7]
	return fault.New(fault.Failed, "a merge with %s would lose %s, which %s has: nothing was sent", with, l.ID, commit).
		WithHint("ckpt restore %s --at %s, then ckpt sync", l.ID, commit)
}

// folderCommit makes a commit that adds the merged folder to one side's history.
func (s *syncing) folderCommit(
	ctx context.Context, r *round, from folder.Folder, parent, summary string,
) (string, error) {
	policy, err := s.Policy(ctx)
	if err != nil {
		return "", err
	}
	changed, err := s.mover.ChangedIDs(ctx, from, r.merged)
	if err != nil {
		return "", err
	}
	o := &workspace.Tx{Op: workspace.OpSync, Summary: text.Count(len(changed), "checkpoint") + " " + summary}
	if len(changed) == 1 {
		o.ID = changed[0]
	} else {
		for _, id := range changed {
			o.Trailers = append(o.Trailers, workspace.TrailerID+": "+id)
		}
	}
	return s.commitOf(ctx, r, workspace.Message(policy, o), from, parent)
}

// commitOf makes a commit of the merged folder on its first parent, which has the folder from.
func (s *syncing) commitOf(
	ctx context.Context, r *round, message string, from folder.Folder, parents ...string,
) (string, error) {
	c := commit.Spec{
		Parents:  parents,
		Files:    s.mover.Differences(from, r.merged.Files),
		Contents: map[string][]byte{},
		Message:  message,
		Time:     s.Now(),
	}
	for path, src := range r.merged.Fresh {
		c.Contents[s.fromRoot(path)] = src
	}
	return commit.Of(s.repo).Make(ctx, c)
}

// mayPush asks a person, once per clone, whether to push checkpoints to the remote's default
// branch.
func (s *syncing) mayPush(ctx context.Context) error {
	if s.req.Ask == nil && !s.req.Yes {
		return nil
	}
	if value, ok, err := s.repo.Config().Get(ctx, syncDefault); err != nil || ok && value == s.up.Remote {
		return err
	}
	branch, err := remote.Of(s.repo).DefaultBranch(ctx, s.up)
	if err != nil || branch != s.up.Ref {
		return err
	}
	if !s.req.Yes {
		question := fmt.Sprintf("sync sends checkpoints to %s of %s, its default branch; go on? [y/N] ", s.up.Short(),
			s.up.Remote)
		yes, err := s.req.Ask(question)
		if err != nil {
			return err
		}
		if !yes {
			return fault.New(fault.Refused, "nothing was sent to %s, the default branch of %s", s.up.Short(), s.up.Remote).
				WithHint("ckpt sync --yes, or a branch of your own: git switch -c NAME && git push -u %s NAME", s.up.Remote)
		}
	}
	_, err = s.repo.Run(ctx, "config", "--local", syncDefault, s.up.Remote)
	return err
}

// syncDefault is the setting with the remote to whose default branch sync may push.
const syncDefault = "ckpt.syncdefault"

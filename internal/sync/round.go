package sync

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/remote"
	"example.com/ckpt/internal/sync/folder"
	"example.com/ckpt/internal/text"
)

// round is one attempt to sync: what both sides have, and what each side is to get.
type round struct {
	on           git.Checkout
	head, theirs string   // the tips of both sides; theirs is "" if the remote does not have the branch yet
	base         string   // the common ancestor; "" for none
	ahead        []string // the commits that only one side has
	behind       []string
	codeHere     []string // those of ahead that change code, each with its subject
	codeThere    int      // the number of those in behind that change code
	met          string   // the newest commit of theirs at which both sides had the same folder

	was, mine, others folder.Folder
	merged            *folder.Merged

	sends  way
	takes  way
	commit string // the commit to push
}

// way is how checkpoints get to one side.
type way int

const (
	nothingGoes way = iota
	asItIs          // one side's branch moves to the tip of the other
	asMerge         // a commit with both tips as parents
	asFolder        // a commit on top of the side's tip that changes only the folder
)

// round fetches, merges, pushes, and updates the branch.
func (s *syncing) round(ctx context.Context) error {
	if !s.DryRun {
		if err := remote.Of(s.repo).Fetch(ctx, s.up, s.req.Watch); err != nil {
			return fault.New(fault.KindOf(err), "%w", err).WithHint("nothing was changed; ckpt sync tries again")
		}
	}
	r, err := s.compare(ctx)
	if err != nil {
		return err
	}
	if err := s.decide(r); err != nil {
		return err
	}
	s.report.CodeHere, s.report.CodeThere = 0, r.codeThere
	if r.sends != asItIs && r.sends != asMerge {
		s.report.CodeHere = len(r.codeHere)
	}
	s.last, s.found = r, nil
	if r.merged != nil {
		s.found = findings(r.merged.Notes)
	}
	if s.DryRun {
		s.countSent(r)
		return s.countReceived(ctx, r)
	}
	to, err := s.make(ctx, r)
	if err != nil {
		return err
	}
	if to != "" { // refuse what cannot be applied here before anything is pushed
		if _, err := s.mover.Plan(ctx, to, r.mine, r.merged.Files); err != nil {
			return err
		}
	}
	if r.sends != nothingGoes {
		if err := s.mayPush(ctx); err != nil {
			return err
		}
		if err := remote.Of(s.repo).Push(ctx, s.up, r.commit, s.req.Watch); err != nil {
			return err
		}
		s.sent, s.sentFrom = r.commit, r.head
		s.countSent(r)
	}
	if to == "" {
		return nil
	}
	if err := s.moveTo(ctx, r, to); err != nil {
		return err
	}
	return s.countReceived(ctx, r)
}

// findings returns what a person may want to check in a merge.
func findings(notes []string) []string {
	if n := len(notes); n > mostFindings {
		return append(notes[:mostFindings], fmt.Sprintf("and %d more of the kind", n-mostFindings))
	}
	return notes
}

const mostFindings = 5

// countSent adds what was pushed to the report.
func (s *syncing) countSent(r *round) {
	switch r.sends {
	case asItIs:
		s.report.Sent += len(r.ahead)
	case asMerge:
		s.report.Sent += len(r.ahead) + 1
		s.report.Merged = true
	case asFolder:
		s.report.Sent++
	}
}

// countReceived adds what was received to the report.
func (s *syncing) countReceived(ctx context.Context, r *round) error {
	switch r.takes {
	case asItIs, asMerge:
		s.report.Received += len(r.behind)
	case asFolder:
		came, err := remote.Of(s.repo).CountTouching(ctx, s.prefix, r.theirs, r.head, r.met)
		if err != nil {
			return err
		}
		s.report.Received += max(1, came)
	}
	return nil
}

// compare determines what both sides have, and merges their folders.
func (s *syncing) compare(ctx context.Context) (r *round, err error) {
	r = &round{}
	r.on, err = s.repo.Checkout()
	if err != nil {
		return nil, err
	}
	head, err := s.repo.Head()
	if err != nil {
		return nil, err
	}
	if head.Branch() != s.up.Branch {
		return nil, fault.New(fault.Busy, "HEAD has left %s", s.up.Branch).
			WithHint("git switch %s, then ckpt sync", s.up.Branch)
	}
	r.head = head.Hash
	r.theirs, err = remote.Of(s.repo).Tip(ctx, s.up)
	if err != nil {
		return nil, err
	}
	if r.theirs == "" {
		if s.up.Assumed {
			return nil, s.up.NotFollowed()
		}
		r.ahead, err = remote.Of(s.repo).Unpublished(ctx, s.up)
		if err != nil {
			return nil, err
		}
		return r, s.findCode(ctx, r)
	}
	if err := s.compareCommits(ctx, r); err != nil {
		return nil, err
	}
	for _, version := range []struct {
		commit string
		to     *folder.Folder
	}{{r.met, &r.was}, {r.head, &r.mine}, {r.theirs, &r.others}} {
		files, err := s.repo.Objects().FolderAt(ctx, version.commit, s.prefix)
		if err != nil {
			return nil, err
		}
		*version.to = files
	}
	r.merged, err = s.mover.Merge(ctx, r.was, r.mine, r.others)
	return r, err
}

// compareCommits determines where the two sides diverged, and which of their commits have code.
func (s *syncing) compareCommits(ctx context.Context, r *round) (err error) {
	r.base, r.ahead, r.behind, err = remote.Of(s.repo).AheadBehind(ctx, r.head, r.theirs)
	if err != nil {
		return err
	}
	if r.base == "" {
		cut, err := s.repo.Objects().Shallow()
		if err != nil {
			return err
		}
		if len(cut) > 0 {
			return fault.New(fault.Unsupported, "%s and %s have no commit in common in this clone, whose history is cut off",
				s.up.Branch, s.up.Name()).WithHint("git fetch --unshallow, then ckpt sync")
		}
	}
	if err := s.findCode(ctx, r); err != nil {
		return err
	}
	r.met = r.base
	if len(r.ahead) == 0 || len(r.behind) == 0 {
		return nil
	}
	if s.sent != "" { // theirs is a descendant of what was pushed, which contained everything that was here then
		if grown, err := remote.Of(s.repo).Contains(ctx, r.theirs, s.sent); err != nil {
			return err
		} else if grown {
			r.met = s.sentFrom
			return nil
		}
	}
	met, err := remote.Of(s.repo).LastEqual(ctx, r.ahead, r.behind, s.prefix)
	if met != "" {
		r.met = met
	}
	return err
}

// findCode finds the commits that change more than checkpoints.
func (s *syncing) findCode(ctx context.Context, r *round) error {
	code, err := remote.Of(s.repo).Outside(ctx, slices.Concat(r.ahead, r.behind), s.prefix)
	if err != nil {
		return err
	}
	for _, commit := range r.ahead {
		if subject, has := code[commit]; has {
			r.codeHere = append(r.codeHere, subject)
		}
	}
	r.codeThere = len(code) - len(r.codeHere)
	return nil
}

// decide determines what each side gets, and how. If the sides differ only in checkpoints, their
// histories are joined: one side moves to the other, or a merge joins them. If one side has commits
// with code that the other lacks, the histories stay separate. Then only the folder is exchanged,
// in one commit on top of each side that lacks something. decide compares folders rather than
// commits, so that commits which a host has squashed are not sent again.
func (s *syncing) decide(r *round) error {
	sendCode := s.req.WithCode && len(r.codeHere) > 0
	switch {
	case r.theirs == "" && len(r.codeHere) > 0 && !s.req.WithCode:
		commits := text.Count(len(r.codeHere), "commit") + " not pushed yet " + changes(r.codeHere)
		return fault.New(fault.Refused, "%s has no branch %s yet, and %s more than %s/: %s",
			s.up.Remote, s.up.Short(), commits, s.prefix, some(r.codeHere)).
			WithHint("git push -u %s %s, or ckpt sync --with-code sends them, too", s.up.Remote, s.up.Branch)
	case r.theirs == "":
		if len(r.ahead) > 0 {
			r.sends = asItIs
		}
		return nil
	case sendCode && r.codeThere > 0:
		return fault.New(fault.Refused, "%s has code that is not here", s.up.Name()).
			WithHint("git pull, then ckpt sync --with-code")
	}
	joined := r.codeThere == 0 && (len(r.codeHere) == 0 || sendCode)
	switch {
	case joined && len(r.behind) == 0:
		if len(r.ahead) > 0 && (sendCode || !r.merged.Equals(r.others)) {
			r.sends = asItIs
		}
	case joined && len(r.ahead) == 0:
		r.takes = asItIs
	case joined && (sendCode || !r.merged.Equals(r.others)):
		r.sends, r.takes = asMerge, asMerge
	default:
		if !r.merged.Equals(r.others) {
			r.sends = asFolder
		}
		if !r.merged.Equals(r.mine) {
			r.takes = asFolder
		}
	}
	return nil
}

// changes returns the verb for a number of commits.
func changes(commits []string) string {
	if len(commits) == 1 {
		return "changes"
	}
	return "change"
}

// some returns the first few subjects of many commits.
func some(commits []string) string {
	if n := len(commits); n > 3 {
		return fmt.Sprintf("%s; and %d more", strings.Join(commits[:2], "; "), n-2)
	}
	return strings.Join(commits, "; ")
}

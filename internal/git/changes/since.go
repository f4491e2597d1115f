package changes

import (
	"context"
	"strconv"
	"strings"

	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/git"
)

// Count describes the commits after a base.
type Count struct {
	Mine, Others int            // the numbers of commits; merges and commits of only excluded files do not count
	Many         bool           // there are more than [SinceMost] commits; only the newest were read
	Strangers    bool           // git does not know who the user is: all commits count as Others
	Lost         bool           // HEAD lacks commits that the base has
	Holder       string         // if Lost, a branch that contains the base; may be empty
	Missing      bool           // the repository does not have the base
	Arrived      string         // the commit from which commits are counted if the state of the base is [Arrived]
	Commits      []drift.Commit // the newest counted commits, newest first, at most maxNamed
}

// maxNamed is the maximum number of commits that Count names.
const maxNamed = 20

// SinceMost is the maximum number of commits that Count counts.
const SinceMost = 1000

// Count counts the commits between base and HEAD, including those that merges brought in. Commits that touch only files
// in the folder exclude do not count. It runs git log at most once if HEAD is a descendant of base and there are at
// most [SinceMost] commits. If there are more, commits that touch no files do not count.
func (c Changes) Count(ctx context.Context, base Base, exclude string) (Count, error) {
	head, err := c.repo.Head()
	if err != nil || head.Hash == "" {
		return Count{}, err
	}
	if head.Hash == base.Commit || !IsCommitName(base.Commit) {
		return Count{}, nil
	}
	me, err := c.repo.Config().AuthorEmail(ctx)
	if err != nil {
		return Count{}, err
	}
	s, err := c.after(ctx, base.Commit, head.Hash, exclude, me)
	if err != nil || !s.Lost && !s.Missing {
		return s, err
	}
	from, err := c.counted(ctx, base, head.Hash, exclude)
	if err != nil {
		return Count{}, err
	}
	if from.state == Arrived {
		return c.afterArrival(ctx, from.arrival, head.Hash, exclude, me)
	}
	if s.Lost {
		s.Holder, err = c.repo.Branches().With(ctx, base.Commit)
	}
	return s, err
}

// afterArrival counts the commits after arrival. It also counts arrival itself if one of its events is outside the
// folder exclude.
func (c Changes) afterArrival(ctx context.Context, arrival *logged, head, exclude, me string) (Count, error) {
	s := Count{Strangers: me == ""}
	if arrival.hash != head {
		var err error
		s, err = c.after(ctx, arrival.hash, head, exclude, me)
		if err != nil {
			return Count{}, err
		}
	}
	s.Arrived = arrival.hash
	outside := netChanges{exclude: exclude}
	if len(arrival.events) > 0 && !outside.excludes(arrival.events) {
		s.count(drift.Commit{
			Hash: arrival.hash, Author: arrival.author, Subject: arrival.subject, Mine: isMine(arrival.email, me),
		})
	}
	return s, nil
}

// count adds a commit. Commits are added from the newest to the oldest.
func (s *Count) count(c drift.Commit) {
	if c.Mine {
		s.Mine++
	} else {
		s.Others++
	}
	if len(s.Commits) < maxNamed {
		s.Commits = append(s.Commits, c)
	}
}

func isMine(email, me string) bool { return me != "" && strings.EqualFold(email, me) }

// after counts the commits that head has and base lacks, as Count does. It sets Lost if base has commits that head
// lacks.
func (c Changes) after(ctx context.Context, base, head, exclude, me string) (Count, error) {
	var s Count
	s.Strangers = me == ""
	var commits []logged
	// The second log, if needed, leaves out commits that touch no files or only excluded ones.
	for _, paths := range [][]string{nil, {".", ":(exclude,literal)" + exclude}} {
		out, err := c.repo.GitGlob(ctx, append([]string{"log", "-z", "--name-status", "--no-renames", "--left-right",
			"--no-merges", "--full-history", "--no-show-signature", "--no-color", "--encoding=UTF-8", logFormat,
			"--max-count=" + strconv.Itoa(SinceMost+1), base + "..." + head, "--"}, paths...)...)
		if git.ExitCode(err) == 128 {
			if _, look := c.repo.Git(ctx, nil, "cat-file", "-e", base+"^{commit}"); look != nil && ctx.Err() == nil {
				return Count{Missing: true}, nil
			}
		}
		if err != nil {
			return Count{}, c.repo.Objects().Elsewhere(err)
		}
		commits = parseLog(out)
		s.Many = len(commits) > SinceMost
		if !s.Many {
			break
		}
	}
	outside := netChanges{exclude: exclude}
	for _, l := range commits[:min(len(commits), SinceMost)] {
		switch {
		case outside.excludes(l.events):
		case l.left:
			s.Lost = true
		default:
			s.count(drift.Commit{Hash: l.hash, Author: l.author, Subject: l.subject, Mine: isMine(l.email, me)})
		}
	}
	if !s.Lost {
		return s, nil
	}
	cut, err := c.repo.Objects().Shallow()
	s.Lost = len(cut) == 0 // unknown in a shallow clone, whose history may begin after the base
	return s, err
}

// Edit is a file that differs from HEAD in the index or the working tree. Untracked files that are
// not ignored count, too.
type Edit struct {
	Path, From string // From is the path before a rename; empty without one
	New        bool
	Deleted    bool
	Staged     bool // the index differs from HEAD
	Edited     bool // the working tree differs from the index
	Conflict   bool
}

// Uncommitted returns the files outside the folder exclude that differ from HEAD. It runs `git status`.
func (c Changes) Uncommitted(ctx context.Context, exclude string) ([]Edit, error) {
	events, err := c.uncommitted(ctx, exclude)
	var all []Edit
	for _, e := range events {
		if !strings.HasPrefix(e.path, exclude+"/") {
			all = append(all, Edit{
				Path: e.path, From: e.from, New: e.kind == 'A', Deleted: e.kind == 'D',
				Staged: e.staged, Edited: e.edited, Conflict: e.conflict,
			})
		}
	}
	return all, err
}

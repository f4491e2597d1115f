package changes

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/git/object"
)

// Base is the commit that a checkpoint describes, and the line of a file that names the commit.
type Base struct {
	Commit string // the hash, perhaps abbreviated; "" for none
	File   string // the file that names the commit: a slash path from the root
	Line   string // the line of File that names the commit

	// Written is when Line was written; zero if unknown. Commits more than a day older cannot contain Line.
	Written time.Time
}

// BaseState tells how a base relates to HEAD.
type BaseState int

// The states of a base. They determine which commits count; uncommitted changes always count.
const (
	None     BaseState = iota // no base was given: no commits count
	Ancestor                  // the base is HEAD or an ancestor of it: commits after the base count
	Arrived                   // the base was squashed, rebased or amended: the commit that added Line and later ones count
	Diverged                  // HEAD lacks work that the base has: commits after the common ancestor count
	Gone                      // the clone lacks the base, or the base has no common ancestor with HEAD: no commits count
	Lacking                   // this clone lacks the history since the base: no commits count
)

// IsCommitName reports whether name has the form of a commit hash, whole or abbreviated.
func IsCommitName(name string) bool {
	return len(name) >= 4 && len(name) <= 64 && strings.Trim(name, "0123456789abcdef") == ""
}

// BaseOf returns the commit from which changes since b are counted ("" for None and Gone), and the state of b.
func (c Changes) BaseOf(ctx context.Context, b Base, exclude string) (commit string, state BaseState, err error) {
	c.repo = c.repo.Offline()
	head, err := c.repo.Head()
	if err != nil {
		return "", None, err
	}
	found, err := c.counted(ctx, b, head.Hash, exclude)
	return found.commit, found.state, err
}

// counted describes the commit from which changes are counted.
type counted struct {
	commit  string
	state   BaseState
	arrival *logged // for [Arrived], the commit that added Line, with its changes relative to the base; else nil
}

func (c Changes) counted(ctx context.Context, b Base, head, exclude string) (counted, error) {
	switch {
	case b.Commit == "":
		return counted{}, nil
	case head == "" || strings.Trim(b.Commit, "0123456789abcdef") != "":
		return counted{state: Gone}, nil
	case object.Descends(c.repo.Objects().Database(), head, b.Commit):
		return counted{commit: b.Commit, state: Ancestor}, nil
	}
	fork, err := c.fork(ctx, b.Commit, head)
	if err != nil {
		return counted{}, err
	}
	if fork != "" && strings.HasPrefix(fork, b.Commit) {
		return counted{commit: fork, state: Ancestor}, nil
	}
	arrival, err := c.arrival(ctx, b, fork, head, exclude)
	switch {
	case err != nil:
		return counted{}, err
	case arrival != nil:
		return counted{arrival.hash, Arrived, arrival}, nil
	case fork == "":
		return counted{state: Gone}, nil
	}
	return counted{commit: fork, state: Diverged}, nil
}

// fork returns the newest common ancestor of two commits. It is "" if they have none, or if one of
// the commits is missing here.
func (c Changes) fork(ctx context.Context, base, head string) (string, error) {
	commit, err := log.Of(c.repo).MergeBase(ctx, base, head)
	if git.ExitCode(err) == 128 {
		return "", nil
	}
	return commit, err
}

// arrival finds the commit that brought b into HEAD's first-parent history by a squash, a rebase or an amend. That is
// the oldest commit that added b.Line to a file with the name of b.File, anywhere below the folder exclude. Outside
// exclude, the result's events are only the changes that b.Commit lacks: work that a squash added on top of b. If fork
// is empty, there are none.
//
// The result is nil if no commit did that, or if HEAD lacks the work up to b.Commit because only the file was
// taken over.
func (c Changes) arrival(ctx context.Context, b Base, fork, head, exclude string) (*logged, error) {
	if b.Line == "" || b.File == "" {
		return nil, nil
	}
	span := head
	if fork != "" {
		span = fork + ".." + head
	}
	args := []string{"-c", "log.showRoot=true", "-c", "log.follow=false", "log", "--first-parent",
		"--diff-merges=first-parent", "-s",
		"--no-renames", "--no-textconv", "--no-ext-diff", "--no-show-signature", "--no-color", "--format=%H", "-S" + b.Line}
	if !b.Written.IsZero() {
		args = append(args, "--max-age="+strconv.FormatInt(b.Written.Add(-24*time.Hour).Unix(), 10))
	}
	out, err := c.repo.GitGlob(ctx,
		append(args, span, "--", ":(glob)"+git.GlobQuoted(exclude)+"/**/"+git.GlobQuoted(path.Base(b.File)))...)
	found := strings.Fields(string(out))
	switch {
	case c.lacks(err):
		return nil, nil
	case err != nil || len(found) == 0:
		return nil, err
	}
	hash := found[len(found)-1]
	if cut, err := c.repo.Objects().Shallow(); err != nil || cut[hash] {
		return nil, err // the history of a shallow clone begins here: an earlier commit may have added the line
	}
	if fork == "" {
		commits, err := c.loggedCommits(ctx, hash, "--max-count=1", "--first-parent", "--diff-merges=first-parent")
		if err != nil || len(commits) == 0 {
			return nil, err
		}
		return commits[0].above(nil, exclude), nil
	}
	commits, err := c.loggedCommits(ctx, fork+".."+hash, "--first-parent", "--diff-merges=first-parent")
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	since, err := c.changes(ctx, b.Commit, hash, exclude)
	if err != nil {
		return nil, err
	}
	if here, err := c.containsWork(ctx, b.Commit, fork, exclude, since, commits); err != nil || !here {
		return nil, err
	}
	return commits[len(commits)-1].above(since, exclude), nil
}

// above returns a copy of c with other events: those of c in the folder exclude, and those of since that concern files
// of c. The copy does not count as a merge.
func (c logged) above(since []event, exclude string) *logged {
	outside := netChanges{exclude: exclude}
	own := pathsOf(c.events)
	kept := slices.DeleteFunc(slices.Clone(c.events), func(e event) bool { return !outside.excludes([]event{e}) })
	for _, e := range since {
		if own[e.path] || own[e.from] {
			kept = append(kept, e)
		}
	}
	c.events, c.merge = kept, false
	return &c
}

// containsWork reports whether commits contain the work from fork to base. They do if each file of the work was changed
// by one of them, or is the same in base as in the last of them. Since has the differences from base to the last
// commit.
func (ch Changes) containsWork(ctx context.Context, base, fork, exclude string, since []event,
	commits []logged) (bool, error) {
	if len(since) == 0 {
		return true, nil
	}
	work, err := ch.changes(ctx, fork, base, exclude)
	if err != nil {
		return false, err
	}
	differs, touched := pathsOf(since), map[string]bool{}
	for _, c := range commits {
		for path := range pathsOf(c.events) {
			touched[path] = true
		}
	}
	for path := range pathsOf(work) {
		if differs[path] && !touched[path] {
			return false, nil
		}
	}
	return true, nil
}

// changes returns the differences between two commits outside the folder exclude; nil if this clone lacks objects.
func (c Changes) changes(ctx context.Context, from, to, exclude string) ([]event, error) {
	out, err := c.withRenames(func(similar string) ([]byte, error) {
		return c.repo.GitGlob(ctx, "diff", "-z", "--name-status", "--no-ext-diff", "--no-color", similar, from, to, "--",
			".", ":(exclude,literal)"+exclude)
	})
	if c.lacks(err) {
		return nil, nil
	}
	events, _ := parseEvents(strings.Split(string(out), "\x00"))
	return events, err
}

// pathsOf returns the paths that events name.
func pathsOf(events []event) map[string]bool {
	all := map[string]bool{}
	for _, e := range events {
		all[e.path] = true
		if e.from != "" {
			all[e.from] = true
		}
	}
	return all
}

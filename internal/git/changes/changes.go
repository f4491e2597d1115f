// Package changes finds what changed since a commit: which files the user changed and in how many commits, how many
// commits were added, and which files were moved or deleted.
//
// That commit is the base of a checkpoint. A squash, a rebase or an amend can remove the base from the history of HEAD.
// Then changes are counted from the commit that added the line with the hash of the base. `git diff BASE` is no
// substitute: it cannot tell the user's changes from those of others, and it finds nothing once the base is gone.
package changes

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/git"
)

// Changes finds what changed since a commit.
type Changes struct {
	repo   *git.Repo
	status *[]event // the uncommitted changes; nil unless WithStatus has asked git
}

// Of returns the changes of a repository.
func Of(repo *git.Repo) Changes { return Changes{repo: repo} }

// WithStatus runs git status, and returns a copy of c that uses the result. Git status takes long in a large
// repository, so a caller calls WithStatus before it takes a lock.
func (c Changes) WithStatus(ctx context.Context, exclude string) (Changes, error) {
	events, err := Of(c.repo.Offline()).uncommitted(ctx, strings.Trim(exclude, "/"))
	c.status = &events
	return c, err
}

// At returns the changes of moment, which is the same repository at another time. They use the git status of c.
func (c Changes) At(moment *git.Repo) Changes { return Changes{repo: moment, status: c.status} }

// Work describes what the user changed since a commit: in their own commits along first parents,
// without merges, and in the working tree.
type Work struct {
	Files  []File      // sorted by path
	Own    []OwnCommit // the user's commits, oldest first
	Mine   int         // the number of the user's commits since the base, without those that change only excluded files
	Others int         // the number of other people's commits, counted in the same way
	Base   string      // the full hash of the commit from which changes are counted. Empty without a base.
	State  BaseState
}

// OwnCommit is a commit by the user.
type OwnCommit struct {
	Hash    string
	At      time.Time // when it was authored
	Message string
	Outside bool // false if the commit changed only files in the excluded folder
}

// File is a file that the user changed, with the net effect of all changes.
type File struct {
	Path        string    // slash path from the root
	From        string    // the path before a rename, also of a file that was created since the base
	Action      string    // "created", "modified" or "deleted"
	Renamed     bool      // the file was at From in the base; false if it was created since
	Subject     string    // the subject of the user's newest commit that touched the file. Empty if none did.
	Uncommitted bool      // the file has changes in the working tree or the index
	At          time.Time // when the commit of Subject was authored
}

// Since returns what the user did since base, outside the folder exclude. A commit is the user's if it has their author
// address. With allAuthors every commit counts as the user's, also those that merges brought in. Since fetches nothing.
func (ch Changes) Since(ctx context.Context, base Base, exclude string, allAuthors bool) (Work, error) {
	ch.repo = ch.repo.Offline()
	head, err := ch.repo.Head()
	if err != nil {
		return Work{}, err
	}
	me := ""
	// Without an identity, no commit is the user's.
	if who, err := ch.repo.Config().Identity(ctx, "author", time.Time{}); err == nil {
		me = who.Email()
	}
	type result struct {
		events []event
		err    error
	}
	status := make(chan result, 1)
	go func() {
		events, err := ch.uncommitted(ctx, strings.Trim(exclude, "/"))
		status <- result{events, err}
	}()
	t := Work{}
	commits, err := ch.since(ctx, &t, base, head.Hash, strings.Trim(exclude, "/"))
	now := <-status
	if err != nil {
		return Work{}, err
	}
	if now.err != nil {
		return Work{}, now.err
	}
	f := netChanges{exclude: strings.Trim(exclude, "/"), files: map[string]*File{}}
	brought, err := ch.brought(ctx, t.Base, head.Hash, commits)
	if err != nil {
		return Work{}, err
	}
	subjects := map[string]string{} // by file, the subject of the newest commit that a merge brought in
	for _, c := range brought {
		switch {
		case f.excludes(c.events):
		case allAuthors:
			t.Mine++
		case !strings.EqualFold(c.email, me):
			t.Others++
		}
		for _, e := range c.events {
			subjects[e.path] = c.subject
		}
	}
	for _, c := range commits {
		mine := allAuthors || !c.merge && me != "" && strings.EqualFold(c.email, me)
		if c.merge {
			for _, e := range c.events {
				e.subject, e.at, e.mine = cmp.Or(subjects[e.path], c.subject), c.at, mine
				f.add(e)
			}
			continue
		}
		if mine {
			t.Own = append(t.Own, OwnCommit{Hash: c.hash, At: c.at, Message: c.message, Outside: !f.excludes(c.events)})
		}
		switch {
		case f.excludes(c.events):
		case mine:
			t.Mine++
		default:
			t.Others++
		}
		for _, e := range c.events {
			e.subject, e.at, e.mine = c.subject, c.at, mine
			f.add(e)
		}
	}
	for _, e := range now.events {
		e.mine, e.uncommitted = true, true
		f.add(e)
	}
	for _, path := range slices.Sorted(maps.Keys(f.files)) {
		t.Files = append(t.Files, *f.files[path])
	}
	return t, nil
}

// since sets Base and State of t, and returns the commits after that base up to head, oldest first.
func (c Changes) since(ctx context.Context, t *Work, base Base, head, exclude string) ([]logged, error) {
	from, err := c.counted(ctx, base, head, exclude)
	t.State, t.Base = from.state, from.commit
	if err != nil || t.Base == "" {
		return nil, err
	}
	var commits []logged
	if t.Base != head {
		commits, err = c.loggedCommits(ctx, t.Base+".."+head, "--first-parent", "--diff-merges=first-parent")
		if err != nil {
			return nil, err
		}
		if commits == nil {
			t.State = Lacking
		}
	}
	if from.arrival != nil {
		commits = slices.Insert(commits, 0, *from.arrival)
	}
	return commits, nil
}

// loggedCommits returns commits with their files, oldest first; nil if this clone lacks objects for that.
func (c Changes) loggedCommits(ctx context.Context, commits string, options ...string) ([]logged, error) {
	out, err := c.withRenames(func(similar string) ([]byte, error) {
		args := append([]string{"-c", "log.showRoot=true", "log", "-z", "--reverse", similar, "--name-status", "--no-color",
			"--no-show-signature", "--encoding=UTF-8", logFormat}, options...)
		return c.repo.Git(ctx, nil, append(args, commits)...)
	})
	if c.lacks(err) {
		return nil, nil
	}
	return append([]logged{}, parseLog(out)...), err
}

// withRenames runs a git command that detects renames. If this clone lacks the contents of files for that, the
// command runs again and finds only renames of files that did not change.
func (c Changes) withRenames(run func(similar string) ([]byte, error)) ([]byte, error) {
	out, err := run("-M")
	if c.lacks(err) {
		out, err = run("-M100%")
	}
	return out, err
}

// lacks reports whether git failed because this clone lacks objects.
func (c Changes) lacks(err error) bool { return git.ExitCode(err) == 128 && c.repo.MayLack() }

// brought returns the commits that the merges among commits brought in, oldest first. These are the commits after base
// up to head that are not merges and not among commits.
func (ch Changes) brought(ctx context.Context, base, head string, commits []logged) ([]logged, error) {
	if !slices.ContainsFunc(commits, func(c logged) bool { return c.merge }) {
		return nil, nil
	}
	all, err := ch.loggedCommits(ctx, base+".."+head, "--no-merges")
	own := map[string]bool{}
	for _, c := range commits {
		own[c.hash] = true
	}
	return slices.DeleteFunc(all, func(c logged) bool { return own[c.hash] }), err
}

// Package log answers questions about commits: which ones touched a folder, what they did to its files, who wrote them,
// which merges there were, and which commits a branch lacks.
//
// It runs `git log` and its relatives, because they know everything about simplified history, partial and shallow
// clones, replaced objects and grafts. The package never changes a repository. Except for [Merge.Differing], it fetches
// nothing that a partial clone lacks.
package log

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
)

// Log answers questions about the commits of a repository. Folders are slash paths from the root.
// Paths of Files in an answer are relative to the folder that was asked for.
type Log struct{ repo *git.Repo }

// Of returns the log of a repository.
func Of(repo *git.Repo) Log { return Log{repo: repo} }

// Ancestors returns the commits that touched the files, among a commit, its ancestors and what other options of git log
// select, such as more commits. The newest come first, and no commit comes before one of its descendants. The files of
// a merge are those in which it differs from each of its parents.
func (l Log) Ancestors(ctx context.Context, commit string, of Files, options ...string) ([]Commit, error) {
	return l.folder(ctx, of, append([]string{"--date-order", "-c", "--ignore-missing", commit}, options...)...)
}

// Recent returns the newest commits that touched files below dir, among HEAD and its ancestors on all lines: at most
// limit of them, or all if limit is negative. With the option --sparse commits that touched no such file count, too.
// The error is [git.ErrElsewhere] if a partial clone cannot tell.
func (l Log) Recent(ctx context.Context, dir string, limit int, options ...string) ([]Commit, error) {
	head, err := l.repo.Head()
	if err != nil || head.Hash == "" {
		return nil, err
	}
	options = append(options, "--full-history", "-c", fmt.Sprintf("--max-count=%d", limit), head.Hash)
	commits, err := l.folder(ctx, Files{Dir: dir}, options...)
	return commits, l.repo.Objects().Elsewhere(err)
}

// Versions returns every commit reachable from a ref or HEAD that touched files at the given paths,
// parents before children. Subject has the whole message. The files of a merge are those in which
// it differs from each of its parents.
func (l Log) Versions(ctx context.Context, paths ...string) ([]Commit, error) {
	options := []string{"--all", "--full-history", "-c", "--topo-order", "--reverse",
		strings.Replace(format(), "%s", "%B", 1), "--"}
	out, err := l.run(ctx, append(options, prefixed(":(literal)", paths)...)...)
	if err != nil {
		return nil, err
	}
	return parseCommits(string(out), "")
}

// folder returns the commits that touched the files, with their changes below the folder of.Dir.
func (l Log) folder(ctx context.Context, of Files, options ...string) ([]Commit, error) {
	paths := []string{":(literal)" + of.Dir}
	if len(of.Names) > 0 {
		paths = prefixed(":(glob)"+git.GlobQuoted(of.Dir)+"/**/", of.Names)
	}
	out, err := l.run(ctx, append(append(options, "--"), paths...)...)
	if err != nil && l.repo.MayLack() { // a partial clone may lack trees
		return nil, fault.New(fault.Failed, "the history of %s/ is not in this clone, which is a partial one: %w",
			of.Dir, err).WithHint("git log --raw -- %s > %s fetches it", of.Dir, os.DevNull)
	}
	if err != nil {
		return nil, err
	}
	return parseCommits(string(out), of.Dir)
}

// run runs git log with the options that parseCommits needs.
func (l Log) run(ctx context.Context, options ...string) ([]byte, error) {
	args := []string{"-c", "log.showRoot=true", "-c", "log.follow=false", "log", "--raw", "--no-renames", "--no-abbrev",
		"-z", "--no-color", "--no-show-signature", "--encoding=UTF-8", format()}
	return l.repo.Offline().GitGlob(ctx, append(args, options...)...)
}

func prefixed(prefix string, all []string) []string {
	out := make([]string, len(all))
	for i, text := range all {
		out[i] = prefix + text
	}
	return out
}

// Staged returns the changes of the index relative to HEAD at the given paths.
func (l Log) Staged(ctx context.Context, paths ...string) ([]FileChange, error) {
	args := []string{"diff", "--cached", "--raw", "--no-renames", "--no-abbrev", "--no-color", "--no-ext-diff", "-z", "--"}
	out, err := l.repo.Git(ctx, nil, append(args, paths...)...)
	if err != nil {
		return nil, err
	}
	var changes []FileChange
	part := strings.Split(string(out), "\x00") // the raw line of a change and the path, in turns
	for i := 0; i+1 < len(part); i += 2 {
		f, err := parseChange(part[i])
		if err != nil {
			return nil, err
		}
		f.Path = part[i+1]
		changes = append(changes, f)
	}
	return changes, nil
}

// Resolve returns the full hash of the commit that a revision names, or "" if git does not know it.
func (l Log) Resolve(ctx context.Context, rev string) (string, error) {
	out, err := l.repo.Offline().Git(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if code := git.ExitCode(err); code == 1 || code == 128 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// ResolveCode is Resolve for a revision of the code. For a commit of the checkpoint ref it returns the commit that was
// checked out when the operation was made.
func (l Log) ResolveCode(ctx context.Context, rev string) (string, error) {
	commit, err := l.Resolve(ctx, rev)
	if commit == "" || err != nil {
		return "", err
	}
	code, err := l.repo.Offline().Git(ctx, nil, "log", "-1", "--no-show-signature",
		"--format=%(trailers:key=Checkpoint-Head,valueonly)", commit)
	return cmp.Or(strings.TrimSpace(string(code)), commit), err
}

// HasCommit reports whether the repository has the commit with this hash.
func (l Log) HasCommit(name string) bool {
	_, err := l.repo.Objects().Database().Read(object.Commit, name)
	return err == nil
}

// MergeBase returns the newest common ancestor of a commit and any of others; "" if they have none.
func (l Log) MergeBase(ctx context.Context, commit string, others ...string) (string, error) {
	out, err := l.repo.Offline().Git(ctx, nil, append([]string{"merge-base", commit}, others...)...)
	if git.ExitCode(err) == 1 {
		return "", nil
	}
	base := strings.TrimSpace(string(out))
	if err == nil && base == "" { // git ends with 0 even if it could not print the commit
		return "", fault.New(fault.Failed, "git merge-base %s: it gave no answer", commit)
	}
	return base, err
}

// Contains reports whether a commit equals another one or is its descendant.
func (l Log) Contains(ctx context.Context, commit, ancestor string) (bool, error) {
	if commit == ancestor {
		return true, nil
	}
	_, err := l.repo.Offline().Git(ctx, nil, "merge-base", "--is-ancestor", ancestor, commit)
	if git.ExitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// Unreached returns those of commits, in their order, that are not in the history of the commit from. If from is empty,
// it returns all. It leaves out commits that this clone lacks.
func (l Log) Unreached(ctx context.Context, from string, commits []string) ([]string, error) {
	out, err := l.repo.Offline().Git(ctx, revisions([]string{from}, commits), "rev-list", "--ignore-missing", "--stdin")
	if err != nil {
		return nil, err
	}
	unreached := strings.Fields(string(out))
	slices.Sort(unreached)
	var all []string
	for _, commit := range commits {
		if _, found := slices.BinarySearch(unreached, commit); found {
			all = append(all, commit)
		}
	}
	return all, nil
}

// Graph returns the parents of commits and of all their ancestors, by hash.
func (l Log) Graph(ctx context.Context, commits []string) (map[string][]string, error) {
	out, err := l.repo.Offline().Git(ctx, revisions(nil, commits), "rev-list", "--parents", "--ignore-missing", "--stdin")
	parents := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		hashes := strings.Fields(line)
		parents[hashes[0]] = hashes[1:]
	}
	return parents, err
}

// revisions returns the input for `git rev-list --stdin` that selects commits and their ancestors, but not the commits
// in the argument without and their ancestors. Empty names in that argument are skipped.
func revisions(without, commits []string) []byte {
	lines := strings.Join(commits, "\n") + "\n"
	for _, commit := range without {
		if commit != "" {
			lines += "^" + commit + "\n"
		}
	}
	return []byte(lines)
}

// Touched tells when the files of a folder last changed, and on which branches checkpoints were begun.
type Touched struct {
	At map[string]time.Time // when each file (by path below the folder) and each checkpoint (by id) last changed
	// Branches has, by id, the branch on which each checkpoint was begun. That is the branch in the trailers of the oldest
	// commit that names both the checkpoint and a branch. Only commits on the checkpoint ref name a branch.
	Branches map[string]string
}

// Touched returns the committer time of the last change of each file below dir in the history of head. If since names a
// commit, only the commits after that one are read. Ok is false if these are not enough: head may have left
// since, or one of the commits after it has taken in commits of a branch.
func (l Log) Touched(ctx context.Context, dir, since, head string) (of Touched, ok bool, err error) {
	of = Touched{At: map[string]time.Time{}, Branches: map[string]string{}}
	var commits []Commit
	if since != "" {
		commits, err = l.folder(ctx, Files{Dir: dir}, "--full-history", "-c", "--left-right", since+"..."+head)
		isNone := func(c Commit) bool { return c.left || len(c.TookIn()) > 0 }
		if git.ExitCode(err) == 128 || slices.ContainsFunc(commits, isNone) { // 128: gc has removed the commit
			return of, false, nil
		}
	} else {
		commits, err = l.historyOf(ctx, Files{Dir: dir}, head)
	}
	if err != nil {
		return of, false, l.repo.Objects().Elsewhere(err)
	}
	for _, c := range commits {
		for _, id := range c.Trailers["Checkpoint"] {
			if branch := c.Trailers["Checkpoint-Branch"]; len(branch) > 0 {
				of.Branches[id] = branch[0]
			}
		}
		if !c.Copy && len(c.TookIn()) == 0 {
			for _, id := range c.Trailers["Checkpoint"] {
				c.Files = append(c.Files[:len(c.Files):len(c.Files)], FileChange{Path: id})
			}
			of.add(c)
		}
	}
	before := maps.Clone(of.At)
	for _, c := range commits { // copies count for files whose original commits gc has removed
		c.Files = slices.DeleteFunc(slices.Clone(c.Files), func(f FileChange) bool { return !before[f.Path].IsZero() })
		of.add(c)
	}
	return of, true, nil
}

// add counts a commit that touched files. A merge has touched those that differ from each of its parents.
func (of Touched) add(c Commit) {
	for _, f := range c.Files {
		if len(f.Also)+1 >= len(c.Parents) && c.Time.After(of.At[f.Path]) {
			of.At[f.Path] = c.Time
		}
	}
}

// LastTouched returns when a commit or one of its ancestors last touched each file below dir, by path below dir.
func (l Log) LastTouched(ctx context.Context, commit, dir string) (map[string]time.Time, error) {
	commits, err := l.folder(ctx, Files{Dir: dir}, "-c", commit)
	of := Touched{At: map[string]time.Time{}}
	for _, c := range commits {
		of.add(c)
	}
	return of.At, err
}

// FirstCommit returns the time of the first commit with path, for a file also under its former names.
// The time is zero if path was never committed, or if the clone cannot tell.
func (l Log) FirstCommit(ctx context.Context, path string, folder bool) time.Time {
	args := []string{"log", "--format=%ct"}
	if !folder { // git log --follow works for one file only
		args = append(args, "--follow")
	}
	out, err := l.repo.Offline().Git(ctx, nil, append(args, "--", path)...)
	times := strings.Fields(string(out))
	if err != nil || len(times) == 0 {
		return time.Time{}
	}
	unix, err := strconv.ParseInt(times[len(times)-1], 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(unix, 0).UTC()
}

// Package log answers questions about commits: which ones touched a folder, what they did to
// its files, who wrote them, which merges there were, and which commits a branch has lost.
//
// It runs `git log` and its relatives, since they know everything about simplified history,
// partial and shallow clones, replaced objects and grafts. Only questions that nearly every
// command asks, and whose answer is in the newest commits, are answered from the objects
// first. Nothing here changes a repository, and nothing asks another repository for what a
// partial clone lacks.
package log

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
)

// Log answers questions about the commits of a repository. Folders are slash paths from the
// root; the paths of the files in an answer begin below the folder that was asked for.
type Log struct{ repo *git.Repo }

// Of returns the log of a repository.
func Of(repo *git.Repo) Log { return Log{repo: repo} }

// Log returns the newest commits of this branch's own line (first parents) that touched files
// below dir, at most limit, or all for 0. The files of a merge are those that it brought to
// its first parent.
func (l Log) Log(ctx context.Context, dir string, limit int) ([]Commit, error) {
	head, err := l.repo.Head()
	if err != nil || head.Hash == "" {
		return nil, err
	}
	return l.LogFrom(ctx, head.Hash, dir, limit)
}

// LogFrom is [Log.Log] for the line that ends at a commit.
func (l Log) LogFrom(ctx context.Context, commit, dir string, limit int) ([]Commit, error) {
	options := []string{"--first-parent", "-m"}
	if limit > 0 {
		options = append(options, fmt.Sprintf("--max-count=%d", limit))
	}
	return l.folder(ctx, dir, append(options, commit)...)
}

// FirstParents returns the commits from one on, along their first parents, without files.
func (l Log) FirstParents(ctx context.Context, commit string) ([]Commit, error) {
	out, err := l.repo.Git(ctx, nil, "log", "--first-parent", "-z", "--no-color", "--no-show-signature",
		"--encoding=UTF-8", format(), commit, "--")
	if err != nil {
		return nil, err
	}
	return parseCommits(string(out), "")
}

// History returns every ancestor of HEAD that touched files below dir, whatever branch it came
// from, the newest first and none before a descendant of it. The files of a merge are those in
// which it differs from each of its parents. During a rebase or a bisect History begins at the
// commit that is the user's own.
func (l Log) History(ctx context.Context, dir string) ([]Commit, error) {
	return l.ownHistory(ctx, dir, "-c")
}

// HistoryWithMerges is History with every merge, also one that has a file as one of its
// parents has it, and so drops the versions of the others.
func (l Log) HistoryWithMerges(ctx context.Context, dir string) ([]Commit, error) {
	commits, err := l.ownHistory(ctx, dir, "-m")
	addEqualParents(commits)
	return commits, err
}

// HistoryOf is History that begins at a commit.
func (l Log) HistoryOf(ctx context.Context, commit, dir string) ([]Commit, error) {
	return l.folder(ctx, dir, "--full-history", "--date-order", "-c", commit)
}

func (l Log) ownHistory(ctx context.Context, dir, merges string) ([]Commit, error) {
	from, err := l.repo.Branches().OwnCommit(ctx)
	if err != nil || from == "" {
		return nil, err
	}
	return l.folder(ctx, dir, "--full-history", "--date-order", merges, from)
}

// Recent returns the newest ancestors of HEAD that touched files below dir, whatever branch
// they came from, at most limit, and no ancestor of since ("" for no commit). The files of a
// merge are all in which it differs from one of its parents. The error is [git.ErrElsewhere]
// if a partial clone cannot tell.
func (l Log) Recent(ctx context.Context, dir, since string, limit int) ([]Commit, error) {
	head, err := l.repo.Head()
	if err != nil || head.Hash == "" {
		return nil, err
	}
	options := []string{"--full-history", "-m", fmt.Sprintf("--max-count=%d", limit), head.Hash}
	if since != "" {
		options = append(options, "^"+since)
	}
	commits, err := l.folder(ctx, dir, options...)
	addEqualParents(commits)
	return commits, elsewhere(l.repo, err)
}

// Between returns the ancestors of to that are not ancestors of from, merges left out, and
// that touched files below dir. Errors are those of [Log.Recent].
func (l Log) Between(ctx context.Context, dir, from, to string) ([]Commit, error) {
	commits, err := l.folder(ctx, dir, "--full-history", "--no-merges", to, "^"+from)
	return commits, elsewhere(l.repo, err)
}

// elsewhere adds [git.ErrElsewhere] to the error of a partial clone, which may lack objects.
func elsewhere(repo *git.Repo, err error) error {
	if err != nil && repo.MayLack() {
		err = fmt.Errorf("%w: %w", git.ErrElsewhere, err)
	}
	return err
}

// Outside returns the ancestors of commits that are not ancestors of one of without, and that
// touched files below dir. The files of a merge are those in which it differs from each of its
// parents.
func (l Log) Outside(ctx context.Context, without, commits []string, dir string) ([]Commit, error) {
	out, err := l.run(ctx, revisions(without, commits), "--ignore-missing", "-c", "--stdin", "--", dir)
	if err != nil {
		return nil, l.repo.Objects().Elsewhere(err)
	}
	return parseCommits(string(out), dir)
}

// Versions returns every commit that a ref or HEAD reaches and that touched files at the given
// paths, parents before children. Their Subject is the whole message. The files of a merge are
// those in which it differs from each of its parents.
func (l Log) Versions(ctx context.Context, paths ...string) ([]Commit, error) {
	options := []string{"--all", "--full-history", "-c", "--topo-order", "--reverse",
		strings.Replace(format(), "%s", "%B", 1), "--"}
	out, err := l.run(ctx, nil, append(options, paths...)...)
	if err != nil {
		return nil, err
	}
	return parseCommits(string(out), "")
}

// folder returns commits with what they did to the files below dir.
func (l Log) folder(ctx context.Context, dir string, options ...string) ([]Commit, error) {
	out, err := l.run(ctx, nil, append(options, "--", dir)...)
	if err != nil && l.repo.MayLack() { // a clone without trees
		return nil, fault.New(fault.Failed, "the history of %s/ is not in this clone, which is a partial one: %w", dir, err).
			WithHint("git log --raw -- %s > %s fetches it", dir, os.DevNull)
	}
	if err != nil {
		return nil, err
	}
	return parseCommits(string(out), dir)
}

// run runs git log so that parseCommits can read its answer.
func (l Log) run(ctx context.Context, stdin []byte, options ...string) ([]byte, error) {
	args := []string{"-c", "log.showRoot=true", "-c", "log.follow=false", "log", "--raw", "--no-renames", "--no-abbrev",
		"-z", "--no-color", "--no-show-signature", "--encoding=UTF-8", format()}
	return l.repo.Offline().Git(ctx, stdin, append(args, options...)...)
}

// Staged returns what the index changes against HEAD at the given paths.
func (l Log) Staged(ctx context.Context, paths ...string) ([]FileChange, error) {
	args := []string{"diff", "--cached", "--raw", "--no-renames", "--no-abbrev", "--no-color", "--no-ext-diff", "-z", "--"}
	out, err := l.repo.Git(ctx, nil, append(args, paths...)...)
	if err != nil {
		return nil, err
	}
	var changes []FileChange
	part := strings.Split(string(out), "\x00") // by turns what happened, and to which file
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

// Resolve returns the commit that a revision names, in full; "" if git knows none.
func (l Log) Resolve(ctx context.Context, rev string) (string, error) {
	out, err := l.repo.Offline().Git(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if code := git.ExitCode(err); code == 1 || code == 128 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// HasCommit reports whether the repository has a commit of this name.
func (l Log) HasCommit(ctx context.Context, name string) bool {
	if l.repo.Foreign() == "" {
		if _, err := l.repo.Objects().Database().Read(object.Commit, name); err == nil {
			return true
		}
	}
	_, err := l.repo.Git(ctx, nil, "cat-file", "-e", name+"^{commit}")
	return err == nil
}

// Message returns the whole message of a commit.
func (l Log) Message(ctx context.Context, commit string) (string, error) {
	out, err := l.repo.Git(ctx, nil, "log", "--max-count=1", "--no-show-signature", "--format=%B", commit)
	return string(out), err
}

// MergeBase returns the newest commit that two have in common; "" for none.
func (l Log) MergeBase(ctx context.Context, ours, theirs string) (string, error) {
	out, err := l.repo.Git(ctx, nil, "merge-base", ours, theirs)
	if git.ExitCode(err) == 1 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// Unreached returns the commits that are not ancestors of the commit from, in the given order;
// an empty from has no ancestors. Commits that this clone lacks are left out.
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

// revisions returns what git reads on standard input for the ancestors of commits that are not
// ancestors of one of without, in which empty names are skipped.
func revisions(without, commits []string) []byte {
	lines := strings.Join(commits, "\n") + "\n"
	for _, commit := range without {
		if commit != "" {
			lines += "^" + commit + "\n"
		}
	}
	return []byte(lines)
}

// FilesAt calls visit with the blobs that each of the commits has at the wanted paths, which
// are relative to dir.
func (l Log) FilesAt(ctx context.Context, commits []string, dir string, wanted map[string]bool,
	visit func(commit string, files map[string]string)) error {
	objects := l.repo.Offline().Objects()
	for _, commit := range commits {
		files, err := objects.FolderAt(ctx, commit, dir)
		if err != nil {
			return err
		}
		blobs := map[string]string{}
		for path := range wanted {
			if e := files[path]; !e.IsZero() {
				blobs[path] = e.Hash
			}
		}
		visit(commit, blobs)
	}
	return nil
}

// Grown reports whether a commit is another one with at most so many commits on top, each with
// one parent, and has the same folder at dir. It runs no process, and is false if only git
// could tell.
func (l Log) Grown(from, to string, most int, dir string) bool {
	if l.repo.Foreign() != "" {
		return false
	}
	db := l.repo.Objects().Database()
	var folders [2]git.Entry
	for i, commit := range []string{from, to} {
		c, err := object.ReadCommit(db, commit)
		if err != nil {
			return false
		}
		folders[i], err = object.PathsOf(db, c.Tree).At(dir)
		if err != nil {
			return false
		}
	}
	if folders[0] != folders[1] {
		return false
	}
	return object.Line(db, to, from, most, func(string, object.CommitText, object.CommitText) bool { return true })
}

// Times returns when each file below dir was last touched by an ancestor of head, by the
// committer's clock. Since, a commit whose answer is known, limits the walk to what came after
// it; ok is false if since is not an ancestor of head, as after a rebase. The paths begin at
// the root.
func (l Log) Times(ctx context.Context, dir, since, head string) (at map[string]time.Time, ok bool, err error) {
	commits := head
	if since != "" {
		commits = since + "..." + head
	}
	out, err := l.repo.Offline().
		Git(ctx, nil, "-c", "log.showRoot=true", "-c", "log.follow=false", "log", "-z", "--left-right", "-c",
			"--name-only", "--no-renames", "--no-color", "--no-show-signature", "--format=%x01%m%ct", commits, "--", dir)
	if since != "" && git.ExitCode(err) == 128 { // gc removed it
		return nil, false, nil
	}
	if err != nil {
		return nil, false, l.repo.Objects().Elsewhere(err)
	}
	at = map[string]time.Time{}
	for commit := range strings.SplitSeq(string(out), "\x01") {
		header, files, _ := strings.Cut(commit, "\x00")
		if header == "" {
			continue
		}
		if since != "" && header[0] == '<' {
			return nil, false, nil
		}
		when := unixTime(header[1:])
		for path := range strings.SplitSeq(files, "\x00") {
			path = strings.TrimPrefix(path, "\n")
			if path != "" && when.After(at[path]) {
				at[path] = when
			}
		}
	}
	return at, true, nil
}

// LastTouched returns when the newest ancestor of a commit that touched a file did so; zero if
// none did.
func (l Log) LastTouched(ctx context.Context, commit, path string) (time.Time, error) {
	out, err := l.repo.Offline().
		Git(ctx, nil, "log", "--max-count=1", "--no-show-signature", "--format=%ct", commit, "--", path)
	return unixTime(string(out)), err
}

// FirstCommit returns when path first was in a commit, under this name or one that it was
// renamed from; zero if it never was, or if the clone cannot tell.
func (l Log) FirstCommit(ctx context.Context, path string, folder bool) time.Time {
	args := []string{"log", "--format=%ct"}
	if !folder { // --follow is for one file
		args = append(args, "--follow")
	}
	out, err := l.repo.Offline().Git(ctx, nil, append(args, "--", path)...)
	times := strings.Fields(string(out))
	if err != nil || len(times) == 0 {
		return time.Time{}
	}
	return unixTime(times[len(times)-1]).UTC()
}

// unixTime reads what git prints for %ct; zero for nothing and for a date that git cannot
// print either.
func unixTime(seconds string) time.Time {
	unix, err := strconv.ParseInt(strings.TrimSpace(seconds), 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(unix, 0)
}

// InIndex makes [Log.Grep] read the files as they are staged, which takes a quarter of the
// time that the working tree takes.
const InIndex = "--cached"

// Grep returns the tracked files outside of a folder that contain words, by word: files of the
// working tree, of a commit, or [InIndex]. Binary files are left out.
func (l Log) Grep(ctx context.Context, rev string, words []string, exclude string) (map[string][]string, error) {
	found := map[string][]string{}
	if len(words) == 0 {
		return found, nil
	}
	args := []string{"-c", "grep.lineNumber=false", "-c", "grep.column=false", "grep", "-z", "-o", "-w", "-F", "-I",
		"--no-color", "--full-name", "--no-recurse-submodules"}
	for _, w := range words {
		args = append(args, "-e", w)
	}
	if rev != "" {
		args = append(args, rev)
	}
	out, err := l.repo.GitGlob(ctx, append(args, "--", ".", ":(exclude,literal)"+exclude)...)
	if git.ExitCode(err) == 1 { // no file has such a word
		return found, nil
	}
	for line := range strings.SplitSeq(string(out), "\n") {
		file, word, ok := strings.Cut(line, "\x00")
		if rev != "" {
			file = strings.TrimPrefix(file, rev+":")
		}
		if ok && !slices.Contains(found[word], file) {
			found[word] = append(found[word], file)
		}
	}
	return found, err
}

// GrepHistory returns every line with a text that a commit has brought to a Markdown file, as
// diffs, of all commits that a ref, a reflog or the HEAD of a working tree reaches. It is an
// error if this clone lacks some of them.
func (l Log) GrepHistory(ctx context.Context, text string) ([]byte, error) {
	if shallow, err := l.repo.Objects().Shallow(); err != nil || len(shallow) > 0 || l.repo.MayLack() {
		return nil, fault.New(fault.Unsupported, "this clone does not have all of history")
	}
	return l.repo.GitGlob(ctx, "-c", "log.showRoot=true", "-c", "log.follow=false", "log", "--all", "--reflog",
		"--diff-merges=first-parent", "--format=", "-p", "-U0", "--text", "--no-renames", "--no-color", "--no-ext-diff",
		"--no-textconv", "-G"+text, "--", ":(glob)**/*.md")
}

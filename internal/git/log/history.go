package log

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
)

// Log answers questions about commits. Its methods run git.
type Log struct{ repo *git.Repo }

// Of returns the log of a repository.
func Of(repo *git.Repo) Log { return Log{repo: repo} }

// Commit is a commit that touched checkpoint files.
type Commit struct {
	Hash     string
	Parents  []string
	Time     time.Time // of the committer
	Author   string
	Email    string // of the author
	Subject  string
	Trailers map[string][]string // by name: "Checkpoint", "Checkpoint-Op", ...
	Files    []FileChange        // below the folder that was asked for
}

// FileChange is what one commit did to one file, as names of blobs; "" where
// there is no file on that side.
type FileChange struct {
	Path, Before, After string
	Also                []string // of a merge: what its other parents have
}

// trailerNames are the trailers that Log reads.
var trailerNames = []string{"Checkpoint", "Checkpoint-Op", "Checkpoint-Undoes"}

// Log is the newest commits of this branch's own line (first parents), at most
// limit (0: all), that touched files below dir, a slash path from the root. Merges
// are seen by what they brought to the first parent. It runs git once.
func (l Log) Log(ctx context.Context, dir string, limit int) ([]Commit, error) {
	head, err := l.repo.Head()
	if err != nil || head.Hash == "" {
		return nil, err
	}
	return l.LogFrom(ctx, head.Hash, dir, limit)
}

// LogFrom is Log of the line that ends at a commit.
func (l Log) LogFrom(ctx context.Context, commit, dir string, limit int) ([]Commit, error) {
	args := []string{"--first-parent", "-m"}
	if limit > 0 {
		args = append(args, fmt.Sprintf("--max-count=%d", limit))
	}
	return l.log(ctx, commit, dir, args...)
}

// History is every commit that HEAD has grown from, whatever branch it came from,
// and that touched files below dir, the newest first and none before what has grown
// from it. A merge is in it with the files that it has otherwise than each of its
// parents. During a rebase or a bisect it begins at the commit that is the user's
// own. It runs git once, and asks no other repository for what a partial clone
// lacks.
func (l Log) History(ctx context.Context, dir string) ([]Commit, error) {
	return l.historyWith(ctx, dir, "-c")
}

// Sides is History with every merge: also one that has a file as one of its parents
// has it, and so drops what the others have.
func (l Log) HistoryWithMerges(ctx context.Context, dir string) ([]Commit, error) {
	commits, err := l.historyWith(ctx, dir, "-m")
	addAgreeing(commits)
	return commits, err
}

// addAgreeing adds to the files of merges what the parents have that a merge agrees with:
// git does not list those.
func addAgreeing(commits []Commit) {
	for _, c := range commits {
		for i := range c.Files {
			for f := &c.Files[i]; 1+len(f.Also) < len(c.Parents); {
				f.Also = append(f.Also, f.After)
			}
		}
	}
}

// HistoryOf is History as it began at a commit, whatever branch that is on.
func (l Log) HistoryOf(ctx context.Context, commit, dir string) ([]Commit, error) {
	return l.log(ctx, commit, dir, "--full-history", "--date-order", "-c")
}

// FirstParents returns the commits from one on, along their first parents, without their
// files.
func (l Log) FirstParents(ctx context.Context, commit string) ([]Commit, error) {
	out, err := l.repo.Git(ctx, nil, "log", "--first-parent", "-z", "--no-color", "--no-show-signature", "--encoding=UTF-8",
		logFormat(), commit, "--")
	if err != nil {
		return nil, err
	}
	return parseCommits(string(out), "")
}

// Resolve is the commit that a revision names, in full; "" where git knows none.
func (l Log) Resolve(ctx context.Context, rev string) (string, error) {
	out, err := l.repo.Offline().Git(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if code := git.ExitCode(err); code == 1 || code == 128 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

func (l Log) historyWith(ctx context.Context, dir, merges string) ([]Commit, error) {
	from, err := l.repo.Branches().OwnCommit(ctx)
	if err != nil || from == "" {
		return nil, err
	}
	return l.log(ctx, from, dir, "--full-history", "--date-order", merges)
}

func (l Log) log(ctx context.Context, from, dir string, how ...string) ([]Commit, error) {
	args := append([]string{"-c", "log.showRoot=true", "-c", "log.follow=false", "log", "--raw", "--no-renames", "--no-abbrev", "-z",
		"--no-color", "--no-show-signature", "--encoding=UTF-8", logFormat()}, how...)
	out, err := l.repo.Offline().Git(ctx, nil, append(args, from, "--", dir)...)
	if err != nil && l.repo.MayLack() { // a clone without trees
		return nil, fault.New(fault.Failed, "the history of %s/ is not in this clone, which is a partial one: %w", dir, err).
			WithHint("git log --raw -- %s > %s fetches it", dir, os.DevNull)
	}
	if err != nil {
		return nil, err
	}
	return parseCommits(string(out), dir)
}

// logFormat makes git log write heads that parseHead reads: fields that each end
// with a NUL, but for the last.
func logFormat() string {
	format := "--format=%x01%H%x00%P%x00%ct%x00%an%x00%ae%x00%s"
	for _, name := range trailerNames {
		format += "%x00%(trailers:key=" + name + ",valueonly,separator=%x2C)"
	}
	return format
}

// parseCommits reads what git log -z --raw answers to [logFormat]: a head that
// begins with \x01, then for each file what happened to it and its path.
func parseCommits(out, dir string) ([]Commit, error) {
	fields := 6 + len(trailerNames)
	var commits []Commit
	var seen map[string]int // of a merge: where in its files those are that another parent lacks, too
	tokens := strings.Split(out, "\x00")
	for i := 0; i < len(tokens); i++ {
		token := strings.TrimLeft(tokens[i], "\n")
		switch {
		case strings.HasPrefix(token, "\x01") && i+fields <= len(tokens):
			c, err := parseHead(append([]string{token[1:]}, tokens[i+1:i+fields]...))
			if err != nil {
				return nil, err
			}
			if n := len(commits); n == 0 || commits[n-1].Hash != c.Hash {
				commits, seen = append(commits, c), nil
			} else if seen == nil { // a merge comes once for each parent
				seen = commits[n-1].places()
			}
			i += fields - 1
		case strings.HasPrefix(token, ":") && i+1 < len(tokens) && len(commits) > 0:
			f, err := parseChange(token)
			if err != nil {
				return nil, err
			}
			i++
			f.Path = strings.TrimPrefix(tokens[i], dir+"/")
			commits[len(commits)-1].add(f, seen)
		case token != "":
			return nil, fault.New(fault.Failed, "git log answered %q", token)
		}
	}
	return commits, nil
}

// places is where in the files of a commit each path is.
func (c *Commit) places() map[string]int {
	at := make(map[string]int, len(c.Files))
	for i, f := range c.Files {
		at[f.Path] = i
	}
	return at
}

// add takes what a commit did to a file, seen from all parents, or from one: seen
// then has what was said of those before.
func (c *Commit) add(f FileChange, seen map[string]int) {
	if i, again := seen[f.Path]; again {
		c.Files[i].Also = append(c.Files[i].Also, f.Before)
		return
	}
	if seen != nil {
		seen[f.Path] = len(c.Files)
	}
	c.Files = append(c.Files, f)
}

// parseChange reads what stands before the path in a raw line: as many colons as
// there are parents, the modes of the sides and of the result, their blobs, letters.
func parseChange(raw string) (FileChange, error) {
	f := strings.Fields(strings.TrimLeft(raw, ":"))
	parents := len(raw) - len(strings.TrimLeft(raw, ":"))
	if len(f) != 2*(parents+1)+1 {
		return FileChange{}, fault.New(fault.Failed, "git log answered %q", raw)
	}
	blobs := f[parents+1 : 2*(parents+1)]
	c := FileChange{Before: blobName(blobs[0]), After: blobName(blobs[parents])}
	for _, name := range blobs[1:parents] {
		c.Also = append(c.Also, blobName(name))
	}
	return c, nil
}

func parseHead(f []string) (Commit, error) {
	var seconds int64 // git prints nothing for a date before 1970
	if f[2] != "" {
		var err error
		if seconds, err = strconv.ParseInt(f[2], 10, 64); err != nil {
			return Commit{}, fault.New(fault.Failed, "git log answered %q: %w", f, err)
		}
	}
	c := Commit{
		Hash: f[0], Parents: strings.Fields(f[1]), Time: time.Unix(seconds, 0).UTC(),
		Author: f[3], Email: f[4], Subject: f[5], Trailers: map[string][]string{},
	}
	for i, name := range trailerNames {
		if values := strings.TrimSpace(f[6+i]); values != "" {
			c.Trailers[name] = strings.Split(values, ",")
		}
	}
	return c, nil
}

// blobName is a blob's name, "" for the zeros that stand for no file.
func blobName(name string) string {
	if strings.Trim(name, "0") == "" {
		return ""
	}
	return name
}

// HasCommit says whether the repository has a commit of this name.
func (l Log) HasCommit(ctx context.Context, name string) bool {
	if l.repo.Foreign() == "" {
		if _, err := l.repo.Objects().Database().Read(object.Commit, name); err == nil {
			return true
		}
	}
	_, err := l.repo.Git(ctx, nil, "cat-file", "-e", name+"^{commit}")
	return err == nil
}

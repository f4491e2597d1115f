package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/core/fault"
)

// Commit is a commit of this branch's own line (first parents) that touched
// checkpoint files.
type Commit struct {
	Hash     string
	Time     time.Time // of the committer
	Subject  string
	Trailers map[string][]string // by name: "Checkpoint", "Checkpoint-Op", ...
	Files    []FileChange        // below the folder that was asked for
}

// FileChange is what one commit did to one file, as names of blobs; "" where
// there is no file on that side.
type FileChange struct{ Path, Before, After string }

// trailerNames are the trailers that Log reads.
var trailerNames = []string{"Checkpoint", "Checkpoint-Op", "Checkpoint-Undoes"}

// Log is the newest commits, at most limit (0: all), that touched files below
// dir, a slash path from the root. Merges are seen by what they brought to the
// first parent. It runs git once.
func (r *Repo) Log(ctx context.Context, dir string, limit int) ([]Commit, error) {
	head, err := r.Head()
	if err != nil || head.Hash == "" {
		return nil, err
	}
	args := []string{"-c", "log.showRoot=true", "log", "--first-parent", "-m", "--raw", "--no-renames", "--no-abbrev", "-z", logFormat()}
	if limit > 0 {
		args = append(args, fmt.Sprintf("--max-count=%d", limit))
	}
	out, err := r.git(ctx, nil, append(args, head.Hash, "--", dir)...)
	if err != nil {
		return nil, err
	}
	return parseCommits(string(out), dir)
}

// logFormat makes git log write heads that parseHead reads.
func logFormat() string {
	format := "--format=%x01%H%x02%ct%x02%s"
	for _, name := range trailerNames {
		format += "%x02%(trailers:key=" + name + ",valueonly,separator=%x2C)"
	}
	return format
}

// parseCommits reads records that are parted by NULs: a head that begins with \x01,
// then for each file what happened to it and its path.
func parseCommits(out, dir string) ([]Commit, error) {
	var commits []Commit
	what := ""
	for token := range strings.SplitSeq(out, "\x00") {
		token = strings.TrimLeft(token, "\n")
		switch {
		case strings.HasPrefix(token, "\x01"):
			c, err := parseHead(token[1:])
			if err != nil {
				return nil, err
			}
			commits = append(commits, c)
		case what != "" && len(commits) > 0:
			f := strings.Fields(what) // :mode mode before after status
			if len(f) < 5 {
				return nil, fault.New(fault.Failed, "git log answered %q", what)
			}
			last := &commits[len(commits)-1]
			last.Files = append(last.Files, FileChange{strings.TrimPrefix(token, dir+"/"), blobName(f[2]), blobName(f[3])})
			what = ""
		case strings.HasPrefix(token, ":"):
			what = token
		}
	}
	return commits, nil
}

func parseHead(head string) (Commit, error) {
	f := strings.Split(head, "\x02")
	if len(f) != 3+len(trailerNames) {
		return Commit{}, fault.New(fault.Failed, "git log answered %q", head)
	}
	seconds, err := strconv.ParseInt(f[1], 10, 64)
	if err != nil {
		return Commit{}, fault.New(fault.Failed, "git log answered %q: %w", head, err)
	}
	c := Commit{Hash: f[0], Time: time.Unix(seconds, 0).UTC(), Subject: f[2], Trailers: map[string][]string{}}
	for i, name := range trailerNames {
		if values := strings.TrimSpace(f[3+i]); values != "" {
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

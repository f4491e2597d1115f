package log

import (
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/fault"
)

// Commit is a commit that touched checkpoint files.
type Commit struct {
	Hash     string
	Parents  []string
	Time     time.Time // the committer's time
	Author   string
	Email    string // the author's address
	Subject  string
	Trailers map[string][]string // the values by name: "Checkpoint", "Checkpoint-Op", ...
	Files    []FileChange        // the changed files below the folder that was asked for

	Branch bool // the commit is not on the checkpoint ref
	Copy   bool // the commit publishes on a branch an operation that the checkpoint ref has

	Authored int64 // the author's time in Unix seconds; a rebase does not change it

	left bool // the commit is on the left side of a range A...B
}

// The trailers that connect the checkpoint ref and the branches of the code.
const (
	historyTrailer = "Checkpoint-History" // on the ref: a commit of a branch that the ref has taken in, with its history
	refTrailer     = "Checkpoint-Ref"     // on a branch: the commit of the ref up to which operations are published

	// HadTrailer, on the ref, is a version of a file on a branch, from which the commit has taken changes: the blob, the
	// version's time in Unix seconds, and the path. If there are several, the oldest is the first.
	HadTrailer = "Checkpoint-Had"
)

// TookIn returns the commits of branches that a commit of the checkpoint ref has taken in.
func (c Commit) TookIn() []string { return c.Trailers[historyTrailer] }

// FileChange is the change of one file in one commit, as hashes of blobs. A hash is empty if the
// file is missing, or if it is a link or the like.
type FileChange struct {
	Path   string
	Before string
	After  string
	Also   []string // for a merge, the blobs of its other parents
}

// trailerNames are the trailers of ckpt's commits.
var trailerNames = []string{
	"Checkpoint", "Checkpoint-Op", "Checkpoint-Undoes", "Checkpoint-Head", "Checkpoint-Worktree", "Checkpoint-Agent",
	"Checkpoint-Session", "Checkpoint-Current", "Checkpoint-Branch", historyTrailer, refTrailer,
	HadTrailer, "Checkpoint-Passed",
}

// headFields is the number of fields before those of the trailers.
const headFields = 8

// format returns the option of git log that prints the head of a commit as parseHead expects it: fields with a NUL
// between them.
func format() string {
	format := "--format=%x01%H%x00%P%x00%ct%x00%an%x00%ae%x00%s%x00%at%x00%m"
	for _, name := range trailerNames {
		format += "%x00%(trailers:key=" + name + ",valueonly,separator=%x2C)"
	}
	return format
}

// parseCommits parses what `git log -z --raw` prints with the option format(): a head that begins with \x01, then for
// each file its change and its path. It leaves out files that are not at or below dir.
func parseCommits(out, dir string) ([]Commit, error) {
	fields := headFields + len(trailerNames)
	var commits []Commit
	var seen map[string]int // indices of files by path, for a merge, which git lists once for each parent
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
			} else if seen == nil {
				seen = map[string]int{}
				for at, f := range commits[n-1].Files {
					seen[f.Path] = at
				}
			}
			i += fields - 1
		case strings.HasPrefix(token, ":") && i+1 < len(tokens) && len(commits) > 0:
			f, err := parseChange(token)
			if err != nil {
				return nil, err
			}
			i++
			rel, below := strings.CutPrefix(tokens[i], dir+"/")
			f.Path = rel
			if below || dir == "" || rel == dir {
				commits[len(commits)-1].add(f, seen)
			}
		case token != "":
			return nil, fault.New(fault.Failed, "git log answered %q", token)
		}
	}
	return commits, nil
}

// add adds the change of a file. If git lists a merge once for each parent, seen has the files that the list for an
// earlier parent had.
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

// parseChange parses the part of a raw line before the path: one colon for each parent, the modes
// of all sides and of the result, their blobs, and letters.
func parseChange(raw string) (FileChange, error) {
	f := strings.Fields(strings.TrimLeft(raw, ":"))
	parents := len(raw) - len(strings.TrimLeft(raw, ":"))
	if len(f) != 2*(parents+1)+1 {
		return FileChange{}, fault.New(fault.Failed, "git log answered %q", raw)
	}
	blobs := f[parents+1 : 2*(parents+1)]
	for i, mode := range f[:parents+1] {
		if !strings.HasPrefix(mode, "100") {
			blobs[i] = ""
		}
	}
	c := FileChange{Before: blobName(blobs[0]), After: blobName(blobs[parents])}
	for _, name := range blobs[1:parents] {
		c.Also = append(c.Also, blobName(name))
	}
	return c, nil
}

func parseHead(f []string) (Commit, error) {
	var seconds [2]int64 // git prints nothing for a date before 1970
	for i, printed := range [...]string{f[2], f[6]} {
		if printed == "" {
			continue
		}
		var err error
		seconds[i], err = strconv.ParseInt(printed, 10, 64)
		if err != nil {
			return Commit{}, fault.New(fault.Failed, "git log answered %q: %w", f, err)
		}
	}
	c := Commit{
		Hash: f[0], Parents: strings.Fields(f[1]), Time: time.Unix(seconds[0], 0).UTC(),
		Author: f[3], Email: f[4], Subject: f[5], Trailers: map[string][]string{}, Authored: seconds[1],
		left: f[7] == "<",
	}
	for i, name := range trailerNames {
		if values := strings.TrimSpace(f[headFields+i]); values != "" {
			c.Trailers[name] = strings.Split(values, ",")
		}
	}
	return c, nil
}

// blobName returns the hash of a blob, or "" for the null hash.
func blobName(name string) string {
	if strings.Trim(name, "0") == "" {
		return ""
	}
	return name
}

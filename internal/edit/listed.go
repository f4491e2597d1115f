package edit

import (
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/git"
)

// The file of a checkpoint in the worktree's git folder (see repeat) has, below the digest, a line for
// each file that a delta of this worktree has listed: the time of the delta, the content that the file
// had then, and its path. A line counts only if the checkpoint still has that delta: an undo of the
// delta, or another branch, has an older one as its last.

// Unlisted returns the artifacts whose content differs from the one that the last delta has listed.
func (p *Editor) Unlisted(c *checkpoint.Checkpoint, artifacts []checkpoint.Artifact) []checkpoint.Artifact {
	listed, tables := listedIn(p.Repo.StateDir(), c), drift.TrailOf(c, p.Repo.Root())
	return slices.DeleteFunc(slices.Clone(artifacts), func(a checkpoint.Artifact) bool {
		content, known := listed[a.File]
		return known && tables.Mentions(a.File) && strings.HasSuffix(content, " "+contentOf(p, a))
	})
}

// listedIn returns what is recorded for each file that a delta of c has listed, by path.
func listedIn(stateDir string, c *checkpoint.Checkpoint) map[string]string {
	src, _ := disk.ReadFile(repeatFile(stateDir, c.ID)) // without it every file is listed again
	last, _ := checkpoint.ParseTime(c.Field("last_delta"))
	all := map[string]string{}
	_, lines, _ := strings.Cut(string(src), "\n")
	for line := range strings.Lines(lines) {
		at, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		content, file, _ := strings.Cut(rest, " ")
		if t, err := time.Parse(time.RFC3339, at); err == nil && !t.After(last) {
			all[file] = at + " " + content
		}
	}
	return all
}

// withListed adds what the artifacts of a delta list to what was recorded before, one line for each file.
func withListed(p *Editor, before, after *checkpoint.Checkpoint, artifacts []checkpoint.Artifact) string {
	all := listedIn(p.Repo.StateDir(), before)
	for _, a := range artifacts {
		all[a.File] = after.Field("last_delta") + " " + contentOf(p, a)
	}
	var lines []string
	for file, content := range all {
		if !strings.Contains(file, "\n") {
			lines = append(lines, content+" "+file+"\n")
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// contentOf returns a string that changes with the content of a file. For a folder with many new files it
// is a hash of the row's text.
func contentOf(p *Editor, a checkpoint.Artifact) string {
	if content := p.Repo.Worktree().Content(a.File); content != "" {
		return content
	}
	return git.BlobHash([]byte(a.Change))
}

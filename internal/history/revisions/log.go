package revisions

import (
	"path"
	"strings"

	"example.com/ckpt/internal/checkpoint"
)

// Log is the history of a checkpoint, the newest version first.
type Log struct {
	ID      string
	Changes []Change
	Older   int  // the number of versions that were left out
	Edited  bool // the file has edits that are in no version yet
}

// Change is a version and what it changed.
type Change struct {
	Version
	Diff *Diff  // relative to the first of Before; nil if it is not known
	Why  string // why Diff is not known
}

// Summary returns the commit's subject without the operation and the id.
func (c Change) Summary(id string) string {
	rest, ours := strings.CutPrefix(c.Subject, "ckpt: "+c.Op)
	if c.Op == "" || !ours {
		return c.Subject
	}
	for _, of := range [...]string{" " + id + ": ", ": ", " "} { // the subject for several checkpoints has no id
		if about, ok := strings.CutPrefix(rest, of); ok {
			return about
		}
	}
	return c.Subject
}

// Words returns one line on what the version changed.
func (c Change) Words() string {
	var all []string
	switch {
	case c.Gone():
		return "deleted"
	case len(c.Before) > 1:
		all = append(all, "merged")
	case len(c.Before) == 0 && c.Cut:
		return "this clone's history begins here"
	case len(c.Before) == 1 && c.Before[0].Path != c.Path:
		all = append(all, moved(c.Before[0].Path, c.Path))
	}
	if c.Diff == nil {
		return strings.Join(append(all, c.Why), ", ")
	}
	if words := c.Diff.Words(); words != "" {
		all = append(all, words)
	}
	return strings.Join(all, ", ")
}

func moved(from, to string) string {
	was, is := checkpoint.InArchive(from), checkpoint.InArchive(to)
	switch {
	case is && !was:
		return "moved to archive/"
	case was && !is:
		return "moved to active/"
	case path.Base(from) == path.Base(to):
		return "moved to " + path.Dir(to) + "/"
	}
	return "renamed from " + path.Base(from)
}

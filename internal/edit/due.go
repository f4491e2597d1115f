package edit

import (
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/git/changes"
)

// Fresh returns the files of a trail that were changed after the last delta of c.
func (p *Editor) Fresh(c *checkpoint.Checkpoint, trail changes.Work) []changes.File {
	since, gone := c.Changed(), map[string]bool{}
	for _, a := range fold.Artifacts(c) {
		gone[a.File] = a.Action == "deleted"
	}
	var all []changes.File
	for _, f := range trail.Files {
		switch {
		case f.Action == "deleted" && gone[f.Path]:
		case f.Action != "deleted" && !p.Repo.Worktree().ModTime(f.Path).Truncate(time.Second).After(since):
		case !f.Uncommitted && f.At.Before(since):
		default:
			all = append(all, f)
		}
	}
	return all
}

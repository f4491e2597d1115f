package resume

import (
	"context"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/workspace"
)

// UnrecordedWork returns the work of this worktree's sessions that no delta of c records. Edits are the
// uncommitted changes; known is false if git could not list them.
func (p *Resumer) UnrecordedWork(c *checkpoint.Checkpoint, edits []changes.Edit, known bool) []record.Work {
	if c.Status() == checkpoint.Archived {
		return nil
	}
	all := p.Undescribed(c)
	if len(all) == 0 || !known || p.Repo.InProgress() != "" {
		return all
	}
	now := map[string]string{} // the present path of an edited file, by its present and its former path
	for _, e := range edits {
		now[e.Path] = e.Path
		if e.From != "" {
			now[e.From] = e.Path
		}
	}
	var last time.Time // the time of the newest uncommitted change, including those that no hook reported
	for _, e := range edits {
		if at := p.Repo.Worktree().ModTime(e.Path).Truncate(time.Second); at.After(last) {
			last = at
		}
	}
	for i, w := range all {
		all[i].Files = nil
		if last.After(w.Wrote) {
			all[i].Wrote = last
		}
		for _, f := range w.Files {
			if path, ok := now[f]; ok {
				f = path
			}
			if !slices.Contains(all[i].Files, f) {
				all[i].Files = append(all[i].Files, f)
			}
		}
	}
	return all
}

// Undescribed returns the recorded work since the last delta of c. An automatic delta before a
// compaction lists only files, so commands count since the last delta that was not automatic.
func (p *Resumer) Undescribed(c *checkpoint.Checkpoint) []record.Work {
	since := c.Changed()
	deltas := c.Deltas()
	for n := len(deltas); n > 0 && strings.HasPrefix(deltas[n-1].Changed, SavedBefore); n-- {
		since = c.Created()
		if n > 1 {
			since = deltas[n-2].At
		}
	}
	entries := p.Recorder.Entries(since)
	if len(entries) == 0 {
		return nil
	}
	_, moved := p.Previous()
	by := record.Recorded{ID: c.ID, Since: since, Moved: moved}
	all := record.Unrecorded(entries, by)
	if since.Equal(c.Changed()) {
		return all
	}
	by.Since = c.Changed()
	later := record.Unrecorded(entries, by)
	for i, w := range all {
		all[i].Files, all[i].More = nil, 0
		if n := slices.IndexFunc(later, func(l record.Work) bool { return l.Session == w.Session }); n >= 0 {
			all[i].Files, all[i].More = later[n].Files, later[n].More
		}
	}
	return slices.DeleteFunc(all, func(w record.Work) bool { return len(w.Files)+w.More+len(w.Commands) == 0 })
}

// workOf returns the work that no delta of c records, in several lengths for a brief.
func (p *Resumer) workOf(c *checkpoint.Checkpoint, status *gitStatus) brief.Lengths {
	edits, err := status.wait()
	work := p.UnrecordedWork(c, edits, err == nil)
	if len(work) == 0 {
		return nil
	}
	return record.Brief(work, p.Session, c.ID, brief.MaxFacts)
}

// said returns the messages of the user that no checkpoint records. It leaves out those that this session
// still has in its context. Heard reports whether anything that the user said is recorded.
func (p *Resumer) said() (said []record.Words, heard bool) {
	all, heard := p.Recorder.Untaken()
	for _, w := range all {
		if w.Session == p.Session {
			w.Said = w.Said[:w.Lost]
		}
		if len(w.Said) > 0 {
			said = append(said, w)
		}
	}
	return said, heard
}

// Said returns the brief for when no checkpoint is current: the user's messages alone. It is nil if there are none.
func (p *Resumer) Said(limit brief.Limit) *brief.Rendering {
	said, _ := p.said()
	if len(said) == 0 {
		return nil
	}
	return (&brief.Brief{Name: "@", Said: said}).Within(limit)
}

// Unrecorded describes in one line the work that WorkOfOthers returns. It returns "" if there is no such work.
func (p *Resumer) Unrecorded(ctx context.Context, view *workspace.View) (string, error) {
	c, work, err := p.WorkOfOthers(ctx, view)
	if len(work) == 0 || err != nil {
		return "", err
	}
	return record.Line(work, c.ID), nil
}

// WorkOfOthers returns the current checkpoint, if there is one, and the work that none of its deltas
// records. It leaves out the work of the caller's session.
func (p *Resumer) WorkOfOthers(ctx context.Context, view *workspace.View) (c *checkpoint.Checkpoint,
	work []record.Work, err error) {
	c, err = p.ToResume(ctx, view, "")
	if c == nil || err != nil {
		return nil, nil, err
	}
	if c.Status() == checkpoint.Archived || len(p.OfOthers(p.Undescribed(c))) == 0 {
		return c, nil, nil // no need to start git
	}
	edits, err := changes.Of(p.Repo.Offline()).Uncommitted(ctx, p.Prefix)
	all := p.UnrecordedWork(c, edits, err == nil)
	return c, p.OfOthers(all), nil
}

// OfOthers returns the work of sessions other than the caller's.
func (p *Resumer) OfOthers(all []record.Work) []record.Work {
	return slices.DeleteFunc(all, func(w record.Work) bool { return p.Session != "" && w.Session == p.Session })
}

// MayBeAlive is how long a session that has not ended counts as active after its last entry.
const MayBeAlive = 15 * time.Minute

// RecoverWait is the time limit for writing the delta that another session left out, and
// RecoverLockWait is the limit for getting the lock. A hook has two seconds for this and the brief.
const (
	RecoverWait     = time.Second
	RecoverLockWait = 100 * time.Millisecond
)

// SavedBefore is the beginning of the text of every automatic delta.
const SavedBefore = "Saved before a"

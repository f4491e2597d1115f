package project

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/core/brief"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/drift"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/secrets"
	"example.com/ckpt/internal/core/text"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// unrecorded returns the work of this worktree's sessions that no delta of c records. It
// leaves out files that are again as they were at the base of c and at HEAD. Edits are the
// uncommitted changes; if git could not list them, known is false and all files are named.
func (p *Project) unrecorded(ctx context.Context, c *checkpoint.Checkpoint, edits []git.Edit, known bool) []record.Work {
	if c.Status() == checkpoint.Archived {
		return nil
	}
	all := p.undescribed(c)
	if len(all) == 0 || !known || p.Repo.InProgress() != "" {
		return all
	}
	now := map[string]string{} // the present path of an edited file, by its path and its former one
	for _, e := range edits {
		now[e.Path] = e.Path
		if e.From != "" {
			now[e.From] = e.Path
		}
	}
	var last time.Time // of the newest uncommitted change, also of one that no hook reported
	for _, e := range edits {
		if at := p.Repo.ModTime(e.Path).Truncate(time.Second); at.After(last) {
			last = at
		}
	}
	var others []string // files without an uncommitted change
	for i, w := range all {
		if all[i].Files = nil; last.After(w.Wrote) {
			all[i].Wrote = last
		}
		for _, f := range w.Files {
			if path, ok := now[f]; ok {
				f = path
			} else {
				others = append(others, f)
			}
			if !slices.Contains(all[i].Files, f) {
				all[i].Files = append(all[i].Files, f)
			}
		}
	}
	if same := p.unchanged(ctx, c, others); len(same) > 0 {
		for i := range all {
			all[i].Files = slices.DeleteFunc(all[i].Files, func(f string) bool { return same[f] })
		}
		all = slices.DeleteFunc(all, func(w record.Work) bool { return len(w.Files)+w.More+len(w.Commands) == 0 })
	}
	return all
}

// undescribed returns the recorded work since the last delta of c. A delta that was saved
// before a compaction names files only: commands count since the last other delta.
func (p *Project) undescribed(c *checkpoint.Checkpoint) []record.Work {
	since := c.Changed()
	deltas := c.Deltas()
	for n := len(deltas); n > 0 && strings.HasPrefix(deltas[n-1].Changed, savedBefore); n-- {
		if since = c.Created(); n > 1 {
			since = deltas[n-2].At
		}
	}
	entries := p.sessionEntries(since)
	by := record.Recorded{ID: c.ID, Since: since, Moved: p.currentMoved()}
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

// unchanged returns those of the files that are as they were at the base of c. The files
// have no uncommitted changes. If git cannot tell, it returns none.
func (p *Project) unchanged(ctx context.Context, c *checkpoint.Checkpoint, files []string) map[string]bool {
	if len(files) == 0 {
		return nil
	}
	repo := p.Repo.Offline()
	ignored, err := repo.Ignored(ctx, files)
	if err != nil {
		return nil
	}
	base := p.baseOf(c).Commit
	if base == "" {
		return nil
	}
	differ, err := repo.Differing(ctx, base, files)
	if err != nil {
		return nil
	}
	same := map[string]bool{}
	for _, f := range files {
		same[f] = !ignored[f] && !differ[f]
	}
	return same
}

// workOf returns the work that no delta of c records, as texts for a brief.
func (p *Project) workOf(c *checkpoint.Checkpoint, status *gitStatus) brief.Lengths {
	known := false
	select {
	case <-status.done:
		known = status.err == nil
	case <-status.ctx.Done(): // the brief is worth more than exact names
	}
	var edits []git.Edit
	if known {
		edits = status.files
	}
	work := p.unrecorded(status.ctx, c, edits, known)
	if len(work) == 0 {
		return nil
	}
	return record.Brief(work, p.Session, c.ID, brief.MaxFacts)
}

// Unrecorded returns one line on the work of other sessions than the caller's that no
// delta of the current checkpoint records. It is empty where there is none.
func (p *Project) Unrecorded(ctx context.Context) (string, error) {
	c, work, err := p.workOfOthers(ctx)
	if len(work) == 0 || err != nil {
		return "", err
	}
	return record.Line(work, c.ID), nil
}

// workOfOthers returns the current checkpoint, nil for none, and the work of other
// sessions than the caller's that no delta of it records.
func (p *Project) workOfOthers(ctx context.Context) (*checkpoint.Checkpoint, []record.Work, error) {
	set, err := p.read(ctx, store.Live)
	if err != nil {
		return nil, nil, err
	}
	c, err := p.toResume(ctx, set, "")
	if c == nil || err != nil {
		return nil, nil, err
	}
	edits, err := p.Repo.Offline().Edits(ctx, p.prefix)
	all := p.unrecorded(ctx, c, edits, err == nil)
	return c, p.ofOthers(all), nil
}

// ofOthers returns the work of other sessions than the caller's.
func (p *Project) ofOthers(all []record.Work) []record.Work {
	return slices.DeleteFunc(all, func(w record.Work) bool { return p.Session != "" && w.Session == p.Session })
}

// mayBeAlive is how long after its last entry a session that has not ended counts as
// active.
const mayBeAlive = 15 * time.Minute

// recoverWait bounds the time in which a session that starts writes the delta that another
// one left out, recoverLockWait the wait for the lock. A hook has two seconds for this and
// for the brief.
const (
	recoverWait     = time.Second
	recoverLockWait = 100 * time.Millisecond
)

// recordUnrecorded writes the delta that other sessions left out, if config.yaml says so,
// before a session that starts gets the brief. While another session may be active, or
// if this one has such work itself, it writes none, and the brief names the work.
func (p *Project) recordUnrecorded(ctx context.Context) error {
	policy, err := p.policy(ctx)
	if err != nil || !policy.Recover || p.Repo.InProgress() != "" {
		return err
	}
	if err := p.recordOthers(ctx); err != nil {
		return fault.New(fault.KindOf(err), "record what other sessions did: %w", err)
	}
	return nil
}

// recordOthers writes the delta that other sessions left out.
func (p *Project) recordOthers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, recoverWait)
	defer cancel()
	wait, cancelWait := context.WithTimeout(ctx, recoverLockWait)
	defer cancelWait()
	unlock, err := p.Repo.Lock(wait, disk.Exclusive) // of two sessions that start one writes
	if err != nil {
		if wait.Err() != nil {
			return nil // another ckpt is at work; the brief names what it leaves
		}
		return err
	}
	defer unlock()
	if record.Alive(p.sessionEntries(p.Now().Add(-mayBeAlive)), p.Session, p.Now(), mayBeAlive) {
		return nil
	}
	c, work, err := p.workOfOthers(ctx)
	if len(work) == 0 || err != nil {
		return err
	}
	if slices.ContainsFunc(p.undescribed(c), func(w record.Work) bool { return w.Session == p.Session }) {
		return nil
	}
	if work[0].Last.After(p.Now()) { // the clock was wrong: after any delta it would be told again
		return nil
	}
	last, err := p.history(ctx, 1, func(o past) bool { return o.ID == c.ID })
	if err != nil || len(last) > 0 && last[0].Op == opUndo { // it may have undone this very delta
		return err
	}
	_, err = p.Delta(ctx, DeltaRequest{ID: c.ID, Recovered: true})
	return err
}

// fillRecovered adds to a delta what changed and a line of state, from the record and the
// trail of c. It reports whether there was anything to add. A delta with a text of its own
// describes the work of the session that writes it, and its table has the files from git:
// only the work of other sessions is added.
func (p *Project) fillRecovered(ctx context.Context, note *checkpoint.Progress, says bool, c *checkpoint.Checkpoint, trail git.Trail) bool {
	artifacts, _ := artifactsOf(trail)
	g := record.Git{Files: len(artifacts)}
	var edits []git.Edit
	for _, f := range trail.Files {
		if f.Uncommitted {
			edits = append(edits, git.Edit{Path: f.Path, From: f.From})
		}
	}
	fresh, tables := p.fresh(c, trail), drift.TrailOf(c, p.Repo.Root())
	for _, f := range trail.Files {
		told := tables.Mentions(f.Path) || f.From != "" && tables.Mentions(f.From)
		if f.Uncommitted && (!told || slices.Contains(fresh, f)) {
			g.Uncommitted = append(g.Uncommitted, f.Path)
		}
	}
	scanner := &secrets.Scanner{}
	for _, o := range trail.Own {
		if o.Outside {
			g.Commits = append(g.Commits, record.Commit{Hash: o.Hash, Subject: subjectOf(scanner, text.FirstLine(o.Message))})
		}
	}
	work := p.unrecorded(ctx, c, edits, true)
	if says {
		work, g = p.ofOthers(work), record.Git{}
	}
	if len(work)+len(g.Uncommitted)+len(g.Commits) == 0 {
		return false
	}
	changed, state := record.Delta(work, g)
	note.Changed = join("\n\n", note.Changed, changed)
	if note.State == "" {
		note.AddState = state
	}
	note.Trigger = cmp.Or(note.Trigger, "recovered")
	return true
}

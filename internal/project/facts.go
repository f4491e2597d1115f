package project

import (
	"context"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/brief"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/drift"
	"example.com/ckpt/internal/core/secrets"
	"example.com/ckpt/internal/core/text"
	"example.com/ckpt/internal/git"
)

// factsWait is how long a brief waits for git's facts: on a disk that is asleep or a
// network share it comes out without them. Whoever has less time waits half of it.
const factsWait = 2 * time.Second

const slowGit = "no facts from git: it took too long"

// gitStatus is `git status`, begun before anybody knows whether it is needed: it takes as
// long as the rest of a brief.
type gitStatus struct {
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
	files  []git.Edit // once done is closed; err likewise
	err    error
}

func (p *Project) beginFacts(ctx context.Context) *gitStatus {
	status := &gitStatus{done: make(chan struct{})}
	wait := factsWait
	if end, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(end)/2)
	}
	status.ctx, status.cancel = context.WithTimeout(ctx, wait)
	repo := p.Repo.Offline()
	go func() {
		defer close(status.done)
		status.files, status.err = repo.Edits(status.ctx, p.prefix)
	}()
	return status
}

// beginAuthor begins to look for who changed a checkpoint last. The answer is "" where
// that was the user, or git does not know, or not in time.
func (p *Project) beginAuthor(ctx context.Context, rel string) (answer func() string) {
	repo, path, done := p.Repo.Offline(), p.fromRoot(rel), make(chan string, 1)
	go func() {
		author, _ := repo.LastAuthor(ctx, path) // a line less
		done <- text.Person(author.Name, author.Email)
	}()
	return func() string {
		select {
		case by := <-done:
			return by
		case <-ctx.Done():
			return ""
		}
	}
}

// end leaves no git process behind that can be ended.
func (status *gitStatus) end() {
	status.cancel()
	select {
	case <-status.done:
	case <-time.After(100 * time.Millisecond):
	}
}

// factsOf is what git knows and c does not, in a sentence, or the remark that git did
// not say. An archived checkpoint has no facts, and while a rebase or a bisect has
// the working tree there are none.
func (p *Project) factsOf(set *checkpoint.Set, c *checkpoint.Checkpoint, status *gitStatus) (facts brief.Lengths, remark string) {
	state := p.Repo.InProgress()
	if c.Status() == checkpoint.Archived || state == "rebase" || state == "bisect" {
		return nil, ""
	}
	f, err := p.ask(status.ctx, c)
	if err == nil {
		select {
		case <-status.done:
		case <-status.ctx.Done():
			return nil, slowGit
		}
		p.sortEdits(&f, c, p.withoutSetup(status.ctx, status.files))
		f.Clean = len(status.files) == 0
		if f.Begun, err = p.actionsBegun(status.ctx, c, f); err != nil {
			return nil, "no facts from git: " + err.Error()
		}
		err = status.err
	}
	if err != nil && status.ctx.Err() != nil {
		return nil, slowGit
	}
	if err != nil {
		return nil, "no facts from git: " + err.Error()
	}
	if parent, err := p.parentOf(set, c); err == nil && parent != nil {
		f.Decided = drift.Newer(c, parent)
	}
	return f.Lengths(brief.MaxFacts), ""
}

// ask is the facts that history holds.
func (p *Project) ask(ctx context.Context, c *checkpoint.Checkpoint) (drift.Facts, error) {
	repo := p.Repo.Offline()
	written := p.baseOf(c)
	since, err := repo.Since(ctx, written, p.prefix)
	if err != nil {
		return drift.Facts{}, err
	}
	f := drift.Facts{Mine: since.Mine, Others: since.Others, Many: since.Many, Strangers: since.Strangers, Folder: p.prefix}
	scanner := &secrets.Scanner{}
	for _, came := range since.Commits {
		came.Subject = scanner.Replace(came.Subject, aSecret)
		f.Commits = append(f.Commits, drift.Commit(came))
	}
	head, err := repo.Head()
	if err != nil {
		return f, err
	}
	f.Branch = head.Branch()
	base := written.Commit
	if since.Arrived != "" && !repo.HasCommit(ctx, base) {
		base = since.Arrived
	}
	switch branch, at, ok := strings.Cut(c.Field("anchor"), "@"); {
	case since.Missing:
		f.Missing, base = base, ""
	case since.Lost:
		f.Lost, f.Holder = base, since.Holder
	case since.Arrived != "": // on whichever branch that was
	case ok && len(at) >= 7 && strings.HasPrefix(base, at) && branch != f.Branch && branch != "detached":
		f.Written = branch
	}
	f.From = base
	f.Quiet = base != "" && head.Hash != "" && !since.Lost && f.Mine+f.Others == 0
	f.Findings, err = p.gone(ctx, repo, c, base)
	return f, err
}

// gone is the references of c that lead nowhere any more. A next action may be older
// than base: what it names may have gone since the work began. Of a checkpoint without
// a base only the next actions count, with all that they ever led to.
func (p *Project) gone(ctx context.Context, repo *git.Repo, c *checkpoint.Checkpoint, base string) ([]drift.Finding, error) {
	var missing []drift.Finding
	for _, r := range drift.References(c, repo.Root()) {
		if r.Symbol != "" || r.Glob || r.Excused() || base == "" && !r.In(drift.NextAction) || repo.There(r.Path) {
			continue
		}
		missing = append(missing, drift.Finding{Reference: r})
	}
	j := drift.Check{Repo: &driftRepo{Repo: repo}, Base: base}
	if err := j.Files(ctx, missing); err != nil {
		return nil, err
	}
	var lost, open []drift.Finding
	for _, f := range missing {
		switch {
		case wentAway(f):
			lost = append(lost, f)
		case f.In(drift.NextAction):
			open = append(open, drift.Finding{Reference: f.Reference})
		}
	}
	if base == "" || len(open) == 0 {
		return lost, nil
	}
	if j.Base = p.resolved(ctx, p.anchorOf(c).Commit); j.Base == "" || strings.HasPrefix(j.Base, base) {
		return lost, nil
	}
	err := j.Files(ctx, open)
	return append(lost, slices.DeleteFunc(open, func(f drift.Finding) bool { return !wentAway(f) })...), err
}

func wentAway(f drift.Finding) bool { return f.Verdict == drift.Moved || f.Verdict == drift.Deleted }

// parentOf is the checkpoint that c was forked from; nil where there is none or it
// cannot be read. Of the archive at most one file is read.
func (p *Project) parentOf(set *checkpoint.Set, c *checkpoint.Checkpoint) (*checkpoint.Checkpoint, error) {
	id := c.Parent()
	if id == "" || id == c.ID || checkpoint.CheckID(id) != nil {
		return nil, nil
	}
	if parent, ok := set.Get(id); ok {
		return parent, nil
	}
	rel := p.Store.Archived(id)
	if rel == "" {
		return nil, nil
	}
	src, err := p.Store.Read(rel)
	if err != nil || src == nil {
		return nil, err
	}
	parent, err := checkpoint.Parse(rel, src)
	if err != nil || parent.ID != id {
		return nil, err
	}
	return parent, nil
}

package resume

import (
	"context"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/secrets"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
)

// factsWait is how long a brief waits for git's facts: on a disk that is asleep or a
// network share it comes out without them. Whoever has less time waits half of it.
const factsWait = 2 * time.Second

const slowGit = "no facts from git: it took too long"

func (p *Resumer) beginFacts(ctx context.Context) *workspace.GitStatus {
	status := &workspace.GitStatus{Done: make(chan struct{})}
	wait := factsWait
	if end, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(end)/2)
	}
	status.Ctx, status.Cancel = context.WithTimeout(ctx, wait)
	repo := p.Repo.Offline()
	go func() {
		defer close(status.Done)
		status.Files, status.Err = changes.Of(repo).Uncommitted(status.Ctx, p.Prefix)
	}()
	return status
}

// beginAuthor begins to look for who changed a checkpoint last. The answer is "" where
// that was the user, or git does not know, or not in time.
func (p *Resumer) beginAuthor(ctx context.Context, rel string) (answer func() string) {
	repo, path, done := p.Repo.Offline(), p.FromRoot(rel), make(chan string, 1)
	go func() {
		author, _ := log.Of(repo).LastAuthor(ctx, path) // a line less
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

// factsOf is what git knows and c does not, in a sentence, or the remark that git did
// not say. An archived checkpoint has no facts, and while a rebase or a bisect has
// the working tree there are none.
func (p *Resumer) factsOf(set *checkpoint.Set, c *checkpoint.Checkpoint, status *workspace.GitStatus) (facts brief.Lengths, remark string) {
	state := p.Repo.InProgress()
	if c.Status() == checkpoint.Archived || state == "rebase" || state == "bisect" {
		return nil, ""
	}
	f, err := p.ask(status.Ctx, c)
	if err == nil {
		select {
		case <-status.Done:
		case <-status.Ctx.Done():
			return nil, slowGit
		}
		p.sortEdits(&f, c, p.WithoutSetup(status.Ctx, status.Files))
		f.Clean = len(status.Files) == 0
		if f.Begun, err = p.actionsBegun(status.Ctx, c, f); err != nil {
			return nil, "no facts from git: " + err.Error()
		}
		err = status.Err
	}
	if err != nil && status.Ctx.Err() != nil {
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
func (p *Resumer) ask(ctx context.Context, c *checkpoint.Checkpoint) (drift.Facts, error) {
	repo := p.Repo.Offline()
	written := p.BaseOf(c)
	since, err := changes.Of(repo).Count(ctx, written, p.Prefix)
	if err != nil {
		return drift.Facts{}, err
	}
	f := drift.Facts{Mine: since.Mine, Others: since.Others, Many: since.Many, Strangers: since.Strangers, Folder: p.Prefix}
	scanner := &secrets.Scanner{}
	for _, came := range since.Commits {
		came.Subject = scanner.Replace(came.Subject, workspace.ASecret)
		f.Commits = append(f.Commits, drift.Commit(came))
	}
	head, err := repo.Head()
	if err != nil {
		return f, err
	}
	f.Branch = head.Branch()
	base := written.Commit
	if since.Arrived != "" && !log.Of(repo).HasCommit(ctx, base) {
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
func (p *Resumer) gone(ctx context.Context, repo *git.Repo, c *checkpoint.Checkpoint, base string) ([]drift.Finding, error) {
	var missing []drift.Finding
	for _, r := range drift.References(c, repo.Root()) {
		if r.Symbol != "" || r.Glob || r.Excused() || base == "" && !r.In(drift.NextAction) || repo.Worktree().Exists(r.Path) {
			continue
		}
		missing = append(missing, drift.Finding{Reference: r})
	}
	j := drift.Check{Repo: &workspace.DriftRepo{Repo: repo}, Base: base}
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
	if j.Base = p.Resolved(ctx, p.AnchorOf(c).Commit); j.Base == "" || strings.HasPrefix(j.Base, base) {
		return lost, nil
	}
	err := j.Files(ctx, open)
	return append(lost, slices.DeleteFunc(open, func(f drift.Finding) bool { return !wentAway(f) })...), err
}

func wentAway(f drift.Finding) bool { return f.Verdict == drift.Moved || f.Verdict == drift.Deleted }

// parentOf is the checkpoint that c was forked from; nil where there is none or it
// cannot be read. Of the archive at most one file is read.
func (p *Resumer) parentOf(set *checkpoint.Set, c *checkpoint.Checkpoint) (*checkpoint.Checkpoint, error) {
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

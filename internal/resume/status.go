package resume

import (
	"context"
	"time"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
)

// factsWait is how long a brief waits for facts from git. On a slow disk the brief is printed
// without them. A caller with a deadline waits for at most half of its time.
const factsWait = 2 * time.Second

const slowGit = "no facts from git: it took too long"

// gitStatus is a run of `git status` in the background. It is started before the brief is built,
// because both take about the same time.
type gitStatus struct {
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
	files  []changes.Edit // valid when done is closed, like err
	err    error
}

func (p *Resumer) beginStatus(ctx context.Context) *gitStatus {
	s := &gitStatus{done: make(chan struct{})}
	wait := factsWait
	if end, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(end)/2)
	}
	s.ctx, s.cancel = context.WithTimeout(ctx, wait)
	repo := p.Repo.Offline()
	go func() {
		defer close(s.done)
		s.files, s.err = changes.Of(repo).Uncommitted(s.ctx, p.Prefix)
	}()
	return s
}

// wait returns the files with uncommitted changes, or an error if git did not list them in time.
func (s *gitStatus) wait() ([]changes.Edit, error) {
	select {
	case <-s.done:
		return s.files, s.err
	case <-s.ctx.Done():
		return nil, s.ctx.Err()
	}
}

// end stops git. It waits at most 100 ms until git has stopped.
func (s *gitStatus) end() {
	s.cancel()
	select {
	case <-s.done:
	case <-time.After(100 * time.Millisecond):
	}
}

// beginAuthor starts looking up who changed a checkpoint last. The answer is empty if that was the
// user, or if git does not answer in time.
func beginAuthor(ctx context.Context, view *workspace.View, rel string) (answer func() string) {
	repo, path, done := view.Commits.Offline(), view.Prefix+"/"+rel, make(chan string, 1)
	go func() {
		author, _ := log.Of(repo).LastAuthor(ctx, path) // if this fails, the brief lacks a line
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

// factsOf returns the facts for the brief of c, or else a remark on why git could not give them. For an
// archived checkpoint it returns neither.
func (p *Resumer) factsOf(view *workspace.View, c *checkpoint.Checkpoint, status *gitStatus) (brief.Lengths, string) {
	if c.Status() == checkpoint.Archived {
		return nil, ""
	}
	repo := view.Repo.Offline()
	f := facts{
		repo: &repository{&workspace.DriftRepo{Repo: repo}}, folder: p.Prefix,
		base: p.Base.Named(c), doing: view.Repo.InProgress(),
		anchor: func(ctx context.Context) string { return p.Base.AnchorCommit(ctx, c) },
	}
	all, err := f.history(status.ctx, c)
	if err == nil {
		var edits []changes.Edit
		edits, err = status.wait()
		f.edits(&all, c, edits)
		all.Clean = len(edits) == 0
	}
	switch {
	case err != nil && status.ctx.Err() != nil:
		return nil, slowGit
	case err != nil:
		return nil, "no facts from git: " + err.Error()
	}
	if parent := p.parentOf(view, c); parent != nil {
		all.Decided = drift.Newer(c, parent)
	}
	return all.Lengths(brief.MaxFacts), ""
}

// parentOf returns the checkpoint that c was forked from, or nil if it cannot be read. It
// reads at most one file of the archive.
func (p *Resumer) parentOf(view *workspace.View, c *checkpoint.Checkpoint) *checkpoint.Checkpoint {
	id := c.Parent()
	if id == "" || id == c.ID || checkpoint.CheckID(id) != nil {
		return nil
	}
	if parent, ok := view.Set.Get(id); ok {
		return parent
	}
	rel := view.Store.Archived(id)
	src, _ := view.Store.Read(rel) // what cannot be read cannot be parsed, either
	parent, err := checkpoint.Parse(rel, src)
	if err != nil || parent.ID != id {
		return nil
	}
	return parent
}

// repository implements Repository with the packages of git.
type repository struct{ *workspace.DriftRepo }

func (r repository) Root() string                  { return r.Repo.Root() }
func (r repository) Head() (git.Head, error)       { return r.Repo.Head() }
func (r repository) ModTime(path string) time.Time { return r.Repo.Worktree().ModTime(path) }

func (r repository) HasCommit(name string) bool { return log.Of(r.Repo).HasCommit(name) }

func (r repository) Since(ctx context.Context, base changes.Base, exclude string) (changes.Count, error) {
	return changes.Of(r.Repo).Count(ctx, base, exclude)
}

// Package edittest makes repositories with checkpoints for tests of packages that read what edit wrote.
package edittest

import (
	"context"
	"os"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
)

// Project is a repository with a checkpoints folder. Each operation is an hour later than the
// one before.
type Project struct {
	*gittest.Repo
	Test     *testing.T
	Settings workspace.Settings
	Now      time.Time
}

// New makes a repository with one commit, of 2026-01-02T09:00:00Z. It writes the files as
// [gittest.Repo.Commit] does.
func New(t *testing.T, files ...string) *Project {
	t.Helper()
	p := &Project{Repo: gittest.New(t), Test: t, Now: time.Date(2026, 1, 2, 9, 0, 0, 0, time.UTC)}
	p.Settings = workspace.Settings{Dir: p.Dir, Now: func() time.Time { return p.Now }, Getenv: os.Getenv}
	p.setTime()
	p.Commit("Begin", files...)
	return p
}

// Later sets the clocks of ckpt and of git to an hour later.
func (p *Project) Later() {
	p.Now = p.Now.Add(time.Hour)
	p.setTime()
}

func (p *Project) setTime() {
	p.Test.Setenv("GIT_AUTHOR_DATE", p.Now.Format(time.RFC3339))
	p.Test.Setenv("GIT_COMMITTER_DATE", p.Now.Format(time.RFC3339))
}

// Workspace opens the repository anew, as each command does.
func (p *Project) Workspace() *workspace.Workspace {
	p.Test.Helper()
	w, err := workspace.Open(context.Background(), p.Settings)
	gittest.Must(p.Test, err)
	return w
}

// Edit runs an operation an hour later. A failure ends the test.
func (p *Project) Edit(verb func(context.Context, *edit.Editor) (*result.Receipt, error)) {
	p.Test.Helper()
	p.Later()
	_, err := verb(context.Background(), edit.New(p.Workspace()))
	gittest.Must(p.Test, err)
}

// New makes a checkpoint. It becomes current.
func (p *Project) New(name, problem string) {
	p.Test.Helper()
	p.Edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
		return e.New(ctx, edit.NewRequest{Name: name, Text: revise.Spec{Problem: problem}})
	})
}

// Note writes a note to a checkpoint. An empty id means the current one.
func (p *Project) Note(id, kind, text string) {
	p.Test.Helper()
	p.Edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
		return e.Note(ctx, edit.NoteRequest{ID: id, Kind: kind, Text: []string{text}})
	})
}

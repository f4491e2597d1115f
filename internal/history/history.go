// Package history finds, compares and restores former versions of checkpoints, and undoes operations. It reads the
// commits of the checkpoint ref, and of the branches that the ref has taken in. It never rewrites a commit. An undo is
// refused if the text that it would revert has changed since.
package history

import (
	"context"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// History reads and restores former versions of checkpoints, and undoes operations.
type History struct{ *workspace.Workspace }

// New returns the History of a workspace.
func New(w *workspace.Workspace) *History { return &History{w} }

// Show returns the checkpoint, active or archived, that name means, or a version of it.
func (p *History) Show(ctx context.Context, name string) (*checkpoint.Checkpoint, error) {
	if id, rev := Version(name); rev != "" {
		c, _, err := p.ShowAt(ctx, id, rev)
		return c, err
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	return view.Target(name)
}

// Raw returns the bytes and the path of the file that name means. The file need not be valid.
func (p *History) Raw(ctx context.Context, name string) ([]byte, string, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, "", err
	}
	path, err := view.PathOf(name)
	if err != nil {
		return nil, "", err
	}
	src, err := view.Store.Read(path)
	return src, path, err
}

// FileOf returns the path, in the checkpoints folder, of the active checkpoint that name means. The file need not be
// valid, since it is to be edited.
func (p *History) FileOf(ctx context.Context, name string) (string, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return "", err
	}
	_, refused := view.Open(name)
	path, err := view.PathOf(name)
	if err != nil || refused != nil && checkpoint.InArchive(path) {
		return "", refused
	}
	return path, nil
}

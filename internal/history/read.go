package history

import (
	"context"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

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
	c, err := view.Target(name)
	return c, p.others.OrOnOther(ctx, name, err)
}

// Raw returns the bytes and the path of the file that name means. The file need not be valid.
func (p *History) Raw(ctx context.Context, name string) ([]byte, string, error) {
	var view *workspace.View
	var path string
	for _, scope := range []store.Scope{store.Live, store.All} {
		var err error
		view, err = p.Read(ctx, scope)
		if err != nil {
			return nil, "", err
		}
		path, err = view.PathOf(name)
		if err == nil {
			break
		} else if scope == store.All || fault.KindOf(err) != fault.NotFound {
			return nil, "", p.others.OrOnOther(ctx, name, err)
		}
	}
	src, err := view.Store.Read(path)
	return src, path, err
}

// FileOf returns the file of the active checkpoint that name means. The file need not be valid,
// since it is to be edited. FileOf first commits pending changes. A checkpoint with changes that
// must stay pending has no file to edit.
func (p *History) FileOf(ctx context.Context, name string) (string, error) {
	if err := p.LandNow(ctx); err != nil {
		return "", err
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return "", err
	}
	c, err := view.Open(name)
	if err == nil {
		if view.Store.IsPending(c.Path) {
			return "", fault.New(fault.Unsupported, "a %s is in progress: the working tree does not hold %s as it is to be",
				p.Repo.InProgress(), p.FromRoot(c.Path)).
				WithHint("ckpt delta and ckpt note work; ckpt edit when it is over")
		}
		return p.Disk.File(c.Path), nil
	}
	if broken, namedErr := view.PathOf(name); namedErr == nil && !checkpoint.InArchive(broken) {
		return p.Disk.File(broken), nil
	}
	return "", err
}

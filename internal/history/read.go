package history

import (
	"context"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/workspace/store"
)

// Show returns the checkpoint, active or archived, that name means, or a version of it.
func (p *History) Show(ctx context.Context, name string) (*checkpoint.Checkpoint, error) {
	if id, rev := Version(name); rev != "" {
		c, _, err := p.ShowAt(ctx, id, rev)
		return c, err
	}
	set, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	c, err := p.Target(set, name)
	return c, p.others.OrOnOther(ctx, name, err)
}

// Raw returns the bytes and the path of the file that name means, even if it cannot be
// parsed.
func (p *History) Raw(ctx context.Context, name string) ([]byte, string, error) {
	var path string
	for _, scope := range []store.Scope{store.Live, store.All} {
		set, err := p.Read(ctx, scope)
		if err != nil {
			return nil, "", err
		}
		path, err = p.PathOf(set, name)
		if err == nil {
			break
		} else if scope == store.All || fault.KindOf(err) != fault.NotFound {
			return nil, "", p.others.OrOnOther(ctx, name, err)
		}
	}
	src, err := p.Store.Read(path)
	return src, path, err
}

// FileOf returns the file of the active checkpoint that name means, even if it cannot be
// parsed: an editor can repair it. It applies pending changes first. A checkpoint with
// changes that cannot be applied yet has no file to edit.
func (p *History) FileOf(ctx context.Context, name string) (string, error) {
	if err := p.LandNow(ctx); err != nil {
		return "", err
	}
	set, err := p.Read(ctx, store.Live)
	if err != nil {
		return "", err
	}
	c, err := p.Open(set, name)
	if err == nil {
		if _, laid := p.Store.Overlay[c.Path]; laid {
			return "", fault.New(fault.Unsupported, "a %s is in progress: the working tree does not hold %s as it is to be",
				p.Repo.InProgress(), p.FromRoot(c.Path)).
				WithHint("ckpt delta and ckpt note work; ckpt edit when it is over")
		}
		return p.Store.File(c.Path), nil
	}
	if broken, namedErr := p.PathOf(set, name); namedErr == nil && !checkpoint.InArchive(broken) {
		return p.Store.File(broken), nil
	}
	return "", err
}

package workspace

import (
	"context"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/store"
)

// withEdits adds what the files and git have to say besides.
func (p *Workspace) WithEdits(ctx context.Context, o *result.Overview) error {
	edits, err := p.Edits(ctx, store.Live)
	if err != nil {
		return err
	}
	for _, f := range edits {
		if f.After == nil && IsCheckpointPath(f.Path) {
			path := p.FromRoot(f.Path)
			o.Warnings = append(o.Warnings, path+" is deleted, and no commit says so (git restore "+path+", or ckpt save)")
		}
	}
	for _, e := range o.Entries {
		for _, f := range edits {
			e.Edited = e.Edited || e.On == nil && p.FromRoot(f.Path) == e.Path
		}
	}
	for _, look := range []func() (string, error){
		func() (string, error) { return p.SparseRemark(ctx, store.Live) },
		func() (string, error) { return p.waits(ctx) },
		func() (string, error) { return p.orphaned(ctx) },
	} {
		words, err := look()
		if err != nil {
			return err
		}
		if words != "" {
			o.Warnings = append(o.Warnings, words)
		}
	}
	return nil
}

func Rank(e *result.Entry) int {
	if e.On != nil {
		return 4
	}
	return slices.Index([]string{string(checkpoint.Current), string(checkpoint.Active), string(checkpoint.Archived), Unreadable}, e.Status)
}

const Unreadable = "unreadable"

// summaries reads all checkpoints for the few lines of each that a listing shows.
func (p *Workspace) Summaries(ctx context.Context, scope store.Scope) (all []*result.Entry, unread []checkpoint.Broken, err error) {
	_, err = p.LoadWith(ctx, func() (err error) {
		changes, err := p.ChangesToShow(ctx, scope)
		if err != nil {
			return err
		}
		all, unread, err = store.Each(p.Store, scope, func(c *checkpoint.Checkpoint) *result.Entry { return p.Entry(c, changes.Of(c)) })
		return err
	})
	return all, unread, err
}

// entry is a checkpoint as a listing shows it. It holds on to no text but what it shows.
func (p *Workspace) Entry(c *checkpoint.Checkpoint, changed time.Time) *result.Entry {
	e := &result.Entry{
		ID: c.ID, Path: p.FromRoot(c.Path), Status: string(c.Status()), Parent: c.Parent(), Anchor: c.Field("anchor"),
		Problem: c.Headline(), Next: c.FirstAction(), Outcome: strings.Clone(text.FirstLine(c.Outcome())),
		Created: result.At(c.Created()), Changed: result.At(changed), Told: c.Changed(), Deltas: c.DeltaCount(), MarkedCurrent: c.MarkedCurrent(), Run: progress.RunOf(c),
		Replaced: ReplacedIn(c),
	}
	if m, ok := c.Mark(); ok {
		e.Mark = &result.Mark{Goal: strings.Join(strings.Fields(m.Goal), " "), At: result.At(m.At)}
	}
	return e
}

func (p *Workspace) Broken(b checkpoint.Broken) *result.Entry {
	name := strings.TrimSuffix(b.Path[strings.LastIndexByte(b.Path, '/')+1:], ".md")
	return &result.Entry{ID: name, Path: p.FromRoot(b.Path), Status: Unreadable, Unreadable: b.Why()}
}

// LearningsFile is the bytes of LEARNINGS.md, nil where there is none.
func (p *Workspace) LearningsFile(ctx context.Context) (src []byte, err error) {
	_, err = p.LoadWith(ctx, func() (err error) {
		src, err = p.Store.Read(store.Learnings)
		return err
	})
	return src, err
}

// entries are all entries of LEARNINGS.md, newest first.
func (p *Workspace) Entries(ctx context.Context) ([]learnings.Entry, error) {
	src, err := p.LearningsFile(ctx)
	if err != nil {
		return nil, err
	}
	return learnings.Parse(src), nil
}

// PathOf is the path of the checkpoint, readable or not, that a name means.
func (p *Workspace) PathOf(set *checkpoint.Set, name string) (string, error) {
	c, err := p.Target(set, name)
	if err == nil {
		return c.Path, nil
	}
	name = strings.TrimSuffix(strings.ReplaceAll(name, `\`, "/"), ".md")
	for _, b := range set.Broken {
		path := strings.TrimSuffix(b.Path, ".md")
		if strings.HasSuffix("/"+path, "/"+strings.TrimPrefix(name, "./")) || strings.HasSuffix("/"+path, "/chk-"+name) || strings.HasSuffix(name, "/"+path) {
			return b.Path, nil
		}
	}
	return "", err
}

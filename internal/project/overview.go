package project

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/learnings"
	"example.com/ckpt/internal/core/lineage"
	"example.com/ckpt/internal/core/progress"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/text"
	"example.com/ckpt/internal/store"
)

// ListRequest says which checkpoints to list.
type ListRequest struct {
	Active, Archived bool      // neither: as if Active
	Since            time.Time // changed since then; zero: whenever
	Limit            int       // at most so many; 0: all
	Of               Filter
	Everywhere       Everywhere
}

// List is checkpoints, the last changed first, files that cannot be read last.
func (p *Project) List(ctx context.Context, req ListRequest) (*result.Overview, error) {
	scope := store.All
	if !req.Archived {
		scope, req.Active = store.Live, true
	}
	all, unread, err := p.summaries(ctx, scope)
	if err != nil {
		return nil, err
	}
	var others result.Others
	if req.Everywhere.On {
		if all, others, err = p.addOthers(ctx, all, unread, req.Everywhere); err != nil {
			return nil, err
		}
	}
	var current string
	var marked []string
	o := &result.Overview{Others: others, Of: req.Of.String(), Entries: slices.DeleteFunc(all, func(e *result.Entry) bool {
		if e.MarkedCurrent && e.On == nil {
			marked = append(marked, e.ID)
		}
		if e.Status == string(checkpoint.Current) && e.On == nil {
			current = e.ID
		}
		archived := e.Status == string(checkpoint.Archived)
		return archived && !req.Archived || !archived && !req.Active || e.Changed.Before(req.Since) || !req.Of.fits(e.Run)
	})}
	o.Warnings = alsoMarked(current, marked)
	if said, err := p.unsettled(ctx); err != nil {
		return nil, err
	} else if said != "" {
		o.Warnings = append(o.Warnings, said)
	}
	lost, err := p.goneRemarks(ctx)
	if err != nil {
		return nil, err
	}
	o.Warnings = append(o.Warnings, lost...)
	slices.SortFunc(o.Entries, func(a, b *result.Entry) int {
		return cmp.Or(b.Changed.Compare(a.Changed.Time), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Path, b.Path))
	})
	if req.Limit > 0 && len(o.Entries) > req.Limit {
		o.Entries = o.Entries[:req.Limit]
	}
	for _, b := range unread {
		if checkpoint.InArchive(b.Path) && req.Archived || !checkpoint.InArchive(b.Path) && req.Active {
			o.Entries = append(o.Entries, p.broken(b))
		}
	}
	return o, nil
}

// Status returns the active checkpoints, the current one first, and says what is on other
// branches only. It does not read the archive.
func (p *Project) Status(ctx context.Context, of Filter, everywhere Everywhere) (*result.Overview, error) {
	o, err := p.List(ctx, ListRequest{Active: true, Of: of, Everywhere: everywhere})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(o.Entries, func(a, b *result.Entry) int { return rank(a) - rank(b) })
	if !everywhere.On && of.None() {
		o.Others = p.countOthers(ctx, o)
	}
	if work, err := p.Unrecorded(ctx); err == nil && work != "" { // a current one that cannot be read is listed so
		o.Warnings = append(o.Warnings, work)
	}
	for _, e := range o.Entries {
		if len(e.Replaced) > 0 {
			o.Warnings = append(o.Warnings, fmt.Sprintf("%s of %s changed on both sides of a merge: one text stands, the other is kept (ckpt show %s, ckpt resolve --both %s)", strings.Join(e.Replaced, ", "), e.ID, e.ID, e.ID))
		}
	}
	return o, p.withEdits(ctx, o)
}

// withEdits adds what the files and git have to say besides.
func (p *Project) withEdits(ctx context.Context, o *result.Overview) error {
	edits, err := p.edits(ctx, store.Live)
	if err != nil {
		return err
	}
	for _, f := range edits {
		if f.After == nil && isCheckpointPath(f.Path) {
			path := p.fromRoot(f.Path)
			o.Warnings = append(o.Warnings, path+" is deleted, and no commit says so (git restore "+path+", or ckpt save)")
		}
	}
	for _, e := range o.Entries {
		for _, f := range edits {
			e.Edited = e.Edited || e.On == nil && p.fromRoot(f.Path) == e.Path
		}
	}
	for _, look := range []func() (string, error){
		func() (string, error) { return p.leftOut(ctx, store.Live) },
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

func rank(e *result.Entry) int {
	if e.On != nil {
		return 4
	}
	return slices.Index([]string{string(checkpoint.Current), string(checkpoint.Active), string(checkpoint.Archived), unreadable}, e.Status)
}

const unreadable = "unreadable"

// summaries reads all checkpoints for the few lines of each that a listing shows.
func (p *Project) summaries(ctx context.Context, scope store.Scope) (all []*result.Entry, unread []checkpoint.Broken, err error) {
	_, err = p.glance(ctx, func() (err error) {
		changes, err := p.changesToShow(ctx, scope)
		if err != nil {
			return err
		}
		all, unread, err = store.Each(p.Store, scope, func(c *checkpoint.Checkpoint) *result.Entry { return p.entry(c, changes.of(c)) })
		return err
	})
	return all, unread, err
}

// entry is a checkpoint as a listing shows it. It holds on to no text but what it shows.
func (p *Project) entry(c *checkpoint.Checkpoint, changed time.Time) *result.Entry {
	e := &result.Entry{
		ID: c.ID, Path: p.fromRoot(c.Path), Status: string(c.Status()), Parent: c.Parent(), Anchor: c.Field("anchor"),
		Problem: c.Headline(), Next: c.FirstAction(), Outcome: strings.Clone(text.FirstLine(c.Outcome())),
		Created: result.At(c.Created()), Changed: result.At(changed), Told: c.Changed(), Deltas: c.DeltaCount(), MarkedCurrent: c.MarkedCurrent(), Run: progress.RunOf(c),
		Replaced: replacedIn(c),
	}
	if m, ok := c.Mark(); ok {
		e.Mark = &result.Mark{Goal: strings.Join(strings.Fields(m.Goal), " "), At: result.At(m.At)}
	}
	return e
}

func (p *Project) broken(b checkpoint.Broken) *result.Entry {
	name := strings.TrimSuffix(b.Path[strings.LastIndexByte(b.Path, '/')+1:], ".md")
	return &result.Entry{ID: name, Path: p.fromRoot(b.Path), Status: unreadable, Unreadable: b.Why()}
}

// TreeRequest says which part of the lineage to show.
type TreeRequest struct {
	ID               string // only this one and what is below; "" for all
	Active, Archived bool   // only these; neither: all
	Everywhere       Everywhere
}

// Tree is the lineage of all checkpoints.
func (p *Project) Tree(ctx context.Context, req TreeRequest) (*lineage.Forest, error) {
	set, err := p.read(ctx, store.All)
	if err != nil {
		return nil, err
	}
	own := set
	on := map[*checkpoint.Checkpoint]*result.Location{}
	if req.Everywhere.On {
		if set, on, err = p.withOthers(ctx, set, req.Everywhere); err != nil {
			return nil, err
		}
	}
	forest := lineage.Build(set)
	forest.Locate(func(c *checkpoint.Checkpoint) *result.Location { return on[c] })
	if req.ID != "" {
		c, err := p.target(own, req.ID)
		if err != nil && req.Everywhere.On {
			c, err = set.Resolve(req.ID)
		}
		if err != nil {
			return nil, p.orOnOther(ctx, req.ID, err)
		}
		forest, _ = forest.Below(c.ID)
	}
	switch {
	case req.Active && !req.Archived:
		forest = forest.Filter(lineage.Active)
	case req.Archived && !req.Active:
		forest = forest.Filter(lineage.Archived)
	}
	forest.Warnings = alsoMarkedIn(own)
	return forest, nil
}

// Learnings returns the learnings that hold all words of text, newest first, at most limit
// of them (0: all).
func (p *Project) Learnings(ctx context.Context, text string, limit int, everywhere Everywhere) ([]learnings.Learning, error) {
	entries, err := p.entries(ctx)
	if err != nil {
		return nil, err
	}
	all := learnings.List(entries)
	if everywhere.On {
		others, err := p.otherLearnings(ctx, everywhere)
		if err != nil {
			return nil, err
		}
		all = append(all, others...)
		slices.SortStableFunc(all, func(a, b learnings.Learning) int { return strings.Compare(b.Date, a.Date) })
	}
	words := strings.Fields(strings.ToLower(text))
	found := slices.DeleteFunc(all, func(l learnings.Learning) bool {
		line := strings.ToLower(l.Text + " " + l.ID + " " + l.Date)
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(line, w) })
	})
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found, nil
}

// LearningsFile is the bytes of LEARNINGS.md, nil where there is none.
func (p *Project) LearningsFile(ctx context.Context) (src []byte, err error) {
	_, err = p.glance(ctx, func() (err error) {
		src, err = p.Store.Read(store.Learnings)
		return err
	})
	return src, err
}

// entries are all entries of LEARNINGS.md, newest first.
func (p *Project) entries(ctx context.Context) ([]learnings.Entry, error) {
	src, err := p.LearningsFile(ctx)
	if err != nil {
		return nil, err
	}
	return learnings.Parse(src), nil
}

// named is the path of the checkpoint, readable or not, that a name means.
func (p *Project) named(set *checkpoint.Set, name string) (string, error) {
	c, err := p.target(set, name)
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

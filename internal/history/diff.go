package history

import (
	"context"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace/store"
)

// Diff compares a checkpoint at two times, which [History.ShowAt] reads. An empty from means
// the newest version, an empty to means the present file.
func (p *History) Diff(ctx context.Context, name, from, to string) (*revisions.Comparison, error) {
	if id, rev := Version(from); id != "" && rev != "" {
		name, from = id, rev
		if to != "" && sameName(id, to) { // the argument is the checkpoint itself: compare with its present file
			to = ""
		}
	}
	if id, rev := Version(to); id != "" && rev != "" {
		if name == "" {
			name = id
		}
		if !sameName(id, name) {
			return nil, fault.New(fault.Usage, "%q and %q are versions of two checkpoints", name, id).
				WithHint("ckpt diff %s@{1} %s", id, to)
		}
		to = rev
	}
	if from == "" {
		from = "@{0}"
	}
	before, v, err := p.ShowAt(ctx, name, from)
	if err != nil {
		return nil, err
	}
	c := &revisions.Comparison{ID: before.ID, From: v}
	var after *checkpoint.Checkpoint
	if to != "" {
		var v revisions.Version
		after, v, err = p.ShowAt(ctx, name, to)
		c.To = &v
	} else {
		after, err = p.Show(ctx, name)
		if fault.KindOf(err) == fault.NotFound {
			err = fault.New(fault.NotFound, "%s is gone: there is nothing to compare %q with", before.ID, from).
				WithHint("ckpt diff -c %s %s -- -1", before.ID, from)
		}
	}
	if err != nil {
		return nil, err
	}
	before, after = unmarked(before), unmarked(after)
	c.Diff = revisions.Compare(revisions.Read(before.Doc), revisions.Read(after.Doc))
	return c, nil
}

// sameName reports whether two names of checkpoints are the same up to the prefix chk-.
func sameName(a, b string) bool {
	return strings.TrimPrefix(a, "chk-") == strings.TrimPrefix(b, "chk-")
}

// DiffParent compares a fork with its parent: what each has changed since the fork in the
// decisions, context and rules that the fork began with. It reads one parent only, so a
// circular lineage does no harm.
func (p *History) DiffParent(ctx context.Context, name string) (*revisions.Fork, error) {
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return nil, err
	}
	set := view.Set
	c, err := view.Target(name)
	if err != nil {
		return nil, err
	}
	f := &revisions.Fork{ID: c.ID, Parent: c.Parent()}
	switch f.Parent {
	case "":
		return nil, fault.New(fault.Usage, "%s has no parent", c.ID).
			WithHint("ckpt diff -c %s compares it with its newest version", c.ID)
	case c.ID:
		return nil, fault.New(fault.Invalid, "%s is its own parent", c.ID).WithHint("ckpt validate %s", c.ID)
	}
	now, err := p.parentNow(ctx, set, f)
	if err != nil {
		return nil, err
	}
	then, err := p.parentThen(ctx, f)
	if err != nil {
		return nil, err
	}
	if then == nil {
		f.Remarks = append(f.Remarks, "how "+f.Parent+" was at the fork is not in this history: it is compared as it is now")
		then = now
	}
	f.Own, f.Gained = revisions.Forked(then, now, c)
	return f, nil
}

// parentNow returns the present parent of a fork, or its last readable version if it is gone.
func (p *History) parentNow(ctx context.Context, set *checkpoint.Set,
	f *revisions.Fork) (*checkpoint.Checkpoint, error) {
	if parent, ok := set.Get(f.Parent); ok {
		return parent, nil
	}
	missing := fault.New(fault.NotFound, "the parent of %s, %s, is missing", f.ID, f.Parent).
		WithHint("ckpt validate %s; ckpt edit %s", f.ID, f.ID)
	vs, err := p.versions(ctx, f.Parent)
	if err != nil {
		if fault.KindOf(err) == fault.Failed {
			return nil, err
		}
		return nil, missing
	}
	for _, v := range vs.List {
		if c, err := vs.Checkpoint(ctx, v); err == nil {
			f.Remarks = append(f.Remarks, f.Parent+" is gone: it is compared as it was in "+v.Short())
			return c, nil
		}
	}
	return nil, missing
}

// parentThen returns the parent in the commit that made the fork, or nil if that is not known.
func (p *History) parentThen(ctx context.Context, f *revisions.Fork) (*checkpoint.Checkpoint, error) {
	vs, err := p.versions(ctx, f.ID)
	if err != nil {
		if fault.KindOf(err) == fault.NotFound { // the fork is in no commit yet
			return nil, nil
		}
		return nil, err
	}
	first := -1
	for i, v := range vs.List { // use the oldest version: the file may have been deleted and restored
		if len(v.Before) == 0 {
			first = i
		}
	}
	if first < 0 || vs.List[first].Cut {
		return nil, nil
	}
	then, v, err := p.ShowAt(ctx, f.Parent, vs.List[first].Commit)
	if err != nil {
		if fault.KindOf(err) == fault.Failed {
			return nil, err
		}
		return nil, nil
	}
	f.Since = &v
	return then, nil
}

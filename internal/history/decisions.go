package history

import (
	"bytes"
	"context"
	"slices"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history/decisions"
	"example.com/ckpt/internal/history/gitlog"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// Decisions returns the present decisions of the checkpoint that name means, without reading
// history.
func (p *History) Decisions(ctx context.Context, name string) (*decisions.Record, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	c, err := view.Target(name)
	if err != nil {
		return nil, err
	}
	return decisions.Follow([]decisions.Version{{Checkpoint: c}}, 0), nil
}

// DecisionsMade returns the decisions of a checkpoint with their authors and commits, and what
// happened to decisions that are no longer in the file. Losses in commits before the given time
// are left out.
func (p *History) DecisionsMade(ctx context.Context, name string, since time.Time) (*decisions.Record, error) {
	head, err := p.Repo.Head() // a branch may have lost and restored decisions before the ref took the branch in
	if err != nil {
		return nil, err
	}
	vs, err := p.Versions(ctx, name, head.Hash)
	if err != nil {
		return nil, err
	}
	list, present, warnings, err := p.readable(ctx, vs)
	if err != nil {
		return nil, err
	}
	record := decisions.Follow(list, present)
	record.ID, record.Warnings = vs.ID, warnings
	record.Losses = slices.DeleteFunc(record.Losses, func(l decisions.Loss) bool {
		return l.In.Commit != "" && l.In.Time.Before(since)
	})
	return record, nil
}

// readable returns the versions that can be read, and the index of the present one. It leaves out unreadable versions
// and deletions. The parents of a version are its nearest readable ancestors, but a merge of a deletion and another
// version has only the latter as a parent. Warnings name what is missing.
func (p *History) readable(ctx context.Context, vs *gitlog.Versions) (list []decisions.Version, present int,
	warnings []string, err error) {
	parents, err := vs.Parents(ctx)
	if err != nil {
		return nil, 0, nil, err
	}
	in := make([][]int, len(vs.Lines)) // for each line, the indices in list of the nearest versions that can be read
	for i, v := range vs.Lines {
		stays := slices.ContainsFunc(parents[i], func(from int) bool { return !vs.Lines[from].Gone() })
		for _, from := range parents[i] {
			if !stays || !vs.Lines[from].Gone() {
				in[i] = append(in[i], in[from]...)
			}
		}
		slices.Sort(in[i])
		in[i] = slices.Compact(in[i])
		if v.Gone() {
			continue
		}
		if v.Cut {
			warnings = append(warnings, "history before "+v.Short()+" is not in this clone, which is shallow")
		}
		c, err := vs.Checkpoint(ctx, v.Version)
		if err != nil {
			warnings = append(warnings, v.Short()+" was left out: "+err.Error())
			continue
		}
		list = append(list, decisions.Version{Version: v.Version, Parents: in[i], Checkpoint: c})
		in[i] = []int{len(list) - 1}
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, 0, nil, err
	}
	newest := len(list) - 1
	c, err := view.Target(vs.ID)
	switch {
	case fault.KindOf(err) == fault.NotFound || c != nil && c.ID != vs.ID:
		return list, max(newest, 0), warnings, nil // the last one before the checkpoint was deleted
	case err != nil:
		return nil, 0, nil, err
	}
	for i, v := range slices.Backward(list) {
		if bytes.Equal(checkout.Shared(v.Path, v.Checkpoint.Doc.Bytes()), checkout.Shared(c.Path, c.Doc.Bytes())) {
			return list, i, warnings, nil
		}
	}
	edited := decisions.Version{Version: revisions.Version{Path: c.Path}, Checkpoint: c}
	if newest >= 0 {
		edited.Parents = []int{newest}
	}
	return append(list, edited), len(list), warnings, nil
}

package others

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/others/branches"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
)

// OtherTexts returns the checkpoints that are only on other branches, and their files by blob.
func (p *Finder) OtherTexts(ctx context.Context, here map[string]bool,
	req Everywhere) (*branches.Found, map[string][]byte, error) {
	s, err := p.Survey(ctx, 0, req.Step)
	if err != nil {
		return nil, nil, err
	}
	beyond, err := p.beyond(ctx, s.Found, here)
	if err != nil {
		return nil, nil, err
	}
	texts, err := p.texts(ctx, beyond)
	return beyond, texts, err
}

// texts reads files by blob.
func (p *Finder) texts(ctx context.Context, of *branches.Found) (map[string][]byte, error) {
	var blobs []string
	for _, v := range of.Checkpoints {
		blobs = append(blobs, v.Blob)
	}
	for _, l := range of.Learnings {
		blobs = append(blobs, l.Blob)
	}
	slices.Sort(blobs)
	texts := map[string][]byte{}
	err := p.repo.Objects().Blobs(ctx, slices.Compact(blobs),
		func(blob string, src []byte) { texts[blob] = bytes.Clone(src) })
	return texts, err
}

// WithOthers returns a set with the checkpoints that are only on other branches, and their
// locations.
func (p *Finder) WithOthers(ctx context.Context, set *checkpoint.Set,
	req Everywhere) (*checkpoint.Set, map[*checkpoint.Checkpoint]*result.Location, error) {
	beyond, texts, err := p.OtherTexts(ctx, IdsOf(set), req)
	if err != nil {
		return nil, nil, err
	}
	all := &checkpoint.Set{All: slices.Clone(set.All), Broken: slices.Clone(set.Broken)}
	on := map[*checkpoint.Checkpoint]*result.Location{}
	for _, v := range beyond.Checkpoints {
		if v.Unreadable != "" {
			all.Broken = append(all.Broken,
				checkpoint.Broken{Path: v.Path, Err: errors.New(v.Unreadable + " (on " + p.Location(v.On).String() + ")")})
			continue
		}
		c, err := checkpoint.Parse(v.Path, texts[v.Blob])
		if err != nil {
			return nil, nil, err
		}
		all.All = append(all.All, c)
		on[c] = p.Location(v.On)
	}
	return all, on, nil
}

// IdsOf returns the ids of a set.
func IdsOf(set *checkpoint.Set) map[string]bool {
	here := map[string]bool{}
	for _, id := range workspace.IDs(set.All) {
		here[id] = true
	}
	return here
}

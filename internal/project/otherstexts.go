package project

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"example.com/ckpt/internal/core/branches"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/learnings"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/search"
	"example.com/ckpt/internal/store"
)

// otherTexts reads what is on other branches only.
func (p *Project) otherTexts(ctx context.Context, here map[string]bool, req Everywhere) (*branches.Found, map[string][]byte, error) {
	s, err := p.survey(ctx, 0, req.Step)
	if err != nil {
		return nil, nil, err
	}
	beyond, err := p.beyond(ctx, s.Found, here)
	if err != nil {
		return nil, nil, err
	}
	var blobs []string
	for _, v := range beyond.Checkpoints {
		blobs = append(blobs, v.Blob)
	}
	for _, l := range beyond.Learnings {
		blobs = append(blobs, l.Blob)
	}
	slices.Sort(blobs)
	texts := map[string][]byte{}
	err = p.Repo.Blobs(ctx, slices.Compact(blobs), func(blob string, src []byte) { texts[blob] = bytes.Clone(src) })
	return beyond, texts, err
}

// withOthers returns a set with the checkpoints that are on other branches only, and where
// those are.
func (p *Project) withOthers(ctx context.Context, set *checkpoint.Set, req Everywhere) (*checkpoint.Set, map[*checkpoint.Checkpoint]*result.Location, error) {
	beyond, texts, err := p.otherTexts(ctx, idsOf(set), req)
	if err != nil {
		return nil, nil, err
	}
	all := &checkpoint.Set{All: slices.Clone(set.All), Broken: slices.Clone(set.Broken)}
	on := map[*checkpoint.Checkpoint]*result.Location{}
	for _, v := range beyond.Checkpoints {
		if v.Unreadable != "" {
			all.Broken = append(all.Broken, checkpoint.Broken{Path: v.Path, Err: errors.New(v.Unreadable + " (on " + p.location(v.On).String() + ")")})
			continue
		}
		c, err := checkpoint.Parse(v.Path, texts[v.Blob])
		if err != nil {
			return nil, nil, err
		}
		all.All = append(all.All, c)
		on[c] = p.location(v.On)
	}
	return all, on, nil
}

func idsOf(set *checkpoint.Set) map[string]bool {
	here := map[string]bool{}
	for _, id := range ids(set.All) {
		here[id] = true
	}
	return here
}

// searchOthers looks through what is on other branches only.
func (p *Project) searchOthers(ctx context.Context, req SearchRequest) ([]*search.File, error) {
	set, err := p.read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	beyond, texts, err := p.otherTexts(ctx, idsOf(set), req.Everywhere)
	if err != nil {
		return nil, err
	}
	req.Changed = nil // of files that are here
	var files []*search.File
	for _, v := range beyond.Checkpoints {
		src := texts[v.Blob]
		if src == nil || !req.Query.Holds(src) {
			continue
		}
		c, unreadable := checkpoint.Parse(v.Path, src)
		if f := req.file(v.Path, src, c, unreadable); f != nil {
			f.On = p.location(v.On)
			files = append(files, f)
		}
	}
	byBlob := map[string][]branches.Learning{}
	for _, l := range beyond.Learnings {
		byBlob[l.Blob] = append(byBlob[l.Blob], l)
	}
	for blob, learned := range byBlob {
		if f := req.Learnings(store.Learnings, texts[blob]); f != nil {
			f.Hits = slices.DeleteFunc(f.Hits, hitsBeside(texts[blob], learned))
			f.On = p.location(learned[0].On)
			files = append(files, f)
		}
	}
	return files, nil
}

// hitsBeside returns what reports whether a hit in a LEARNINGS.md is in none of these
// learnings.
func hitsBeside(src []byte, learned []branches.Learning) func(search.Hit) bool {
	var bullets []learnings.Bullet
	for _, e := range learnings.Parse(src) {
		bullets = append(bullets, e.Bullets...)
	}
	slices.SortFunc(bullets, func(a, b learnings.Bullet) int { return a.Line - b.Line })
	return func(h search.Hit) bool {
		i := len(bullets) - 1
		for i >= 0 && bullets[i].Line > h.Line {
			i--
		}
		return i < 0 || !slices.ContainsFunc(learned, func(l branches.Learning) bool { return l.Text == bullets[i].Text })
	}
}

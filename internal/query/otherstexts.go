package query

import (
	"context"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/others"
	"example.com/ckpt/internal/others/branches"
	"example.com/ckpt/internal/search"
	"example.com/ckpt/internal/workspace/store"
)

// searchOthers searches the checkpoints and learnings that are only on other branches.
func (p *Query) searchOthers(ctx context.Context, req SearchRequest) ([]*search.File, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	set := view.Set
	beyond, texts, err := p.others.OtherTexts(ctx, others.IdsOf(set), req.Everywhere)
	if err != nil {
		return nil, err
	}
	files := p.searchVersions(req, beyond.Checkpoints, texts)
	byBlob := map[string][]branches.Learning{}
	for _, l := range beyond.Learnings {
		byBlob[l.Blob] = append(byBlob[l.Blob], l)
	}
	for blob, learned := range byBlob {
		if f := req.Learnings(store.Learnings, texts[blob]); f != nil {
			f.Hits = slices.DeleteFunc(f.Hits, hitsBeside(texts[blob], learned))
			f.On = p.others.Location(learned[0].On)
			files = append(files, f)
		}
	}
	return files, nil
}

// searchBranch searches the checkpoints that the last commit of another branch has.
func (p *Query) searchBranch(ctx context.Context, req SearchRequest, name string,
	scope store.Scope) ([]*search.File, error) {
	versions, texts, err := p.others.TextsOnBranch(ctx, name, scope)
	return p.searchVersions(req, versions, texts), err
}

// searchVersions searches versions on other branches, whose files are in texts by blob.
func (p *Query) searchVersions(req SearchRequest, versions []branches.Version,
	texts map[string][]byte) (files []*search.File) {
	req.Changed = nil // this function is only for files of this branch
	for _, v := range versions {
		src := texts[v.Blob]
		if src == nil || !req.Query.Holds(src) {
			continue
		}
		c, unreadable := checkpoint.Parse(v.Path, src)
		f := req.file(v.Path, src, c, unreadable)
		if f != nil {
			f.On = p.others.Location(v.On)
			files = append(files, f)
		}
	}
	return files
}

// hitsBeside returns a function that reports whether a hit in a LEARNINGS.md is not in one of these
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

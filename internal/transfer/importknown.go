package transfer

import (
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/transfer/importing"
	"example.com/ckpt/internal/workspace/store"
)

// inventory lists what is in the checkpoints folder: ids, files, and earlier imports.
type inventory struct {
	ids     map[string]bool
	sources map[string]string // the hash of a source: the id that it got
	file    func(rel string) bool
	made    []string // checkpoints that were made and may become current
	bare    []string // those that were made without a Problem
}

func (p *Transfer) inventory(set *checkpoint.Set) (*inventory, error) {
	k := &inventory{ids: map[string]bool{}, sources: map[string]string{}}
	for _, c := range set.All {
		k.take(c.ID)
		if mark := strings.Fields(c.Field(importing.Key)); len(mark) > 0 {
			k.sources[mark[len(mark)-1]] = c.ID
		}
	}
	tree, err := p.Repo.Objects().Tree(p.Prefix)
	if err != nil {
		return nil, err
	}
	k.file = func(rel string) bool {
		_, committed := tree[rel]
		return committed || p.Store.Has(rel)
	}
	src, err := p.Store.Read(store.Learnings)
	for _, hash := range importing.Marked(src) {
		k.sources[hash] = ""
	}
	return k, err
}

func (k *inventory) take(id string) { k.ids[strings.ToLower(id)] = true }

func (k *inventory) taken(id string) bool {
	return k.ids[strings.ToLower(id)] || k.file(store.Active+"/"+id+".md") || k.file(store.Archive+"/"+id+".md")
}

package survey

import (
	"encoding/json"

	"example.com/ckpt/internal/core/branches"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// kept is an answer as it is kept. It is true wherever the other branches end at the same
// commits and the own one has grown, without a merge and without a change of the archive,
// from the same commit: what others have written since they forked is then the same.
type kept struct {
	Form  int
	Key   string // of the other branches
	From  string // the commit that the own branch ended at
	Found *branches.Found
}

const form = 1

// growth is how many commits the own branch may have grown by.
const growth = 64

// load returns the answer that is kept for these branches, nil where there is none.
func load(file, folder, key, from string, repo *git.Repo) *branches.Found {
	src, err := disk.ReadFile(file)
	var k kept
	if err != nil || src == nil || json.Unmarshal(src, &k) != nil || k.Form != form || k.Key != key {
		return nil
	}
	if k.From != from {
		if !repo.Grown(k.From, from, growth, folder+"/"+store.Archive) {
			return nil
		}
		keep(file, key, from, k.Found)
	}
	return k.Found
}

// keep keeps an answer. Where it cannot be written the branches are read again.
func keep(file, key, from string, found *branches.Found) {
	src, err := json.Marshal(kept{Form: form, Key: key, From: from, Found: found})
	if err == nil {
		_ = disk.WriteFile(file, src, false)
	}
}

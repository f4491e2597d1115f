package survey

import (
	"encoding/json"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/others/branches"
	"example.com/ckpt/internal/workspace/store"
)

// kept is an answer as it is kept. It is true wherever the other branches end at the same
// commits and the own one has grown, without a merge and without a change of the archive,
// from the same commit: what others have written since they forked is then the same.
type kept struct {
	Form  int
	Key   string // of the other branches
	From  string // the commit that the own branch ended at
	Found *branches.Found
	Many  int // in place of Found: how many commits were too many
}

const form = 2

// growth is how many commits the own branch may have grown by.
const growth = 64

// load returns the answer that is kept for these branches; not ok where there is none.
func load(file, folder, key, from string, repo *git.Repo) (s *Survey, ok bool) {
	src, err := disk.ReadFile(file)
	var k kept
	if err != nil || src == nil || json.Unmarshal(src, &k) != nil || k.Form != form || k.Key != key {
		return nil, false
	}
	if k.From != from {
		if !log.Of(repo).Grown(k.From, from, growth, folder+"/"+store.Archive) {
			return nil, false
		}
		k.From = from
		keep(file, k)
	}
	return &Survey{Found: k.Found, Unread: k.Many}, true
}

// keep keeps an answer. Where it cannot be written the branches are read again.
func keep(file string, k kept) {
	k.Form = form
	src, err := json.Marshal(k)
	if err == nil {
		_ = disk.WriteFile(file, src, false)
	}
}

package survey

import (
	"encoding/json"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/others/branches"
	"example.com/ckpt/internal/workspace/store"
)

// kept is a cached answer. It stays valid while the other branches point to the same commits, and
// this branch has only gained commits without merges and without changes of the archive: then the
// changes of other branches since the fork are the same.
type kept struct {
	Form  int
	Key   string // identifies the other branches and their commits
	From  string // the commit to which this branch pointed
	Found *branches.Found
	Many  int // the number of commits, if there were too many; Found is then nil
}

const form = 2

// growth is the maximal number of commits by which this branch may have grown.
const growth = 64

// load returns the cached answer for these branches. If there is none, ok is false.
func load(file, folder, key, from string, repo *git.Repo) (s *Survey, ok bool) {
	src, err := disk.ReadFile(file)
	var k kept
	if err != nil || src == nil || json.Unmarshal(src, &k) != nil {
		return nil, false
	}
	if k.Form != form || k.Key != key {
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

// keep caches an answer. If that fails, the branches are read again.
func keep(file string, k kept) {
	k.Form = form
	src, err := json.Marshal(k)
	if err == nil {
		_ = disk.WriteFile(file, src, false)
	}
}

package changes

import (
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/git/refs"
)

// linearMost is how many commits are read one by one before git is asked.
const linearMost = 32

// linear is Count without git, for the usual case: a few commits in a line from base to HEAD.
// It is not ok in any other case. Without it a brief in a small repository takes a third
// longer.
func (c Changes) linear(base, head, exclude, me string) (s Count, ok bool) {
	if c.repo.Foreign() != "" || !refs.IsHash(base) {
		return s, false
	}
	db := c.repo.Objects().Database()
	s.Strangers = me == ""
	at := head
	commit, err := object.ReadCommit(db, at)
	for range linearMost {
		if err != nil || at != base && len(commit.Parents) != 1 {
			return Count{}, false
		}
		if at == base {
			return s, true
		}
		parent, err := object.ReadCommit(db, commit.Parents[0])
		if err != nil {
			return Count{}, false
		}
		outside, err := object.DifferOutside(db, parent.Tree, commit.Tree, exclude)
		if err != nil {
			return Count{}, false
		}
		if outside {
			subject, ok := commit.Subject()
			if !ok {
				return Count{}, false
			}
			by := commit.Author
			s.count(Commit{Hash: at, Author: by.Name(), Subject: subject, Mine: isMine(by.Email(), me)})
		}
		at, commit = commit.Parents[0], parent
	}
	return Count{}, false
}

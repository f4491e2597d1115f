package git

import (
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/git/refs"
)

// linearMost is how many commits are read one by one before git is asked.
const linearMost = 32

// linear is [Repo.Since] without git, for what is nearly always there: a few commits
// in a line from base to HEAD. Anything else is not ok.
func (r *Repo) linear(base, head, exclude, me string) (s Since, ok bool) {
	if r.foreign() != "" || !refs.IsHash(base) {
		return s, false
	}
	db := r.Objects()
	s.Strangers = me == ""
	at := head
	commit, err := object.ReadCommit(db, at)
	for range linearMost {
		if err != nil || at != base && len(commit.Parents) != 1 {
			return Since{}, false
		}
		if at == base {
			return s, true
		}
		parent, err := object.ReadCommit(db, commit.Parents[0])
		if err != nil {
			return Since{}, false
		}
		outside, err := object.DifferOutside(db, parent.Tree, commit.Tree, exclude)
		if err != nil {
			return Since{}, false
		}
		if outside {
			subject, ok := commit.Subject()
			if !ok {
				return Since{}, false
			}
			by := commit.Author
			s.count(Came{Hash: at, Author: by.Name(), Subject: subject, Mine: isMine(by.Email(), me)})
		}
		at, commit = commit.Parents[0], parent
	}
	return Since{}, false
}

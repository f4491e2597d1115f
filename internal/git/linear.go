package git

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// linearMost is how many commits are read one by one before git is asked.
const linearMost = 32

// linear is [Repo.Since] without git, for what is nearly always there: a few commits
// in a line from base to HEAD. Anything else is not ok.
func (r *Repo) linear(base, head, exclude, me string) (s Since, ok bool) {
	if r.foreign() != "" || !isHash(base) {
		return s, false
	}
	db := r.objectsDB()
	at := head
	tree, err := treeOf(db, at)
	for range linearMost {
		if err != nil {
			return Since{}, false
		}
		if at == base {
			s.Strangers = me == ""
			return s, true
		}
		h, hashErr := parseHash(at)
		if hashErr != nil {
			return Since{}, false
		}
		data, readErr := db.want(plumbing.CommitObject, h)
		if readErr != nil {
			return Since{}, false
		}
		parent, email, plain := lineOf(data)
		if !plain {
			return Since{}, false
		}
		before, treeErr := treeOf(db, parent)
		if treeErr != nil {
			return Since{}, false
		}
		touched, err := differ(db, before, tree, exclude)
		switch {
		case err != nil:
			return Since{}, false
		case touched && me != "" && strings.EqualFold(email, me):
			s.Mine++
		case touched:
			s.Others++
		}
		at, tree = parent, before
	}
	return Since{}, false
}

// lineOf is the only parent of a commit and its author's address.
func lineOf(commit []byte) (parent, email string, ok bool) {
	head, _, _ := bytes.Cut(commit, []byte("\n\n"))
	for line := range strings.SplitSeq(string(head), "\n") {
		if p, is := strings.CutPrefix(line, "parent "); is {
			if parent != "" {
				return "", "", false
			}
			parent = p
		}
		if a, is := strings.CutPrefix(line, "author "); is {
			email = person(a).email()
		}
	}
	return parent, email, parent != ""
}

// differ says whether two trees differ outside the folder exclude.
func differ(db objectReader, a, b plumbing.Hash, exclude string) (bool, error) {
	if a == b {
		return false, nil
	}
	name, rest, deeper := strings.Cut(exclude, "/")
	var without [2][]node
	var below [2]plumbing.Hash
	for i, h := range []plumbing.Hash{a, b} {
		nodes, err := readTree(db, h)
		if err != nil {
			return false, err
		}
		at := slices.IndexFunc(nodes, func(n node) bool { return n.name == name && (n.mode == filemode.Dir || !deeper) })
		if at >= 0 {
			if deeper {
				below[i] = nodes[at].hash
			}
			nodes = slices.Delete(slices.Clone(nodes), at, at+1)
		}
		without[i] = nodes
	}
	if !slices.Equal(without[0], without[1]) {
		return true, nil
	}
	if !deeper {
		return false, nil
	}
	return differ(db, below[0], below[1], rest)
}

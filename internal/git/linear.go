package git

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

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
		parent, author, plain := lineOf(data)
		if !plain {
			return Since{}, false
		}
		before, treeErr := treeOf(db, parent)
		if treeErr != nil {
			return Since{}, false
		}
		touched, err := differ(db, before, tree, exclude)
		if err != nil {
			return Since{}, false
		}
		if touched {
			subject, ok := subjectOf(data)
			if !ok {
				return Since{}, false
			}
			s.count(Came{Hash: at, Author: author.name(), Subject: subject, Mine: isMine(author.email(), me)})
		}
		at, tree = parent, before
	}
	return Since{}, false
}

// lineOf returns the only parent of a commit and its author.
func lineOf(commit []byte) (parent string, author person, ok bool) {
	head, _, _ := bytes.Cut(commit, []byte("\n\n"))
	for line := range strings.SplitSeq(string(head), "\n") {
		if p, is := strings.CutPrefix(line, "parent "); is {
			if parent != "" {
				return "", "", false
			}
			parent = p
		}
		if a, is := strings.CutPrefix(line, "author "); is {
			author = person(a)
		}
	}
	return parent, author, parent != ""
}

// subjectOf returns the first paragraph of a commit's message on one line, as git does. It
// is not ok if the message is not UTF-8.
func subjectOf(commit []byte) (subject string, ok bool) {
	head, message, _ := bytes.Cut(commit, []byte("\n\n"))
	if bytes.Contains(head, []byte("\nencoding ")) || !utf8.Valid(commit) {
		return "", false
	}
	var lines []string
	for line := range strings.SplitSeq(string(message), "\n") {
		if line = strings.TrimRight(line, " \t\r\v\f"); line != "" {
			lines = append(lines, line)
		} else if len(lines) > 0 {
			break
		}
	}
	return strings.Join(lines, " "), true
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

package git

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Since is what came after a commit.
type Since struct {
	Mine, Others int    // commits, merges not counted, that touch files outside a folder
	Many         bool   // there are more than [SinceMost], and the rest was not looked at
	Strangers    bool   // git does not know who the user is: all are Others
	Lost         bool   // HEAD has not grown from it: commits of its line are not in HEAD's
	Holder       string // a branch that holds it, where it is lost
	Missing      bool   // the repository does not have it
}

// SinceMost is how many commits Since looks at.
const SinceMost = 1000

// Since counts what came to HEAD after the commit base (hex), but for commits that
// touch nothing outside the folder exclude. Others' commits that a merge brought
// count as well. It runs git at most once; again where base is lost.
func (r *Repo) Since(ctx context.Context, base, exclude string) (Since, error) {
	var s Since
	head, err := r.Head()
	if err != nil || head.Hash == "" || head.Hash == base || !isCommitName(base) {
		return s, err
	}
	me, err := r.firstOf(ctx, "GIT_AUTHOR_EMAIL", "author.email", "user.email")
	if err != nil {
		return s, err
	}
	if s, ok := r.linear(base, head.Hash, exclude, me); ok {
		return s, nil
	}
	s.Strangers = me == ""
	out, err := r.gitGlob(ctx, "log", "--left-right", "--no-merges", "--full-history", "--no-show-signature", "--no-color",
		"--format=%m%ae", "--max-count="+strconv.Itoa(SinceMost+1), base+"..."+head.Hash, "--", ".", ":(exclude,literal)"+exclude)
	if exitCode(err) == 128 {
		if _, look := r.git(ctx, nil, "cat-file", "-e", base+"^{commit}"); look != nil && ctx.Err() == nil {
			return Since{Missing: true}, nil
		}
	}
	if err != nil {
		return Since{}, r.elsewhere(err)
	}
	n := 0
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\n"), "\n") {
		side, email, _ := cutByte(line)
		if n++; n > SinceMost {
			s.Many = true
			break
		}
		switch {
		case side == '<':
			s.Lost = true
		case side == '>' && me != "" && strings.EqualFold(email, me):
			s.Mine++
		case side == '>':
			s.Others++
		}
	}
	if !s.Lost {
		return s, nil
	}
	cut, err := r.Shallow()
	if s.Lost = len(cut) == 0; s.Lost && err == nil { // else it may be behind the cut
		s.Holder, err = r.holder(ctx, base)
	}
	return s, err
}

func cutByte(line string) (first byte, rest string, ok bool) {
	if line == "" {
		return 0, "", false
	}
	return line[0], line[1:], true
}

// holder is a branch that holds a commit; "" for none.
func (r *Repo) holder(ctx context.Context, commit string) (string, error) {
	out, err := r.git(ctx, nil, "for-each-ref", "--count=1", "--format=%(refname:lstrip=2)", "--contains="+commit, "refs/heads")
	return string(bytes.TrimSpace(out)), err
}

// isCommitName says whether base can be a commit's name, whole or shortened.
func isCommitName(base string) bool {
	return len(base) >= 4 && len(base) <= 64 && strings.Trim(base, "0123456789abcdef") == ""
}

// Edit is a file that differs from HEAD in the index or the working tree; an
// untracked one, too, unless it is ignored.
type Edit struct{ Path, From string } // From: the former path of a renamed one

// Edits are the files that no commit has as they are, outside the folder exclude.
// It runs `git status`.
func (r *Repo) Edits(ctx context.Context, exclude string) ([]Edit, error) {
	events, err := r.uncommitted(ctx, exclude)
	var all []Edit
	for _, e := range events {
		if !strings.HasPrefix(e.path, exclude+"/") {
			all = append(all, Edit{e.path, e.from})
		}
	}
	return all, err
}

// HasCommit says whether the repository has a commit of this name.
func (r *Repo) HasCommit(ctx context.Context, name string) bool {
	if h, err := parseHash(name); err == nil && r.foreign() == "" {
		if _, err := r.objectsDB().want(plumbing.CommitObject, h); err == nil {
			return true
		}
	}
	_, err := r.git(ctx, nil, "cat-file", "-e", name+"^{commit}")
	return err == nil
}

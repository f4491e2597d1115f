// Package ckptref reads and moves the ref that has the checkpoints of a repository, in every commit mode:
// refs/ckpt/checkpoints, unless git config ckpt.ref names another one.
//
// There is one ref, not one for each checkpoint. An operation such as archive changes several files and must happen as
// a whole, so an operation is one compare-and-set of the ref. All worktrees of the repository share the ref. The
// package leaves HEAD, the index and the working tree alone.
package ckptref

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/object"
)

// Default is the name of the ref if none is configured.
const Default = "refs/ckpt/checkpoints"

// Ref is the checkpoint ref of a repository.
type Ref struct {
	repo *git.Repo
	name string
}

// Of returns the checkpoint ref of a repository. It reads git config ckpt.ref. If that names a ref other than [Default]
// that does not exist, Of creates the ref at the commit of the default one.
func Of(ctx context.Context, repo *git.Repo) (Ref, error) {
	name, err := repo.Config().Setting(ctx, "ckpt.ref", Default)
	if err != nil {
		return Ref{}, err
	}
	if !strings.HasPrefix(name, "refs/") || strings.HasSuffix(name, "/") || strings.Contains(name, "..") {
		return Ref{}, fault.New(fault.Invalid, "git config ckpt.ref: %q is not the full name of a ref", name).
			WithHint("git config ckpt.ref " + Default)
	}
	r := Ref{repo: repo, name: name}
	if name == Default {
		return r, nil
	}
	return r, r.begin(ctx)
}

// begin creates the ref at the commit of the default ref, which stays. If the ref exists, begin does nothing.
func (r Ref) begin(ctx context.Context) error {
	from, err := r.repo.Refs().Read(ctx, Default)
	if from == "" || err != nil {
		return err
	}
	if tip, err := r.Tip(ctx); tip != "" || err != nil {
		return err
	}
	unlock, err := r.repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	err = r.Move(ctx, from, "", "ckpt: begin as "+Default)
	if errors.Is(err, git.ErrMoved) {
		return nil // another process has created the ref
	}
	return err
}

// Name returns the full name of the ref.
func (r Ref) Name() string { return r.name }

// Tip returns the commit that the ref names, or "" if the ref does not exist.
func (r Ref) Tip(ctx context.Context) (string, error) { return r.repo.Refs().Read(ctx, r.name) }

// At returns the repository as if HEAD were the ref, at the given commit. An empty commit means the ref's own. The ref
// need not have moved to the commit yet.
func (r Ref) At(commit string) *git.Repo { return r.repo.At(r.name, commit) }

// The root commit has an empty tree. It is the same in every repository, so that two clones that begin offline have a
// common ancestor.
const (
	nobody      = "ckpt <ckpt@localhost> "
	rootTime    = "1767225600 +0000"
	rootMessage = "ckpt: begin\n"
)

// commitAt returns a commit with a fixed author and the time at, in git's format. Clones that derive the time from the
// parents make the same commit.
func commitAt(at, message string, parents ...string) object.CommitText {
	by := object.Signature(nobody + at)
	return object.CommitText{Parents: parents, Author: by, Committer: by, Message: message}
}

// Root stores the root commit and returns its hash.
func (r Ref) Root(ctx context.Context) (string, error) {
	return commit.Of(r.repo).StoreTree(ctx, commitAt(rootTime, rootMessage), "", nil, nil, false)
}

// Store stores a commit by the user and returns its hash. No ref points to the commit yet. The commit needs a parent:
// c.Files are its changes relative to the first one. With maySign the commit is signed if the user signs commits. No
// hook runs: hooks are for commits of code.
func (r Ref) Store(ctx context.Context, c commit.Spec, maySign bool) (string, error) {
	author, committer, err := r.repo.Config().Identities(ctx, c.Time)
	if err != nil {
		return "", err
	}
	sign := false
	if maySign {
		sign, err = commit.Of(r.repo).Signs(ctx)
		if err != nil {
			return "", err
		}
	}
	text := object.CommitText{
		Parents: c.Parents, Author: author, Committer: committer, Message: commit.CleanMessage(c.Message),
	}
	return commit.Of(r.repo).StoreTree(ctx, text, c.Parents[0], c.Files, c.Contents, sign)
}

// MergeOrder returns two commits in the order that they have as parents of their merge, the same in every clone.
func MergeOrder(a, b string) (first, second string) { return min(a, b), max(a, b) }

// StoreMerge stores a merge and returns its hash. No ref points to the merge yet. Clones that merge the same two
// commits get the same merge: the author is fixed, the date is the newest of the parents, and nothing is signed.
// The caller gives the parents in the order of [MergeOrder], with files and a message that follow from them.
func (r Ref) StoreMerge(ctx context.Context, c commit.Spec) (string, error) {
	latest := int64(0)
	for _, parent := range c.Parents {
		p, err := r.repo.Objects().Commit(ctx, parent)
		if err != nil {
			return "", err
		}
		at, err := p.Committer.Seconds()
		if err != nil {
			return "", fault.New(fault.Failed, "the time of commit %s: %w", parent, err)
		}
		latest = max(latest, at)
	}
	text := commitAt(strconv.FormatInt(latest, 10)+" +0000", c.Message, c.Parents...)
	return commit.Of(r.repo).StoreTree(ctx, text, c.Parents[0], c.Files, c.Contents, false)
}

// Move moves the ref from one commit ("" if the ref does not exist) to another and adds why to the ref's reflog. Git
// itself keeps no reflog for refs below refs/ckpt. If the ref is not at the commit in from, Move returns [git.Moved]
// and changes nothing. It refuses to move a branch that is checked out, because the index and the files would stay
// behind. The caller has ckpt's exclusive lock.
func (r Ref) Move(ctx context.Context, to, from, why string) error {
	if strings.HasPrefix(r.name, git.LocalRefs) {
		out, err := r.repo.Git(ctx, nil, "for-each-ref", "--format=%(worktreepath)", r.name)
		if at := strings.TrimSpace(string(out)); at != "" {
			return fault.New(fault.Refused, "%s, which git config ckpt.ref names, is checked out in %q", r.name, at).
				WithHint("check out another branch there, or name another ref: git config ckpt.ref " + Default)
		} else if err != nil {
			return err
		}
	}
	none := strings.Repeat("0", len(to))
	if r.repo.Refs().Foreign() != "" {
		if now, err := r.Tip(ctx); err != nil || now != from {
			return cmp.Or(err, git.Moved(r.name))
		}
		_, err := r.repo.Git(ctx, nil, "update-ref", "--create-reflog", "-m", why, r.name, to, cmp.Or(from, none))
		return err
	}
	who, err := r.repo.Config().Identity(ctx, "committer", time.Now())
	if err != nil { // the line of a reflog needs no real identity
		who = object.Signature(nobody + strconv.FormatInt(time.Now().Unix(), 10) + " +0000")
	}
	if err := r.repo.Refs().Move(ctx, r.name, to, from); err != nil {
		return err
	}
	line := cmp.Or(from, none) + " " + to + " " + string(who) + "\t" + why + "\n"
	_ = r.repo.FileRefs().AppendLog(r.name, line, true) // the ref has moved, so an error is ignored
	return nil
}

// Operations counts the operations in the history of one commit (has) that are not in the history of the other (lacks).
func (r Ref) Operations(ctx context.Context, lacks, has string) (int, error) {
	out, err := r.repo.Offline().Git(ctx, nil, "rev-list", "--count", "--no-merges", "--min-parents=1", has, "^"+lacks)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

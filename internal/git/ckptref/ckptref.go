// Package ckptref reads and moves the ref that has the checkpoints of a repository in ref mode:
// refs/ckpt/checkpoints, unless git config ckpt.ref names another one.
//
// It is one ref and not one for each checkpoint, since an operation such as archive changes
// several files and must happen as a whole: an operation is one compare-and-set of the ref.
// All worktrees of the repository share it. HEAD, the index and the working tree take no part.
package ckptref

import (
	"cmp"
	"context"
	"strings"
	"time"

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

// Of returns the checkpoint ref of a repository. It reads git config ckpt.ref.
func Of(ctx context.Context, repo *git.Repo) (Ref, error) {
	name, err := repo.Config().Setting(ctx, "ckpt.ref", Default)
	if err != nil {
		return Ref{}, err
	}
	if !strings.HasPrefix(name, "refs/") || strings.HasSuffix(name, "/") || strings.Contains(name, "..") {
		return Ref{}, fault.New(fault.Invalid, "git config ckpt.ref: %q is not the full name of a ref", name).
			WithHint("git config ckpt.ref " + Default)
	}
	return Ref{repo: repo, name: name}, nil
}

// Name returns the full name of the ref.
func (r Ref) Name() string { return r.name }

// Tip returns the commit that the ref names, or "" if the ref does not exist.
func (r Ref) Tip(ctx context.Context) (string, error) { return r.repo.Refs().Read(ctx, r.name) }

// History returns the repository with the ref in place of HEAD.
func (r Ref) History() *git.Repo { return r.repo.At(r.name) }

// The root commit is the same in every repository (its tree is empty), so that two clones
// that begin offline have a common ancestor.
const (
	rootSignature = object.Signature("ckpt <ckpt@localhost> 1767225600 +0000")
	rootMessage   = "ckpt: begin\n"
)

// Root stores the root commit and returns its hash.
func (r Ref) Root(ctx context.Context) (string, error) {
	text := object.CommitText{Author: rootSignature, Committer: rootSignature, Message: rootMessage}
	return commit.Of(r.repo).StoreTree(ctx, text, "", nil, nil, false)
}

// Store stores a commit by the user, to which nothing points yet. It is signed if commits are
// signed. No hook runs: hooks are for commits of code.
func (r Ref) Store(ctx context.Context, c commit.Spec) (string, error) {
	author, committer, err := r.repo.Config().Identities(ctx, c.Time)
	if err != nil {
		return "", err
	}
	sign, err := commit.Of(r.repo).Signs(ctx)
	if err != nil {
		return "", err
	}
	text := object.CommitText{
		Parents: c.Parents, Author: author, Committer: committer, Message: commit.CleanMessage(c.Message),
	}
	return commit.Of(r.repo).StoreTree(ctx, text, c.Parents[0], c.Files, c.Contents, sign)
}

// Move moves the ref from one commit ("" for none) to another and records why in its reflog, which
// git would not keep for a ref below refs/ckpt. If the ref is not at from it returns fault.Busy,
// and nothing has changed. The caller has ckpt's exclusive lock.
func (r Ref) Move(ctx context.Context, to, from, why string) error {
	none := strings.Repeat("0", len(to))
	if r.repo.Foreign() != "" {
		if now, err := r.Tip(ctx); err != nil || now != from {
			return cmp.Or(err, error(fault.New(fault.Busy, "%s has moved", r.name).WithHint("try again")))
		}
		_, err := r.repo.Git(ctx, nil, "update-ref", "--create-reflog", "-m", why, r.name, to, cmp.Or(from, none))
		return err
	}
	who, err := r.repo.Config().Identity(ctx, "committer", time.Now())
	if err != nil {
		return err
	}
	if err := r.repo.Refs().Move(ctx, r.name, to, from); err != nil {
		return err
	}
	line := cmp.Or(from, none) + " " + to + " " + string(who) + "\t" + why + "\n"
	_ = r.repo.FileRefs().AppendLog(r.name, line, true) // the ref has moved, which is what counts
	return nil
}

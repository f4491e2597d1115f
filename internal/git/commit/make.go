package commit

import (
	"context"
	"errors"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/git/refs"
)

// Spec describes a commit that is made of objects alone: no branch, index or working
// tree takes part in it.
type Spec struct {
	Parents []string
	// Files has what differs from the first of Parents, or from an empty tree, by path from the
	// root; the zero entry removes a file.
	Files    map[string]git.Entry
	Contents map[string][]byte // the contents of those Files whose blobs are not stored yet, by path
	Message  string
	Time     time.Time
}

// Make stores a commit and returns its hash. No ref points to it. Its author and committer are the
// user, the commit-msg hook checks its message, and it is signed if commits are signed.
func (cm Committer) Make(ctx context.Context, c Spec) (string, error) {
	author, committer, err := cm.repo.Config().Identities(ctx, c.Time)
	if err != nil {
		return "", err
	}
	message, err := cm.checkMessage(ctx, c.Message)
	if err != nil {
		return "", err
	}
	sign, err := cm.Signs(ctx)
	if err != nil {
		return "", err
	}
	text := object.CommitText{Parents: c.Parents, Author: author, Committer: committer, Message: message}
	base := ""
	if len(c.Parents) > 0 {
		base = c.Parents[0]
	}
	return cm.StoreTree(ctx, text, base, c.Files, c.Contents, sign)
}

// StoreTree stores a commit whose tree is that of the commit base ("" for none) with files set or
// removed.
func (cm Committer) StoreTree(ctx context.Context, c object.CommitText, base string, files map[string]git.Entry,
	contents map[string][]byte, sign bool) (string, error) {
	if cm.repo.Foreign() == "" {
		commit, err := cm.storeHere(ctx, c, base, files, contents, sign)
		if !errors.Is(err, object.ErrMissing) { // a partial clone: git fetches what it needs
			return commit, err
		}
	}
	entries := make(map[string]git.Entry, len(files))
	for path, e := range files {
		if content, isNew := contents[path]; isNew {
			blob, err := cm.repo.Objects().Store(ctx, content)
			if err != nil {
				return "", err
			}
			e.Hash = blob
		}
		entries[path] = e
	}
	var err error
	c.Tree, err = cm.WriteTree(ctx, base, entries)
	if err != nil {
		return "", err
	}
	if sign {
		return cm.commitTree(ctx, c)
	}
	return cm.StoreCommit(ctx, c)
}

// storeHere stores a commit without running git, except for a signature.
func (cm Committer) storeHere(ctx context.Context, c object.CommitText, base string, files map[string]git.Entry,
	contents map[string][]byte, sign bool) (string, error) {
	b := cm.repo.Objects().Database().NewBatch()
	parent, err := object.ReadCommit(b, base)
	if err != nil {
		return "", err
	}
	entries := make(map[string]git.Entry, len(files))
	for path, e := range files {
		if content, isNew := contents[path]; isNew {
			e.Hash = b.Add(object.Blob, content)
		}
		if e.Hash == "" {
			e = git.Entry{}
		}
		entries[path] = e
	}
	c.Tree, err = b.Rewrite(parent.Tree, entries)
	if err != nil {
		return "", err
	}
	if c.Tree == "" {
		c.Tree = b.Add(object.Tree, nil)
	}
	if sign {
		return cm.signedCommit(ctx, b, c)
	}
	sync, err := cm.repo.Config().Sync(ctx)
	if err != nil {
		return "", err
	}
	commit := b.Add(object.Commit, c.Encode())
	return commit, b.Flush(sync)
}

// PrepareMove returns a draft that moves the branch from one commit to another. Land returns
// git.ErrMoved if the branch has moved meanwhile, and git.ErrLeft if HEAD is on another one.
//
// Index is what the index is to have at paths from the root; the zero entry removes one. Files
// are those of the paths whose file in the working tree is to agree with the index; git reads
// the content of the others when it needs to know.
func (c Committer) PrepareMove(ctx context.Context, on git.Checkout, from, to string, index map[string]git.Entry,
	files []change.File, message string, now time.Time) (*Draft, error) {
	d := &Draft{by: c, repo: c.repo, on: on, message: message, moves: true, commit: to, entries: index, files: files}
	d.base = refs.Tip{Hash: from}
	if err := c.repo.Worktree().CheckPaths(files); err != nil {
		return nil, err
	}
	why, err := c.needsGit(ctx)
	if err != nil {
		return nil, err
	}
	d.viaGit = why != ""
	if d.viaGit {
		return d, c.repo.Left(on)
	}
	_, d.committer, err = c.repo.Config().Identities(ctx, now)
	if err != nil {
		return nil, err
	}
	d.base, err = d.repo.TipOn(d.on)
	if err != nil {
		return nil, err
	}
	if d.base.Hash != from {
		return nil, git.ErrMoved
	}
	if !refs.IsHash(to) {
		return nil, fault.New(fault.Invalid, "%q is not a commit", to)
	}
	return d, nil
}

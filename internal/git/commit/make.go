package commit

import (
	"context"
	"time"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/object"
)

// Spec describes a commit to store as objects only: no branch, index or working tree takes part.
type Spec struct {
	Parents []string
	// Files has the entries that differ from the first of Parents (without parents, from an empty tree), by path from the
	// root. A zero entry removes the file.
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

// StoreTree stores a commit and returns its hash. Its tree is that of the commit base ("" for none) with files set or
// removed. Contents has the contents of new blobs, by path.
func (cm Committer) StoreTree(ctx context.Context, c object.CommitText, base string, files map[string]git.Entry,
	contents map[string][]byte, sign bool) (string, error) {
	b := cm.repo.Objects().NewBatch(ctx)
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
	return cm.storeTree(ctx, b, c, base, entries, sign)
}

// storeTree is StoreTree for files whose blobs are stored or in the batch b.
func (cm Committer) storeTree(ctx context.Context, b *object.Batch, c object.CommitText, base string,
	entries map[string]git.Entry, sign bool) (string, error) {
	parent, err := object.ReadCommit(b, base)
	if err != nil {
		return "", err
	}
	c.Tree, err = b.Rewrite(parent.Tree, entries)
	if err == nil && c.Tree == "" {
		c.Tree = b.Add(object.Tree, nil)
	}
	if err != nil {
		return "", err
	}
	commit := ""
	if !sign {
		commit = b.Add(object.Commit, c.Encode())
	}
	if err := cm.flush(ctx, b); err != nil || !sign {
		return commit, err
	}
	return cm.signedCommit(ctx, c)
}

// flush writes the objects of a batch.
func (cm Committer) flush(ctx context.Context, b *object.Batch) error {
	sync, err := cm.repo.Config().Sync(ctx)
	if err != nil {
		return err
	}
	return b.Flush(sync)
}

package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"example.com/ckpt/internal/core/fault"
)

// NewCommit describes a commit that is made of objects alone: no branch, index or working
// tree has a part in it.
type NewCommit struct {
	Parents  []string
	Files    map[string]Entry  // by path from the root, what differs from the first of Parents; the zero entry removes a file
	Contents map[string][]byte // by path, of those of Files whose blobs are not stored yet
	Message  string
	Time     time.Time
}

// Make stores a commit and returns its hash. Nothing points to it. Its author and
// committer are the user, the commit-msg hook sees its message, and it is signed where
// commits are signed.
func (r *Repo) Make(ctx context.Context, c NewCommit) (string, error) {
	author, err := r.identity(ctx, "author", c.Time)
	if err != nil {
		return "", err
	}
	committer, err := r.identity(ctx, "committer", c.Time)
	if err != nil {
		return "", err
	}
	message, err := r.checkMessage(ctx, c.Message)
	if err != nil {
		return "", err
	}
	sign, err := r.signs(ctx)
	if err != nil {
		return "", err
	}
	if r.foreign() == "" {
		commit, err := r.makeHere(ctx, c, message, author, committer, sign)
		if err == nil || !errors.Is(err, errMissing) { // a partial clone: git fetches what it needs
			return commit, err
		}
	}
	tree, err := r.treeByIndex(ctx, c)
	if err != nil {
		return "", err
	}
	return r.commitTree(ctx, tree, c.Parents, message, author, committer, sign)
}

// makeHere makes the commit without git, unless it is to be signed.
func (r *Repo) makeHere(ctx context.Context, c NewCommit, message string, author, committer person, sign bool) (string, error) {
	b := &batch{db: r.objectsDB()}
	root, err := treeOf(b.db, c.Parents[0])
	if err != nil {
		return "", err
	}
	set := make(map[string]place, len(c.Files))
	for path, e := range c.Files {
		content, fresh := c.Contents[path]
		to := place{mode: e.mode}
		switch {
		case fresh:
			to.hash = b.add(plumbing.BlobObject, content)
		case e.Hash != "":
			if to.hash, err = parseHash(e.Hash); err != nil {
				return "", err
			}
		default:
			to = place{}
		}
		set[path] = to
	}
	if root, err = rewrite(b, root, set); err != nil {
		return "", err
	}
	if root.IsZero() {
		root = b.add(plumbing.TreeObject, nil)
	}
	sync, err := r.Sync(ctx)
	if err != nil {
		return "", err
	}
	if sign {
		if err := b.flush(sync); err != nil {
			return "", err
		}
		return r.commitTree(ctx, root.String(), c.Parents, message, author, committer, true)
	}
	commit := b.add(plumbing.CommitObject, commitText(root.String(), c.Parents, author, committer, message))
	return commit.String(), b.flush(sync)
}

// treeByIndex stores the tree of a commit by git, which reads it into an index of its own.
func (r *Repo) treeByIndex(ctx context.Context, c NewCommit) (string, error) {
	entries := make(map[string]stored, len(c.Files))
	for path, e := range c.Files {
		if content, fresh := c.Contents[path]; fresh {
			blob, err := r.KeepForNow(ctx, content)
			if err != nil {
				return "", err
			}
			e.Hash = blob
		}
		entries[path] = e.stored()
	}
	dir, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return "", fault.New(fault.Failed, "write a tree: %w", err)
	}
	defer os.RemoveAll(dir)
	index := filepath.Join(dir, "index")
	if _, err := r.aside(ctx, index, nil, "read-tree", c.Parents[0]); err != nil {
		return "", err
	}
	if _, err := r.aside(ctx, index, []byte(r.indexInfo(entries)), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	out, err := r.aside(ctx, index, nil, "write-tree", "--missing-ok")
	return strings.TrimSpace(string(out)), err
}

// commitTree stores the commit of a tree, by git, which knows the user's keys.
func (r *Repo) commitTree(ctx context.Context, tree string, parents []string, message string, author, committer person, sign bool) (string, error) {
	args, err := r.durable(ctx)
	if err != nil {
		return "", err
	}
	args = append(args, "-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-F", "-")
	limited, cancel := context.WithCancel(ctx)
	if sign {
		args = append(args, "-S")
		limited, cancel = context.WithTimeout(ctx, r.signLimit)
	}
	defer cancel()
	for _, parent := range parents {
		args = append(args, "-p", parent)
	}
	cmd := r.command(limited, append(args, tree)...)
	cmd.Env = append(cmd.Env, author.env("GIT_AUTHOR")...)
	cmd.Env = append(cmd.Env, committer.env("GIT_COMMITTER")...)
	out, err := output(cmd, []byte(message))
	if err != nil {
		return "", signFault(ctx, limited, err)
	}
	return strings.TrimSpace(string(out)), nil
}

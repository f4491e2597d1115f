// Package base finds the commits from which the changes of a checkpoint are counted.
//
// Deltas, briefs and drift count from the state that the checkpoint's last delta describes (Since).
// No other package reads `base` or `anchor` from the frontmatter to find a commit.
package base

import (
	"context"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/workspace/folder"
)

// Finder finds bases in a repository.
type Finder struct {
	*folder.Folder
}

// Named returns the commit that a checkpoint describes according to its file: the state of its last
// delta. It returns the zero Base if the file names none.
func (f Finder) Named(c *checkpoint.Checkpoint) changes.Base {
	return f.commitIn(c, "base", strings.ToLower(c.Field("base")), c.Changed())
}

// Anchor returns the commit in the anchor of a checkpoint, at which the checkpoint was begun. It
// returns the zero Base if the anchor names none.
func (f Finder) Anchor(c *checkpoint.Checkpoint) changes.Base {
	_, commit, _ := strings.Cut(c.Field("anchor"), "@")
	if len(commit) <= 6 {
		return changes.Base{}
	}
	return f.commitIn(c, "anchor", commit, c.Created())
}

// commitIn returns the commit that a key of the frontmatter of c names, with the line of that key.
func (f Finder) commitIn(c *checkpoint.Checkpoint, key, commit string, written time.Time) changes.Base {
	if !changes.IsCommitName(commit) {
		return changes.Base{}
	}
	b := changes.Base{Commit: commit, File: f.InTree(c.Path), Written: written}
	for _, field := range c.Doc.Front.Fields {
		if field.Key == key {
			b.Line = strings.TrimSpace(c.Doc.Slice(field.Span))
		}
	}
	return b
}

// Since returns the base for changes that no delta describes yet: the named base or, if the file names none,
// the last commit that touched the file, if any. A file that was begun before the first commit, or by another
// tool, names none.
func (f Finder) Since(ctx context.Context, c *checkpoint.Checkpoint) changes.Base {
	if base := f.Named(c); base.Commit != "" {
		return base
	}
	if head, err := f.Repo.Head(); err != nil || head.Hash == "" {
		return changes.Base{}
	}
	out, err := f.Repo.Offline().Run(ctx, "log", "-1", "--format=%H", "--no-show-signature", "--", f.InTree(c.Path))
	if err != nil {
		return changes.Base{} // without a base the changes of the working tree are still reported
	}
	return changes.Base{Commit: strings.TrimSpace(string(out))}
}

// AnchorCommit returns the hash of the commit that the anchor names. It is empty if the
// repository has no such commit.
func (f Finder) AnchorCommit(ctx context.Context, c *checkpoint.Checkpoint) string {
	anchor := f.Anchor(c).Commit
	if anchor == "" {
		return ""
	}
	hash, err := log.Of(f.Repo).Resolve(ctx, anchor)
	if err != nil {
		return ""
	}
	return hash
}

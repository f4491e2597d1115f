package workspace

import (
	"context"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/changes"
)

// baseOf returns the commit that a checkpoint describes, as its file names it; the zero
// Base where it names none.
func (p *Workspace) BaseOf(c *checkpoint.Checkpoint) changes.Base {
	return p.commitIn(c, "base", strings.ToLower(c.Field("base")), c.Changed())
}

// anchorOf returns the commit at which a checkpoint was begun, as its anchor names it; the
// zero Base where it has none.
func (p *Workspace) AnchorOf(c *checkpoint.Checkpoint) changes.Base {
	_, commit, _ := strings.Cut(c.Field("anchor"), "@")
	if len(commit) <= 6 {
		return changes.Base{}
	}
	return p.commitIn(c, "anchor", commit, c.Created())
}

// commitIn returns a commit that a key of the frontmatter of c names, with the line that does.
func (p *Workspace) commitIn(c *checkpoint.Checkpoint, key, commit string, written time.Time) changes.Base {
	if !changes.IsCommitName(commit) {
		return changes.Base{}
	}
	b := changes.Base{Commit: commit, File: p.FromRoot(c.Path), Written: written}
	for _, f := range c.Doc.Front.Fields {
		if f.Key == key {
			b.Line = strings.TrimSpace(c.Doc.Slice(f.Span))
		}
	}
	return b
}

// since is what the work of a checkpoint counts from: its base; where it names none, as
// one that was begun before the first commit or by other tools, the last commit that
// touched its file; the zero Base where none did.
func (p *Workspace) Since(ctx context.Context, c *checkpoint.Checkpoint) changes.Base {
	if base := p.BaseOf(c); base.Commit != "" {
		return base
	}
	if head, err := p.Repo.Head(); err != nil || head.Hash == "" {
		return changes.Base{}
	}
	out, err := p.Repo.Offline().Run(ctx, "log", "-1", "--format=%H", "--no-show-signature", "--", p.FromRoot(c.Path))
	if err != nil {
		return changes.Base{} // what the working tree shows is told all the same
	}
	return changes.Base{Commit: strings.TrimSpace(string(out))}
}

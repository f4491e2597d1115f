package history

import (
	"context"
	"fmt"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// LastGood returns the newest readable version of a file. The error is fault.NotFound if history
// has none.
func (p *History) LastGood(ctx context.Context, rel string) (*checkpoint.Checkpoint, revisions.Version, error) {
	none := fault.New(fault.NotFound, "history has no version of %s that can be read", p.FromRoot(rel))
	past, err := p.Versions(ctx, strings.TrimSuffix(rel, ".md"))
	if kind := fault.KindOf(err); err != nil && (kind == fault.Invalid || kind == fault.NotFound) {
		return nil, revisions.Version{}, none
	}
	if err != nil {
		return nil, revisions.Version{}, err
	}
	for _, v := range past.List {
		if c, err := past.Checkpoint(ctx, v); err == nil {
			return c, v, nil
		}
	}
	return nil, revisions.Version{}, none
}

// StandIn is a checkpoint that replaces an unreadable file.
type StandIn struct {
	*checkpoint.Checkpoint
	For  string // the name of the unreadable file, without .md; empty if nothing is replaced
	Name string // the arguments by which commands name the version; empty for a parent
	Said string // a sentence that names the file and what replaces it
}

// StandInFor returns the checkpoint that replaces an unreadable file: its last readable version, or else its parent.
func (p *History) StandInFor(ctx context.Context, broken checkpoint.Broken) (*StandIn, error) {
	stem := workspace.Stem(broken.Path)
	said := fmt.Sprintf("%s cannot be read (%v): this is ", p.FromRoot(broken.Path), broken.Err)
	c, v, err := p.LastGood(ctx, broken.Path)
	if err == nil {
		return &StandIn{Checkpoint: c, For: stem, Name: nameAt(c, v), Said: said + VersionSaid(v)}, nil
	}
	if fault.KindOf(err) != fault.NotFound {
		return nil, err
	}
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return nil, err
	}
	src, err := view.Store.Read(broken.Path)
	if err != nil {
		return nil, err
	}
	if parent, ok := view.Set.Get(checkpoint.ParentIn(src)); ok {
		said += "its parent, " + parent.ID + ", for history has no version of it that can be read."
		return &StandIn{Checkpoint: parent, For: stem, Said: said}, nil
	}
	return nil, fault.New(fault.Invalid, "%s cannot be read: %w; neither history nor a parent can replace it",
		p.FromRoot(broken.Path), broken.Err).WithHint("ckpt edit %s", stem)
}

// VersionSaid describes a version of a file in a few words, for a remark.
func VersionSaid(v revisions.Version) string {
	return "its version of " + checkpoint.FormatTime(v.Time) + " (" + v.Short() + ")."
}

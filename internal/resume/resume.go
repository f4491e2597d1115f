package resume

import (
	"context"
	"fmt"
	"strings"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// resume builds the brief of the checkpoint that name means, or, with a filter, of the latest active one that matches.
// If no checkpoint matches, or none is current and name is empty, it returns nil and no error. An unreadable file is an
// error. With recover, the brief is of its last good version in history, or of its parent, and names that one.
func (p *Resumer) resume(ctx context.Context, name string, of progress.Filter, recover bool) (*brief.Brief, error) {
	status := p.beginStatus(ctx)
	defer status.end()
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	set := view.Set
	if c := progress.Latest(set, of); c != nil {
		name = c.Path
	} else if !of.None() {
		return nil, nil
	}
	c, err := p.ToResume(ctx, view, name)
	substitute := &history.StandIn{Checkpoint: c}
	if err != nil && recover {
		substitute, err = p.substitute(ctx, view, name, err)
	}
	if err != nil || substitute.Checkpoint == nil {
		return nil, err
	}
	c = substitute.Checkpoint
	author := beginAuthor(status.ctx, view, c.Path)
	all, unread := view.Learnings()
	b := brief.Build(c, all, unread)
	b.Path, b.Warnings = p.FromRoot(c.Path), workspace.UnreadableIn(set)
	conflict, err := view.ConflictRemark(ctx)
	if err == nil && conflict != "" { // a remark that cannot be computed is left out
		b.Warnings = append(b.Warnings, conflict)
	}
	b.Warnings = append(b.Warnings, view.Remarks()...)
	_, back := set.Get(c.Parent())
	b.Moment = brief.Moment{Replaces: substitute.For, Children: workspace.ActiveChildren(set, c), Back: back}
	if substitute.Said != "" {
		b.Name, b.Facts = substitute.Name, brief.Lengths{substitute.Said}
	} else {
		facts, remark := p.factsOf(view, c, status)
		b.Facts = facts
		if remark != "" {
			b.Warnings = append(b.Warnings, remark)
		}
		b.Work = p.workOf(c, status)
	}
	if c.Status() != checkpoint.Archived {
		b.Said, b.Heard = p.said()
	}
	b.ChangedBy = author()
	if p.byDefault(name) && set.Current() != nil {
		b.Name = "@"
	}
	return b, nil
}

// byDefault reports whether a name means the current checkpoint of the folder.
func (p *Resumer) byDefault(name string) bool { return (name == "" || name == "@") && p.Pinned == "" }

// substitute returns what replaces the unreadable file that name means. If name means no such file, it returns err.
func (p *Resumer) substitute(
	ctx context.Context, view *workspace.View, name string, err error,
) (*history.StandIn, error) {
	broken, ok := view.BrokenOne(name)
	if !ok && p.byDefault(name) {
		broken, ok = p.brokenCurrent(ctx, view)
	}
	if !ok {
		return nil, err
	}
	return p.history.StandInFor(ctx, broken)
}

// ToResume returns the checkpoint that a name means. Without a name it returns the current one, or nil if none is.
func (p *Resumer) ToResume(ctx context.Context, view *workspace.View, name string) (*checkpoint.Checkpoint, error) {
	if !p.byDefault(name) {
		return view.Target(name)
	}
	if c := view.Set.Current(); c != nil {
		return c, nil
	}
	if b, ok := p.brokenCurrent(ctx, view); ok {
		return nil, view.CurrentBroken(b, "ckpt resume --recover, then ckpt edit "+workspace.Stem(b.Path))
	}
	return nil, nil
}

// brokenCurrent returns the unreadable file of the current checkpoint. Which one that is follows from the file's own
// text, or from its last readable version in history. The caller must not hold the lock.
func (p *Resumer) brokenCurrent(ctx context.Context, view *workspace.View) (checkpoint.Broken, bool) {
	if b, ok := view.BrokenOne(""); ok {
		return b, true
	}
	for _, b := range view.Set.Broken {
		if c, _, err := p.history.LastGood(ctx, b.Path); err == nil && c.Status() == checkpoint.Current {
			return b, true
		}
	}
	return checkpoint.Broken{}, false
}

// Candidates returns the remark for a user who resumes while no checkpoint is current, or none matches the filter.
func (p *Resumer) Candidates(ctx context.Context, of progress.Filter) (string, error) {
	if !of.None() {
		return "no active checkpoint " + of.String() + " (ckpt list --all)", nil
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return "", err
	}
	set := view.Set
	if active, _ := workspace.Candidates(set); len(active) > 0 {
		return fmt.Sprintf("no checkpoint is current; active: %s (ckpt use ID)", strings.Join(active, ", ")), nil
	}
	if len(set.Broken) > 0 {
		files := text.Count(len(set.Broken), "file")
		return fmt.Sprintf("no checkpoint is current; %s cannot be read (ckpt validate)", files), nil
	}
	if gone, err := view.Gone(ctx); len(gone) > 0 || err != nil {
		return "no checkpoint is active: " + strings.Join(gone, "; "), err
	}
	return "no checkpoint is active (ckpt new NAME --problem TEXT)", nil
}

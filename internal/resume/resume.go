package resume

import (
	"context"
	"fmt"
	"strings"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// resume is the brief of the checkpoint that name means, or, with a filter, of the
// latest active one that fits. Without a name and without a current checkpoint it is
// nil: there is nothing to resume, and that is no error. One that cannot be read is,
// unless the caller takes what stands in for it: its last good version in history, else
// its parent. The brief says so.
func (p *Resumer) resume(ctx context.Context, name string, of workspace.Filter, recover bool) (*brief.Brief, error) {
	status := p.beginFacts(ctx)
	defer status.End()
	others := p.others.BeginLearnings(status.Ctx)
	defer others() // it may be writing down what it found
	set, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	if !of.None() {
		c := workspace.Latest(set, of)
		if c == nil {
			return nil, nil
		}
		name = c.Path
	}
	c, err := p.ToResume(ctx, set, name)
	said := ""
	if err != nil && recover {
		broken, ok := p.BrokenOne(set, name)
		if !ok && (name == "" || name == "@") && p.Pinned == "" {
			broken, ok = p.brokenCurrent(ctx, set)
		}
		if ok {
			var stand *history.StandIn
			if stand, err = p.history.StandInFor(ctx, broken); err == nil {
				c, said = stand.Checkpoint, stand.Said
			}
		}
	}
	if c == nil || err != nil {
		return nil, err
	}
	author := p.beginAuthor(status.Ctx, c.Path)
	entries, err := p.Entries(ctx)
	if err != nil {
		return nil, err
	}
	built := brief.Build(c, learnings.Pick(entries, []string{string(c.Doc.Bytes())}, brief.MaxLearnings, others()...))
	built.Path, built.Warnings = p.FromRoot(c.Path), workspace.UnreadableIn(set)
	for _, remark := range []func() (string, error){
		func() (string, error) { return p.ConflictRemark(ctx) },
		func() (string, error) { return p.others.Astray(set, c) },
	} {
		if said, err := remark(); err == nil && said != "" { // the brief is worth more than a remark
			built.Warnings = append(built.Warnings, said)
		}
	}
	if lost, err := p.GoneRemarks(ctx); err == nil {
		built.Warnings = append(built.Warnings, lost...)
	}
	built.Moment = moment(set, c)
	if built.Moment.ReadOnly = said != ""; said != "" {
		built.Facts = brief.Lengths{said}
	} else {
		facts, remark := p.factsOf(set, c, status)
		if built.Facts = facts; remark != "" {
			built.Warnings = append(built.Warnings, remark)
		}
		built.Work = p.workOf(c, status)
	}
	built.ChangedBy = author()
	if (name == "" || name == "@") && p.Pinned == "" && set.Current() != nil {
		built.Name = "@"
	}
	return built, nil
}

// moment is what the commands at the end of the brief of c depend on.
func moment(set *checkpoint.Set, c *checkpoint.Checkpoint) brief.Moment {
	_, back := workspace.Live(set).Get(c.Parent())
	return brief.Moment{Children: workspace.ActiveChildren(set, c), Back: back}
}

func (p *Resumer) ToResume(ctx context.Context, set *checkpoint.Set, name string) (*checkpoint.Checkpoint, error) {
	if name != "" && name != "@" || p.Pinned != "" {
		c, err := p.Target(set, name)
		return c, p.others.OrOnOther(ctx, name, err)
	}
	if c := set.Current(); c != nil {
		return c, nil
	}
	if b, ok := p.brokenCurrent(ctx, set); ok {
		return nil, p.CurrentBroken(b, "ckpt resume --recover, then ckpt edit "+workspace.Stem(b.Path))
	}
	return nil, nil
}

// brokenCurrent is the unreadable file that was current: by what it says itself, else by
// its last version in history that can be read. The caller does not hold the lock.
func (p *Resumer) brokenCurrent(ctx context.Context, set *checkpoint.Set) (checkpoint.Broken, bool) {
	if b, ok := p.BrokenOne(set, ""); ok {
		return b, true
	}
	for _, b := range set.Broken {
		if c, _, err := p.history.LastGood(ctx, b.Path); err == nil && c.Status() == checkpoint.Current {
			return b, true
		}
	}
	return checkpoint.Broken{}, false
}

// Candidates is the remark for somebody who resumes where nothing is current, or
// nothing fits.
func (p *Resumer) Candidates(ctx context.Context, of workspace.Filter) (string, error) {
	if !of.None() {
		return "no active checkpoint " + of.String() + " (ckpt list --all)", nil
	}
	set, err := p.Read(ctx, store.Live)
	if err != nil {
		return "", err
	}
	if active, _ := workspace.Candidates(set); len(active) > 0 {
		return fmt.Sprintf("no checkpoint is current; active: %s (ckpt use ID)", strings.Join(active, ", ")), nil
	}
	if len(set.Broken) > 0 {
		return fmt.Sprintf("no checkpoint is current; %s cannot be read (ckpt validate)", text.Count(len(set.Broken), "file")), nil
	}
	return "no checkpoint is active (ckpt new NAME --problem TEXT)", nil
}

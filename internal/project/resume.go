package project

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"example.com/ckpt/internal/core/brief"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/learnings"
	"example.com/ckpt/internal/core/text"
	"example.com/ckpt/internal/store"
)

// resume is the brief of the checkpoint that name means, or, with a filter, of the
// latest active one that fits. Without a name and without a current checkpoint it is
// nil: there is nothing to resume, and that is no error. One that cannot be read is,
// unless the caller takes what stands in for it: its last good version in history, else
// its parent. The brief says so.
func (p *Project) resume(ctx context.Context, name string, of Filter, recover bool) (*brief.Brief, error) {
	status := p.beginFacts(ctx)
	defer status.end()
	others := p.beginLearnings(status.ctx)
	defer others() // it may be writing down what it found
	set, err := p.read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	if !of.None() {
		c := latest(set, of)
		if c == nil {
			return nil, nil
		}
		name = c.Path
	}
	c, err := p.toResume(ctx, set, name)
	said := ""
	if err != nil && recover {
		broken, ok := p.brokenOne(set, name)
		if !ok && (name == "" || name == "@") && p.Pinned == "" {
			broken, ok = p.brokenCurrent(ctx, set)
		}
		if ok {
			var stand *standIn
			if stand, err = p.standInFor(ctx, broken); err == nil {
				c, said = stand.Checkpoint, stand.said
			}
		}
	}
	if c == nil || err != nil {
		return nil, err
	}
	author := p.beginAuthor(status.ctx, c.Path)
	entries, err := p.entries(ctx)
	if err != nil {
		return nil, err
	}
	built := brief.Build(c, learnings.Pick(entries, []string{string(c.Doc.Bytes())}, brief.MaxLearnings, others()...))
	built.Path, built.Warnings = p.fromRoot(c.Path), unreadableIn(set)
	for _, remark := range []func() (string, error){
		func() (string, error) { return p.unsettled(ctx) },
		func() (string, error) { return p.astray(set, c) },
	} {
		if said, err := remark(); err == nil && said != "" { // the brief is worth more than a remark
			built.Warnings = append(built.Warnings, said)
		}
	}
	if lost, err := p.goneRemarks(ctx); err == nil {
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
	_, back := live(set).Get(c.Parent())
	return brief.Moment{Children: activeChildren(set, c), Back: back}
}

func (p *Project) toResume(ctx context.Context, set *checkpoint.Set, name string) (*checkpoint.Checkpoint, error) {
	if name != "" && name != "@" || p.Pinned != "" {
		c, err := p.target(set, name)
		return c, p.orOnOther(ctx, name, err)
	}
	if c := set.Current(); c != nil {
		return c, nil
	}
	if b, ok := p.brokenCurrent(ctx, set); ok {
		return nil, p.currentBroken(b, "ckpt resume --recover, then ckpt edit "+stem(b.Path))
	}
	return nil, nil
}

// currentBroken is the error where the current checkpoint cannot be read; the hint is
// for what is no conflict.
func (p *Project) currentBroken(b checkpoint.Broken, hint string) *fault.Error {
	if errors.Is(b.Err, checkpoint.ErrConflict) {
		hint = "ckpt resolve"
	}
	return fault.New(fault.Invalid, "the current checkpoint, %s, cannot be read: %w", p.fromRoot(b.Path), b.Err).WithHint("%s", hint)
}

// brokenOne is the unreadable file that a name means; without a name the one that
// was current.
func (p *Project) brokenOne(set *checkpoint.Set, name string) (checkpoint.Broken, bool) {
	if name == "" || name == "@" {
		name = p.Pinned
	}
	rel := ""
	if name != "" {
		rel, _ = p.named(set, name) // "" for one that is readable, or not there
	}
	for _, b := range set.Broken {
		if rel == b.Path || name == "" && p.wasCurrent(b.Path) {
			return b, true
		}
	}
	return checkpoint.Broken{}, false
}

// brokenCurrent is the unreadable file that was current: by what it says itself, else by
// its last version in history that can be read. The caller does not hold the lock.
func (p *Project) brokenCurrent(ctx context.Context, set *checkpoint.Set) (checkpoint.Broken, bool) {
	if b, ok := p.brokenOne(set, ""); ok {
		return b, true
	}
	for _, b := range set.Broken {
		if c, _, err := p.lastGood(ctx, b.Path); err == nil && c.Status() == checkpoint.Current {
			return b, true
		}
	}
	return checkpoint.Broken{}, false
}

var saysCurrent = text.Regexp(`(?m)^status:\s*["']?current\b`)

// wasCurrent says whether an unreadable file is the current checkpoint: by what
// it says itself, or said in the last commit.
func (p *Project) wasCurrent(rel string) bool {
	src, err := p.Store.Read(rel)
	if err == nil && saysCurrent.Match(src[:min(len(src), 4096)]) {
		return true
	}
	tree, err := p.Repo.Tree(p.prefix)
	if err != nil {
		return false
	}
	old, err := p.Repo.Blob(tree[rel])
	if err != nil {
		return false
	}
	c, err := checkpoint.Parse(rel, old)
	return err == nil && c.Status() == checkpoint.Current
}

// Candidates is the remark for somebody who resumes where nothing is current, or
// nothing fits.
func (p *Project) Candidates(ctx context.Context, of Filter) (string, error) {
	if !of.None() {
		return "no active checkpoint " + of.String() + " (ckpt list --all)", nil
	}
	set, err := p.read(ctx, store.Live)
	if err != nil {
		return "", err
	}
	if active, _ := candidates(set); len(active) > 0 {
		return fmt.Sprintf("no checkpoint is current; active: %s (ckpt use ID)", strings.Join(active, ", ")), nil
	}
	if len(set.Broken) > 0 {
		return fmt.Sprintf("no checkpoint is current; %s cannot be read (ckpt validate)", text.Count(len(set.Broken), "file")), nil
	}
	return "no checkpoint is active (ckpt new NAME --problem TEXT)", nil
}

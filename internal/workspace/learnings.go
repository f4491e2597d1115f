package workspace

import (
	"context"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/workspace/store"
)

// AllLearnings returns the learnings in LEARNINGS.md, newest first.
func (p *Workspace) AllLearnings(ctx context.Context) (all []learnings.Learning, err error) {
	err = p.ReadWith(ctx, func(v *View) (err error) {
		all, err = v.Learnings()
		return err
	})
	return all, err
}

// Learnings returns the learnings in LEARNINGS.md, newest first.
func (v *View) Learnings() ([]learnings.Learning, error) {
	src, err := v.Store.ReadLearnings()
	return learnings.Parse(src), err
}

// ToValidate returns the checkpoints of the view. LEARNINGS.md is among the broken files if it cannot be read.
func (v *View) ToValidate() *checkpoint.Set {
	set := *v.Set
	if _, err := v.Learnings(); err != nil {
		set.Broken = append(slices.Clone(set.Broken), checkpoint.Broken{Path: store.Learnings, Err: err})
	}
	return &set
}

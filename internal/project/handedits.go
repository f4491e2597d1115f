package project

import (
	"bytes"
	"context"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/core/validate"
)

// handEdits looks at the checkpoint files that an operation changes for edits
// that no commit has: the commit will hold them too, since a file is committed
// whole. It says so, and refuses them where they bring an error, as save does. Where
// operations are staged, what the index holds is no edit of anybody's.
func (p *Project) handEdits(ctx context.Context, o *operation, staging bool) error {
	var held []change.File // each as it is on the disk: does HEAD have it so?
	for _, f := range o.files.Under(p.prefix) {
		held = append(held, change.File{Path: f.Path, After: f.Before})
	}
	edited, err := p.Repo.Lacks(ctx, held)
	if o.clean = err == nil && len(edited) == 0; o.clean || err != nil {
		return err // nearly always, and one look is enough
	}
	lacks := map[string]bool{}
	for _, f := range edited {
		lacks[f.Path] = true
	}
	for i, f := range o.files.Files {
		if f.Before == nil || !isCheckpointPath(f.Path) || !lacks[held[i].Path] {
			continue
		}
		if staging {
			if staged, err := p.Repo.FileAt(ctx, "", held[i].Path); err == nil && bytes.Equal(staged, f.Before) {
				continue
			}
		}
		if err := p.soundEdit(ctx, f); err != nil {
			return err
		}
		o.remarks = append(o.remarks, "the commit also holds your own edits of "+held[i].Path)
	}
	return nil
}

// soundEdit refuses a hand edit that brings an error which the last commit of the
// file did not have.
func (p *Project) soundEdit(ctx context.Context, f change.File) error {
	src, err := p.Repo.FileAt(ctx, "HEAD", p.fromRoot(f.Path))
	if fault.KindOf(err) == fault.NotFound && err != nil {
		return nil // no commit has it yet: there is nothing to compare with
	}
	if err != nil {
		return err
	}
	before, err := checkpoint.Parse(f.Path, src)
	if err != nil {
		return nil // it could not be read before: whatever it is now, it is better
	}
	after, err := checkpoint.Parse(f.Path, f.Before)
	if err != nil {
		return err
	}
	now := p.Now()
	fresh, _ := newErrors(report.Report{Findings: validate.Checkpoint(before, now)}, report.Report{Findings: validate.Checkpoint(after, now)})
	if len(fresh) > 0 {
		return p.refusal(fresh, []change.File{f})
	}
	return nil
}

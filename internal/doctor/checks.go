package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/setup"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/validate"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// byDoctor is the command that fixes the problems which need no decision of the user.
const byDoctor = "ckpt doctor --fix"

// checkFiles reports temporary files that were left behind.
func (p *Checker) checkFiles(ctx context.Context, d *result.Diagnosis) error {
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive) // with this lock, no other command has temporary files
	if err != nil {
		return err
	}
	defer unlock()
	inFolder, err := p.Disk.Leftovers()
	if err != nil {
		return err
	}
	left, err := p.Repo.Leftovers()
	for _, rel := range inFolder {
		left = append(left, p.FromRoot(rel))
	}
	for _, path := range left {
		d.AddProblem("leftover", path+" was left by a command that died", byDoctor)
	}
	return err
}

func (p *Checker) fixFiles(ctx context.Context) error {
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	return errors.Join(p.Disk.Sweep(), p.Repo.Sweep())
}

// checkIndexLock reports a lock of the index that is at least an hour old: a newer one may be of a git that runs.
func (p *Checker) checkIndexLock(_ context.Context, d *result.Diagnosis) error {
	index := p.Repo.Index()
	age := p.Now().Sub(disk.Changed(index.File() + ".lock"))
	if locked := index.DescribeLock(); locked != "" && age >= time.Hour {
		d.AddProblem("index-lock", locked+" ("+text.Ago(age)+"); until it is gone, ckpt does not see edits by hand",
			"remove the file if no git is running")
	}
	return nil
}

// checkCurrent reports checkpoints that were deleted by hand, and a problem if more than one is marked as current.
func (p *Checker) checkCurrent(ctx context.Context, d *result.Diagnosis) error {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return err
	}
	gone, err := view.Gone(ctx)
	for _, remark := range gone {
		d.AddProblem("deleted", remark, "ckpt save, if it is meant")
	}
	found := view.Set.MarkedCurrent()
	if len(found) < 2 || err != nil {
		return err
	}
	counts := view.Set.Current().ID
	d.AddProblem("two-currents", "more than one checkpoint is marked current: "+
		strings.Join(workspace.IDs(found), ", ")+"; "+counts+" counts here", "ckpt use "+counts)
	return nil
}

// useCurrent keeps the mark only on the checkpoint that counts as current.
func (p *Checker) useCurrent(ctx context.Context) error {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return err
	}
	_, err = p.edit.Use(ctx, view.Set.Current().ID)
	return err
}

// checkFormat reports how many errors validate finds that no other check reports.
func (p *Checker) checkFormat(ctx context.Context, d *result.Diagnosis) error {
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return err
	}
	findings := validate.Set(view.Set, p.Now()).Findings
	findings = slices.DeleteFunc(findings, func(f result.Finding) bool {
		return f.Severity != result.Error || f.Code == validate.Unreadable || f.Code == validate.TwoCurrents
	})
	if n := len(findings); n > 0 {
		d.AddProblem("invalid", text.Count(n, "error")+" in the checkpoints", "ckpt validate")
	}
	return nil
}

// checkConflicts reports files with merge conflicts.
func (p *Checker) checkConflicts(ctx context.Context, d *result.Diagnosis) error {
	var paths []string
	err := p.ReadWith(ctx, func(v *workspace.View) (err error) {
		paths, err = v.Conflicts(ctx)
		return err
	})
	for _, path := range paths {
		d.AddProblem("conflict", path+" is in conflict: git could not merge it", "ckpt resolve")
	}
	return err
}

// checkUnreadable reports files that cannot be read.
func (p *Checker) checkUnreadable(ctx context.Context, d *result.Diagnosis) error {
	_, err := p.unreadable(ctx, d)
	return err
}

// checkLearnings reports a LEARNINGS.md that cannot be read.
func (p *Checker) checkLearnings(_ context.Context, d *result.Diagnosis) error {
	if _, err := p.Disk.ReadLearnings(); err != nil {
		fix := cmp.Or(fault.HintOf(err), "move it away, then git checkout HEAD -- "+p.FromRoot(store.Learnings))
		d.AddProblem("unreadable", "learnings are missing: "+err.Error(), fix)
	}
	return nil
}

// unreadable reports files that cannot be read. It also returns for each file the version in history that can replace
// it, or nil. A file with conflict markers is not replaced: a person has to choose from the text of both sides.
func (p *Checker) unreadable(ctx context.Context, d *result.Diagnosis) ([]*replacement, error) {
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return nil, err
	}
	var found []*replacement
	for _, b := range view.Set.Broken {
		fix := "ckpt edit " + b.Path
		if errors.Is(b.Err, checkpoint.ErrConflict) {
			fix = "ckpt resolve"
		}
		r, err := p.replacementFor(ctx, b)
		if err != nil {
			return nil, err
		}
		if r != nil {
			fix += ", or ckpt doctor --fix: " + r.version + " The text as it is goes to " + p.FromRoot(r.aside)
		}
		d.AddProblem("unreadable", p.FromRoot(b.Path)+" cannot be read: "+b.Err.Error(), fix)
		found = append(found, r)
	}
	return found, nil
}

// replacement is the last readable version of a file that cannot be read now.
type replacement struct {
	*checkpoint.Checkpoint
	path    string
	version string // a sentence that names the version
	aside   string // the file that gets the unreadable text
}

func (p *Checker) replacementFor(ctx context.Context, b checkpoint.Broken) (*replacement, error) {
	if errors.Is(b.Err, checkpoint.ErrConflict) || p.Repo.InProgress() != "" {
		return nil, nil
	}
	good, v, err := p.history.LastGood(ctx, b.Path)
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &replacement{Checkpoint: good, path: b.Path, version: history.VersionSaid(v), aside: p.aside(b.Path)}, nil
}

// restoreUnreadable replaces the files by their last versions that can be read, and keeps the
// unreadable texts beside them.
func (p *Checker) restoreUnreadable(ctx context.Context, found []result.Problem) error {
	d := &result.Diagnosis{}
	replacements, err := p.unreadable(ctx, d)
	if err != nil {
		return err
	}
	copy(found, d.Problems)
	for i, r := range replacements[:min(len(found), len(replacements))] {
		if r == nil {
			continue
		}
		if err := p.replace(ctx, r); err != nil {
			return err
		}
		found[i].Fixed = true
		found[i].What += "; it is as in " + r.version + " The broken text is in " + p.FromRoot(r.aside)
	}
	return nil
}

func (p *Checker) replace(ctx context.Context, r *replacement) error {
	broken, err := p.Disk.OnDisk(r.path)
	if err != nil {
		return fault.New(fault.KindOf(err), "%w", err).WithHint("move it away, then ckpt doctor --fix")
	}
	if err := disk.WriteFile(p.Disk.File(r.aside), broken, true); err != nil {
		return err
	}
	_, err = p.Change(ctx, store.Live, func(v *workspace.View, _ time.Time) (*workspace.Tx, error) {
		o := &workspace.Tx{Op: workspace.OpDoctor, ID: r.ID, Path: r.path, Mode: workspace.Restore,
			Summary: "back to its last version that can be read"}
		o.Put(r.path, broken, v.AsShown(r.path, r.Doc.Bytes()))
		return o, nil
	})
	return err
}

// aside returns the path for a copy of a broken file: beside it, under an unused name.
func (p *Checker) aside(rel string) string {
	name := rel + ".broken"
	for n := 2; p.Disk.Has(name); n++ {
		name = fmt.Sprintf("%s.broken-%d", rel, n)
	}
	return name
}

// checkHookErrors reports the errors of agents' hooks, which a hook itself does not show.
func (p *Checker) checkHookErrors(_ context.Context, d *result.Diagnosis) error {
	for _, line := range p.hooks.Errors().Lines() {
		d.AddProblem("hook-error", line, byDoctor+" forgets it")
	}
	return nil
}

func (p *Checker) forgetHookErrors(context.Context) error { return disk.Remove(p.hooks.Errors().File) }

// checkAgents reports which agents call ckpt here, and what keeps an agent from calling it.
func (p *Checker) checkAgents(_ context.Context, d *result.Diagnosis) error {
	setup.In(p.Workspace).Diagnose(d)
	return nil
}

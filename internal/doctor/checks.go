package doctor

import (
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
	"example.com/ckpt/internal/git/snapshot"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/index"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/validate"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/dropped"
	"example.com/ckpt/internal/workspace/store"
)

// checkFiles reports temporary files that were left behind, and wrong file modes.
func (p *Checker) checkFiles(ctx context.Context, d *result.Diagnosis, fix bool) error {
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	h, err := p.Disk.Examine()
	if err != nil {
		return err
	}
	if fix {
		if err := p.Disk.Mend(h); err != nil {
			return err
		}
	}
	add := func(code, what string, paths []string) {
		for _, rel := range paths {
			d.Problems = append(d.Problems,
				result.Problem{Code: code, What: p.FromRoot(rel) + " " + what, Fix: "ckpt doctor --fix", Fixed: fix})
		}
	}
	add("leftover", "was left by a command that died", h.Leftovers)
	left, err := p.Repo.Leftovers()
	if err != nil {
		return err
	}
	if fix && len(left) > 0 {
		if err := p.Repo.Sweep(); err != nil {
			return err
		}
	}
	for _, path := range left {
		d.Problems = append(d.Problems,
			result.Problem{Code: "leftover", What: path + " was left by a command that died", Fix: "ckpt doctor --fix",
				Fixed: fix})
	}
	add("mode", "is executable", h.Executable)
	return nil
}

// checkCurrent reports if more than one checkpoint is marked as current. With fix only the one that
// counts stays marked.
func (p *Checker) checkCurrent(ctx context.Context, d *result.Diagnosis, fix bool) error {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return err
	}
	set := view.Set
	found := set.MarkedCurrent()
	if len(found) < 2 {
		return nil
	}
	counts := set.Current()
	if fix {
		if _, err := p.edit.Use(ctx, counts.ID); err != nil {
			return err
		}
	}
	d.Problems = append(d.Problems, result.Problem{
		Code: "two-currents", What: "more than one checkpoint is marked current: " +
			strings.Join(workspace.IDs(found), ", ") + "; " + counts.ID + " counts here", Fix: "ckpt use " + counts.ID,
		Fixed: fix,
	})
	return nil
}

// checkIndexes reports INDEX.md files that are out of date.
func (p *Checker) checkIndexes(ctx context.Context, d *result.Diagnosis, fix bool) error {
	var out []string
	examine := func(view *workspace.View, now time.Time) (*workspace.Tx, error) {
		set := view.Set
		o := &workspace.Tx{Op: "doctor", Summary: "bring INDEX.md in step", Mode: workspace.Exact}
		out = nil
		for _, file := range []string{store.ActiveIndex, store.ArchiveIndex} {
			src, err := view.Store.Read(file)
			if err != nil {
				return nil, err
			}
			if src == nil {
				continue
			}
			archived := file == store.ArchiveIndex
			for _, point := range index.Check(src, set, archived) {
				out = append(out, p.FromRoot(file)+": "+point)
			}
			o.Put(file, src, index.Sync(src, set, archived))
		}
		return o, nil
	}
	if fix {
		if _, err := p.Change(ctx, store.All, examine); err != nil {
			return err
		}
	} else {
		view, err := p.Read(ctx, store.All)
		if err != nil {
			return err
		}
		if _, err := examine(view, p.Now()); err != nil {
			return err
		}
	}
	for _, what := range out {
		d.Problems = append(d.Problems, result.Problem{Code: "index", What: what, Fix: "ckpt doctor --fix", Fixed: fix})
	}
	return nil
}

// checkFormat reports the number of errors of validate that no other check has reported.
func (p *Checker) checkFormat(ctx context.Context, d *result.Diagnosis, _ bool) error {
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return err
	}
	set := view.Set
	findings := validate.Set(set, p.Now()).Findings
	findings = slices.DeleteFunc(findings, func(f result.Finding) bool {
		return f.Severity != result.Error || f.Code == validate.Unreadable || f.Code == validate.TwoCurrents
	})
	if n := len(findings); n > 0 {
		d.Problems = append(d.Problems,
			result.Problem{Code: "invalid", What: text.Count(n, "error") + " in the checkpoints", Fix: "ckpt validate"})
	}
	return nil
}

// checkUncommitted reports files with uncommitted changes. With fix it commits them, except those
// that `ckpt save` would refuse.
func (p *Checker) checkUncommitted(ctx context.Context, d *result.Diagnosis, fix bool) error {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return err
	}
	edits, err := view.Edits(ctx, store.All)
	if err != nil || len(edits) == 0 {
		return err
	}
	cfg, err := view.Policy(ctx)
	if err != nil || cfg.Commit != policy.Own {
		return err // the policy wants uncommitted files
	}
	for _, f := range edits {
		if f.After == nil { // the user has to decide whether a file was deleted by mistake
			path := p.FromRoot(f.Path)
			d.Problems = append(d.Problems,
				result.Problem{Code: "deleted", What: path + " is deleted, and no commit says so",
					Fix: "git restore " + path + ", or ckpt save"})
			fix = false
		}
	}
	how := "ckpt save"
	if fix {
		if _, err := p.edit.Save(ctx, ""); err != nil {
			fix, how = false, err.Error()
		}
	}
	for _, f := range edits {
		if f.After != nil {
			d.Problems = append(d.Problems,
				result.Problem{Code: "uncommitted", What: p.FromRoot(f.Path) + " has changes that no commit has", Fix: how,
					Fixed: fix})
		}
	}
	return nil
}

// checkDropped reports operations whose commits are no longer on the branch.
func (p *Checker) checkDropped(ctx context.Context, d *result.Diagnosis, _ bool) error {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return err
	}
	all, err := dropped.Finder{Folder: view.Folder}.Find(ctx, []dropped.Reader{view.Store.Read})
	for _, lost := range all {
		what, fix := dropped.Describe(lost)
		d.Problems = append(d.Problems, result.Problem{Code: "dropped", What: what, Fix: fix})
	}
	return err
}

// checkKeepFiles reports missing files of [store.KeepFiles]. With fix it adds them.
func (p *Checker) checkKeepFiles(ctx context.Context, d *result.Diagnosis, fix bool) error {
	if !p.Disk.Exists() {
		return nil
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return err
	}
	missing, err := view.MissingKeepFiles()
	if len(missing) == 0 || err != nil {
		return err
	}
	if fix {
		_, err = p.Change(ctx, store.Live, func(view *workspace.View, _ time.Time) (*workspace.Tx, error) {
			o := &workspace.Tx{Op: "doctor", Summary: "add .gitkeep files"}
			missing, err := view.MissingKeepFiles()
			for _, rel := range missing {
				o.Put(rel, nil, []byte{})
			}
			return o, err
		})
		if err != nil {
			return err
		}
	}
	for _, rel := range missing {
		d.Problems = append(d.Problems, result.Problem{Code: "gitkeep", Fix: "ckpt doctor --fix", Fixed: fix,
			What: p.FromRoot(rel) + " is missing: without it git may take the folder for renamed, and " +
				"lose a checkpoint in a merge"})
	}
	return nil
}

// checkConflicts reports files with merge conflicts.
func (p *Checker) checkConflicts(ctx context.Context, d *result.Diagnosis, _ bool) error {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return err
	}
	paths, err := view.Conflicts(ctx)
	for _, path := range paths {
		d.Problems = append(d.Problems,
			result.Problem{Code: "conflict", What: path + " is in conflict: git could not merge it", Fix: "ckpt resolve"})
	}
	return err
}

// checkUnreadable reports files that cannot be read. If history has a readable version, fix
// restores it and keeps the broken text beside it. In a file with conflict markers the text of both
// sides is still wanted, and a person has to choose.
func (p *Checker) checkUnreadable(ctx context.Context, d *result.Diagnosis, fix bool) error {
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return err
	}
	set := view.Set
	for _, b := range set.Broken {
		a := result.Problem{Code: "unreadable", What: p.FromRoot(b.Path) + " cannot be read: " + b.Err.Error(),
			Fix: "ckpt edit " + b.Path}
		if errors.Is(b.Err, checkpoint.ErrConflict) {
			a.Fix = "ckpt resolve"
		}
		if err := p.restoreUnreadable(ctx, b, &a, fix); err != nil {
			return err
		}
		d.Problems = append(d.Problems, a)
	}
	return nil
}

func (p *Checker) restoreUnreadable(ctx context.Context, b checkpoint.Broken, a *result.Problem, fix bool) error {
	if errors.Is(b.Err, checkpoint.ErrConflict) || p.Repo.InProgress() != "" {
		return nil
	}
	good, v, err := p.history.LastGood(ctx, b.Path)
	if fault.KindOf(err) == fault.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	aside := p.aside(b.Path)
	a.Fix += ", or ckpt doctor --fix: " + history.VersionSaid(v) + " The text as it is goes to " + p.FromRoot(aside)
	if !fix {
		return nil
	}
	broken, err := p.Disk.OnDisk(b.Path)
	if err != nil {
		return err
	}
	if err := disk.WriteFile(p.Disk.File(aside), broken, true); err != nil {
		return err
	}
	_, err = p.Change(ctx, store.Live, func(*workspace.View, time.Time) (*workspace.Tx, error) {
		o := &workspace.Tx{Op: "doctor", ID: good.ID, Summary: "back to its last version that can be read", Path: b.Path,
			Mode: workspace.Revert}
		o.Put(b.Path, broken, good.Doc.Bytes())
		return o, nil
	})
	if err != nil {
		return err
	}
	a.Fixed = true
	a.What += "; it is as in " + history.VersionSaid(v) + " The broken text is in " + p.FromRoot(aside)
	return nil
}

// aside returns the path for a copy of a broken file: beside it, under an unused name.
func (p *Checker) aside(rel string) string {
	name := rel + ".broken"
	for n := 2; p.Disk.Has(name); n++ {
		name = fmt.Sprintf("%s.broken-%d", rel, n)
	}
	return name
}

// checkHookErrors reports the errors of agents' hooks, which a hook itself does not show. With fix
// it clears the list.
func (p *Checker) checkHookErrors(_ context.Context, d *result.Diagnosis, fix bool) error {
	for _, line := range p.hooks.Errors().Lines() {
		d.Problems = append(d.Problems,
			result.Problem{Code: "hook-error", What: line, Fix: "ckpt doctor --fix forgets it", Fixed: fix})
	}
	if !fix {
		return nil
	}
	return disk.Remove(p.hooks.Errors().File)
}

// checkAgents reports which agents call ckpt here, and what keeps an agent from calling it.
func (p *Checker) checkAgents(_ context.Context, d *result.Diagnosis, _ bool) error {
	setup.Diagnose(p.Workspace, d)
	return nil
}

// snapshotsNamed is the maximal number of snapshots that doctor names one by one.
const snapshotsNamed = 10

// checkSnapshots lists the snapshots of mark and rewind, which nobody but their user knows
// to be of no use any more, and finds files that are only partly restored.
func (p *Checker) checkSnapshots(ctx context.Context, d *result.Diagnosis, _ bool) error {
	if to, saved := snapshot.Of(p.Repo).Interrupted(); to != "" {
		d.Problems = append(d.Problems, result.Problem{
			Code: "half-rewound", What: "a command was killed while it restored the files of " + to + "; they were as in " +
				saved,
			Fix: "ckpt rewind --snapshot " + to + " goes on, --snapshot " + saved + " goes back",
		})
	}
	all, err := snapshot.Of(p.Repo).List(ctx)
	if err != nil {
		return err
	}
	for i, s := range all {
		if i == snapshotsNamed {
			d.Facts = append(d.Facts,
				result.Fact{Name: "snapshots", Value: fmt.Sprintf("%d more: git for-each-ref refs/ckpt/snapshots", len(all)-i)})
			break
		}
		d.Facts = append(d.Facts,
			result.Fact{Name: "snapshot",
				Value: fmt.Sprintf("of %s, %s (%s)", s.At.Format("2006-01-02"), s.About, s.DropCommand())})
	}
	return nil
}

package doctor

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/setup"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/index"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/validate"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/dropped"
	"example.com/ckpt/internal/workspace/store"
)

// Doctor says how ckpt works in this repository and what ails it; with fix it
// mends what can be mended without a decision of the user's.
func (p *Checker) Check(ctx context.Context, fix bool) (*result.Diagnosis, error) {
	d := &result.Diagnosis{}
	strange, err := p.strangeJournal(ctx, fix && !p.DryRun)
	if err != nil {
		return nil, err
	}
	if strange != nil {
		if d.Ailments = append(d.Ailments, *strange); !strange.Mended {
			return d, nil // before that nothing can be read
		}
	}
	interrupted, err := disk.Interrupted(p.Repo.JournalDir())
	if err != nil {
		return nil, err
	}
	if interrupted {
		if err := p.RecoverInterrupted(ctx); err != nil {
			return nil, err
		}
		d.Ailments = append(d.Ailments, result.Ailment{Code: "interrupted", What: "a command was killed half way: brought to the state before or after it", Mended: true})
	}
	if err := p.facts(ctx, d); err != nil {
		return nil, err
	}
	for _, examine := range []func(context.Context, *result.Diagnosis, bool) error{p.Pending, p.Orphans, p.dropped, p.history.LostOperations, p.resolve.LostCheckpoints, p.Unmerged, p.files, p.KeepFiles, p.unreadable, p.currents, p.indexes, p.uncommitted, p.format, p.hookFailures, p.soleBranches, p.agents, p.snapshots, p.outputs} {
		if err := examine(ctx, d, fix && !p.DryRun); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// strangeJournal finds a journal that this ckpt cannot read; with fix it is put aside,
// and kept: it may be another ckpt's.
func (p *Checker) strangeJournal(ctx context.Context, fix bool) (*result.Ailment, error) {
	_, err := disk.Pending(p.Repo.JournalDir(), p.Repo.Root())
	if !errors.Is(err, disk.ErrStrange) {
		return nil, err
	}
	found := &result.Ailment{Code: "journal", What: err.Error(), Fix: "ckpt doctor --fix"}
	if !fix {
		return found, nil
	}
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return nil, err
	}
	defer unlock()
	to, err := disk.PutAside(p.Repo.JournalDir())
	if to == "" || err != nil { // a live ckpt was writing it
		return nil, err
	}
	found.What += "; put aside as " + filepath.Base(to)
	found.Mended = true
	return found, nil
}

// facts tells who commits here, and how.
func (p *Checker) facts(ctx context.Context, d *result.Diagnosis) error {
	fact := func(name, value string) { d.Facts = append(d.Facts, result.Fact{Name: name, Value: value}) }
	fact("folder", p.Prefix+"/")
	engine, why, err := p.Repo.Committer().Backend(ctx)
	if err != nil {
		return err
	}
	if why != "" {
		engine += ": " + why
	}
	fact("commits made by", engine)
	version, err := p.Repo.Version(ctx)
	if err != nil {
		return err
	}
	fact("git", version)
	policy, err := p.Policy(ctx)
	if err != nil {
		return err
	}
	fact("commit", string(policy.Commit))
	for _, key := range policy.Unknown {
		fact("config.yaml", "this version does not know the key "+key)
	}
	if unknown := workspace.UnknownRules(policy.Secrets.AllowRules); unknown != "" {
		fact("config.yaml", "secrets: allow_rules: no rule is called "+unknown)
	}
	hooks, err := p.Repo.Hooks().Names(ctx)
	if err != nil {
		return err
	}
	if len(hooks) > 0 {
		fact("hooks found", strings.Join(hooks, ", "))
	}
	if setup.MergesByDriver(ctx, p.Workspace) {
		fact("merges", "section by section")
	} else {
		fact("merges", "line by line (ckpt setup git: section by section)")
	}
	fact("sessions", p.Recorder.State(ctx))
	if state := p.Repo.InProgress(); state != "" {
		fact("in progress", state)
	}
	if words, err := p.SparseRemark(ctx, store.All); err != nil {
		return err
	} else if words != "" {
		fact("left out", words)
	}
	set, err := p.Read(ctx, store.All)
	if err != nil {
		return err
	}
	fact("checkpoints", text.Count(len(set.Active()), "active one")+", "+text.Count(len(set.Archived()), "archived one"))
	return nil
}

// files looks at the folder as files: leftovers and modes.
func (p *Checker) files(ctx context.Context, d *result.Diagnosis, fix bool) error {
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	h, err := p.Store.Examine()
	if err != nil {
		return err
	}
	if fix {
		if err := p.Store.Mend(h); err != nil {
			return err
		}
	}
	add := func(code, what string, paths []string) {
		for _, rel := range paths {
			d.Ailments = append(d.Ailments, result.Ailment{Code: code, What: p.FromRoot(rel) + " " + what, Fix: "ckpt doctor --fix", Mended: fix})
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
		d.Ailments = append(d.Ailments, result.Ailment{Code: "leftover", What: path + " was left by a command that died", Fix: "ckpt doctor --fix", Mended: fix})
	}
	add("mode", "is executable", h.Executable)
	return nil
}

// currents finds more than one checkpoint that is marked as current; the one that counts
// stays.
func (p *Checker) currents(ctx context.Context, d *result.Diagnosis, fix bool) error {
	set, err := p.Read(ctx, store.Live)
	if err != nil {
		return err
	}
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
	d.Ailments = append(d.Ailments, result.Ailment{
		Code: "two-currents", What: "more than one checkpoint is marked current: " + strings.Join(workspace.IDs(found), ", ") + "; " + counts.ID + " counts here", Fix: "ckpt use " + counts.ID, Mended: fix,
	})
	return nil
}

// indexes finds INDEX.md files that are out of step.
func (p *Checker) indexes(ctx context.Context, d *result.Diagnosis, fix bool) error {
	var out []string
	examine := func(set *checkpoint.Set, now time.Time) (*workspace.Tx, error) {
		o := &workspace.Tx{Op: "doctor", Summary: "bring INDEX.md in step", Mode: workspace.Exact}
		out = nil
		for _, file := range []string{store.ActiveIndex, store.ArchiveIndex} {
			src, err := p.Store.Read(file)
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
		set, err := p.Read(ctx, store.All)
		if err != nil {
			return err
		}
		if _, err := examine(set, p.Now()); err != nil {
			return err
		}
	}
	for _, what := range out {
		d.Ailments = append(d.Ailments, result.Ailment{Code: "index", What: what, Fix: "ckpt doctor --fix", Mended: fix})
	}
	return nil
}

// format counts the errors that validate finds and nothing above has named.
func (p *Checker) format(ctx context.Context, d *result.Diagnosis, _ bool) error {
	set, err := p.Read(ctx, store.All)
	if err != nil {
		return err
	}
	findings := validate.Set(set, p.Now()).Findings
	findings = slices.DeleteFunc(findings, func(f result.Finding) bool {
		return f.Severity != result.Error || f.Code == validate.Unreadable || f.Code == validate.TwoCurrents
	})
	if n := len(findings); n > 0 {
		d.Ailments = append(d.Ailments, result.Ailment{Code: "invalid", What: text.Count(n, "error") + " in the checkpoints", Fix: "ckpt validate"})
	}
	return nil
}

// uncommitted finds files that no commit has; what save would refuse stays.
func (p *Checker) uncommitted(ctx context.Context, d *result.Diagnosis, fix bool) error {
	edits, err := p.Edits(ctx, store.All)
	if err != nil || len(edits) == 0 {
		return err
	}
	cfg, err := p.Policy(ctx)
	if err != nil || cfg.Commit != policy.Own {
		return err // as the policy wants it
	}
	for _, f := range edits {
		if f.After == nil { // by mistake or not: that is for the user to say
			path := p.FromRoot(f.Path)
			d.Ailments = append(d.Ailments, result.Ailment{Code: "deleted", What: path + " is deleted, and no commit says so", Fix: "git restore " + path + ", or ckpt save"})
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
			d.Ailments = append(d.Ailments, result.Ailment{Code: "uncommitted", What: p.FromRoot(f.Path) + " has changes that no commit has", Fix: how, Mended: fix})
		}
	}
	return nil
}

// dropped finds operations that git has taken off the branch.
func (p *Checker) dropped(ctx context.Context, d *result.Diagnosis, _ bool) error {
	all, err := p.Dropped.Find(ctx, []dropped.Reader{p.Store.Read})
	for _, lost := range all {
		what, fix := dropped.Describe(lost)
		d.Ailments = append(d.Ailments, result.Ailment{Code: "dropped", What: what, Fix: fix})
	}
	return err
}

// Package doctor examines a repository: how ckpt works there, and what is wrong. It runs a list of
// checks. Each finds one kind of problem and can fix it if that needs no decision of the user. A
// problem whose fix could lose text is only reported.
package doctor

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/agents/hooks"
	"example.com/ckpt/internal/agents/setup"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/others"
	"example.com/ckpt/internal/resolve"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Checker examines a repository.
type Checker struct {
	*workspace.Workspace
	edit    *edit.Editor
	history *history.History
	hooks   *hooks.Handler
	others  *others.Finder
	resolve *resolve.Resolver
}

// New returns a checker of the repository of w.
func New(w *workspace.Workspace) *Checker {
	return &Checker{
		Workspace: w, edit: edit.New(w), history: history.New(w), hooks: hooks.New(w), others: others.New(w),
		resolve: resolve.New(w),
	}
}

// Check describes how ckpt works in this repository and reports its problems. With fix it fixes
// those that need no decision of the user.
func (p *Checker) Check(ctx context.Context, fix bool) (*result.Diagnosis, error) {
	d := &result.Diagnosis{}
	strange, err := p.checkJournal(ctx, fix && !p.DryRun)
	if err != nil {
		return nil, err
	}
	if strange != nil {
		d.Problems = append(d.Problems, *strange)
		if !strange.Fixed {
			return d, nil // without a readable journal nothing else can be checked
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
		d.Problems = append(d.Problems,
			result.Problem{Code: "interrupted", What: "a command was killed half way: brought to the state before or after it",
				Fixed: true})
	}
	if err := p.facts(ctx, d); err != nil {
		return nil, err
	}
	for _, check := range p.checks() {
		if err := check.run(ctx, d, fix && !p.DryRun); err != nil {
			return nil, fault.New(fault.KindOf(err), "check %s: %w", check.name, err).WithHint("%s", fault.HintOf(err))
		}
	}
	return d, nil
}

// check examines one part of the repository. It adds problems and facts to a diagnosis and,
// with fix, fixes what needs no decision of the user.
type check struct {
	name string
	run  func(ctx context.Context, d *result.Diagnosis, fix bool) error
}

// checks returns all checks in the order in which they run: pending operations are committed before
// files are compared with the last commit.
func (p *Checker) checks() []check {
	return []check{
		{"pending operations", p.Workspace.Pending().Examine},
		{"pending operations of worktrees that are gone", p.Workspace.Pending().ExamineOrphans},
		{"operations that git took off the branch", p.checkDropped},
		{"operations that git took from the index", p.history.LostOperations},
		{"checkpoints that a merge lost", p.resolve.LostCheckpoints},
		{"conflicts", p.checkConflicts},
		{"files of the folder", p.checkFiles},
		{"keep files", p.checkKeepFiles},
		{"unreadable checkpoints", p.checkUnreadable},
		{"the current checkpoint", p.checkCurrent},
		{"indexes", p.checkIndexes},
		{"uncommitted files", p.checkUncommitted},
		{"the format", p.checkFormat},
		{"errors of hooks", p.checkHookErrors},
		{"other branches", p.checkBranches},
		{"agents", p.checkAgents},
		{"snapshots", p.checkSnapshots},
		{"outputs of plans", p.checkOutputs},
	}
}

// checkJournal reports a journal that this ckpt cannot read. With fix it renames the journal and
// keeps it, since another version of ckpt may have written it.
func (p *Checker) checkJournal(ctx context.Context, fix bool) (*result.Problem, error) {
	_, err := disk.Pending(p.Repo.JournalDir(), p.Repo.Root())
	if !errors.Is(err, disk.ErrStrange) {
		return nil, err
	}
	found := &result.Problem{Code: "journal", What: err.Error(), Fix: "ckpt doctor --fix"}
	if !fix {
		return found, nil
	}
	unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
	if err != nil {
		return nil, err
	}
	defer unlock()
	to, err := disk.PutAside(p.Repo.JournalDir())
	if to == "" || err != nil { // a running ckpt was writing it
		return nil, err
	}
	found.What += "; put aside as " + filepath.Base(to)
	found.Fixed = true
	return found, nil
}

// facts describes the user's identity and settings for commits.
func (p *Checker) facts(ctx context.Context, d *result.Diagnosis) error {
	fact := func(name, value string) { d.Facts = append(d.Facts, result.Fact{Name: name, Value: value}) }
	fact("folder", p.Prefix+"/")
	engine, why, err := commit.Of(p.Repo).Backend(ctx)
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
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return err
	}
	if words, err := view.SparseRemark(ctx, store.All); err != nil {
		return err
	} else if words != "" {
		fact("left out", words)
	}
	set := view.Set
	fact("checkpoints", text.Count(len(set.Active()), "active one")+", "+text.Count(len(set.Archived()), "archived one"))
	return nil
}

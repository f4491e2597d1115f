// Package doctor examines a repository: how ckpt works there, and what is wrong. It runs a list of
// checks. Each finds one kind of problem and can fix it if that needs no decision of the user. A
// problem whose fix could lose text is only reported.
package doctor

import (
	"cmp"
	"context"
	"strings"

	"example.com/ckpt/internal/agents/hooks"
	"example.com/ckpt/internal/agents/setup"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/store"
)

// Checker examines a repository.
type Checker struct {
	*workspace.Workspace
	edit    *edit.Editor
	history *history.History
	hooks   *hooks.Handler
}

// New returns a checker of the repository of w.
func New(w *workspace.Workspace) *Checker {
	return &Checker{Workspace: w, edit: edit.New(w), history: history.New(w), hooks: hooks.New(w)}
}

// Check finds one kind of problem, and can fix it where that needs no decision of the user.
type Check struct {
	Name string // what is checked, for the message if Run or Fix fails

	// Run adds problems and facts to a diagnosis. It changes nothing.
	Run func(ctx context.Context, d *result.Diagnosis) error

	// Fix fixes the problems that Run found, and marks those that it fixed. It is nil if only the user can fix them.
	Fix func(ctx context.Context, found []result.Problem) error
}

// checks returns all checks in the order in which they run.
func (p *Checker) checks() []Check {
	byBranch := []Check{
		{Name: "conflicts", Run: p.checkConflicts},
	}
	if !p.Publishes() { // in ref mode git does not track the files
		byBranch = []Check{
			{Name: "files that git shall ignore", Run: p.checkExcluded, Fix: all(p.exclude)},
			{Name: "operations that no remote has", Run: p.checkUnpushed},
		}
	}
	return append(byBranch, []Check{
		{Name: "files of the folder", Run: p.checkFiles, Fix: all(p.fixFiles)},
		{Name: "the lock of the index", Run: p.checkIndexLock},
		{Name: "unreadable checkpoints", Run: p.checkUnreadable, Fix: p.restoreUnreadable},
		{Name: "learnings", Run: p.checkLearnings},
		{Name: "the current checkpoint", Run: p.checkCurrent, Fix: all(p.useCurrent)},
		{Name: "the format", Run: p.checkFormat},
		{Name: "errors of hooks", Run: p.checkHookErrors, Fix: all(p.forgetHookErrors)},
		{Name: "agents", Run: p.checkAgents},
	}...)
}

// all returns a [Check.Fix] that calls fix, which fixes all problems of the check at once.
func all(fix func(context.Context) error) func(context.Context, []result.Problem) error {
	return func(ctx context.Context, found []result.Problem) error {
		if err := fix(ctx); err != nil {
			return err
		}
		for i := range found {
			found[i].Fixed = true
		}
		return nil
	}
}

// Check describes how ckpt works in this repository and reports its problems. If fix is set, it fixes
// the problems that need no decision of the user.
func (p *Checker) Check(ctx context.Context, fix bool) (*result.Diagnosis, error) {
	fix = fix && !p.DryRun
	d := &result.Diagnosis{}
	behind := p.FilesBehind(ctx)
	if behind != nil && p.Publishes() {
		d.AddProblem("unpublished", "operations cannot be published on the branch: "+behind.Error(),
			cmp.Or(fault.HintOf(behind), "ckpt save, once that works"))
	} else if behind != nil {
		d.AddProblem("files-behind",
			"the files in "+p.FilesDir()+"/ cannot be brought up to date: "+behind.Error(),
			cmp.Or(fault.HintOf(behind), "any command, once ckpt may write there"))
	}
	if err := p.facts(ctx, d); err != nil {
		if behind != nil {
			return d, nil // nothing else can be checked
		}
		return nil, err
	}
	for _, c := range p.checks() {
		known := len(d.Problems)
		err := c.Run(ctx, d)
		found := d.Problems[known:]
		if canFix := fix && c.Fix != nil; err == nil && canFix && len(found) > 0 {
			err = c.Fix(ctx, found)
		}
		if err != nil {
			d.AddProblem("unchecked", c.Name+" cannot be checked: "+err.Error(),
				cmp.Or(fault.HintOf(err), "ckpt doctor, once that works"))
		}
	}
	return d, nil
}

// facts describes how ckpt works in this repository.
func (p *Checker) facts(ctx context.Context, d *result.Diagnosis) error {
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return err
	}
	d.AddFact("folder", view.FilesDir+"/")
	remark, failed := p.BranchRemark()
	left, err := leftover(view)
	if err := cmp.Or(failed, err); err != nil {
		return err
	}
	d.AddFact("branch", remark)
	d.AddFact("not read", left)
	engine := "ckpt"
	if why, err := commit.Of(p.Repo).ByGit(ctx); err != nil {
		return err
	} else if why != "" {
		engine = "git: " + why
	}
	d.AddFact("commits made by", engine)
	if why, err := p.Repo.Index().ByGit(); err != nil {
		return err
	} else if why != "" {
		d.AddFact("index written by", "git: "+why)
	}
	version, err := p.Repo.Version(ctx)
	if err != nil {
		return err
	}
	d.AddFact("git", version)
	policy, err := view.Policy(ctx)
	if err != nil {
		return err
	}
	mode := string(policy.Commit)
	if !p.Publishes() {
		mode += ": on " + p.Files().Ref.Name() + ", which all branches and worktrees share"
	}
	d.AddFact("commit", mode)
	for _, key := range policy.Unknown {
		d.AddFact("config.yaml", "this version does not know the key "+key)
	}
	for _, words := range policy.Idle {
		d.AddFact("config.yaml", words)
	}
	for _, folder := range []string{"", store.Active + "/", store.Archive + "/"} {
		if rel := folder + store.Index; p.Disk.Has(rel) {
			d.AddFact("not written", p.FromRoot(rel)+": ckpt leaves it alone and does not update it (ckpt list)")
		}
	}
	if unknown := workspace.UnknownRules(policy.Secrets.AllowRules); unknown != "" {
		d.AddFact("config.yaml", "secrets: allow_rules: no rule is called "+unknown)
	}
	hooks, err := p.Repo.Hooks().Names(ctx)
	if err != nil {
		return err
	}
	d.AddFact("hooks found", strings.Join(hooks, ", "))
	if !p.Publishes() || setup.MergesByDriver(ctx, p.Workspace) {
		d.AddFact("merges", "section by section")
	} else {
		d.AddFact("merges", "line by line (ckpt setup git: section by section)")
	}
	d.AddFact("sessions", p.Recorder.State(ctx))
	d.AddFact("in progress", p.Repo.InProgress())
	d.AddFact("unpublished", view.Unpublished())
	active, archived := len(view.Set.Active()), len(view.Set.Archived())
	d.AddFact("checkpoints", text.Count(active, "active one")+", "+text.Count(archived, "archived one"))
	return nil
}

// leftover describes files in the folder of ref mode that remain although the mode is another now; "" for none.
func leftover(v *workspace.View) (string, error) {
	folder := checkout.Apart(v.Prefix)
	apart := store.Store{Dir: v.Repo.PathOf(folder)}
	if v.FilesDir == folder || !apart.Exists() {
		return "", nil
	}
	files, err := apart.Files(store.All)
	if len(files) == 0 || err != nil {
		return "", err
	}
	return text.Count(len(files), "file") + " in " + folder + "/, from before ckpt migrate --to own (rm -r " + folder +
		", if you want nothing of it)", nil
}

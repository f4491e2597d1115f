package edit

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/setup"
	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// InitRequest describes what to set up.
type InitRequest struct {
	Git    bool     // create a git repository if the folder is in none
	Agents []string // also set up these agents
	Commit string   // the commit mode; empty leaves it as it is
}

// Init creates the checkpoints folder with its policy. It keeps existing files.
func Init(ctx context.Context, s workspace.Settings, req InitRequest) (*result.Receipt, error) {
	if _, err := setup.Find(req.Agents); err != nil {
		return nil, err
	}
	mode := policy.Commit(req.Commit)
	if _, err := policy.ParseCommit(req.Commit); mode != "" && err != nil {
		return nil, fault.New(fault.Usage, "--commit: %w", err)
	}
	w, err := workspace.Open(ctx, s)
	if fault.KindOf(err) == fault.NotFound && req.Git {
		return initGit(ctx, s, req)
	}
	if err != nil {
		return nil, err
	}
	if err := checkIgnored(ctx, w, "init"); err != nil {
		return nil, err
	}
	if err := w.CheckMode(ctx, mode); err != nil {
		return nil, err
	}
	plan, err := setup.In(w).Prepare(req.Agents) // before all changes, so that a refusal changes nothing
	if err != nil {
		return nil, err
	}
	hooks, err := w.Repo.Hooks().Names(ctx)
	if err != nil {
		return nil, err
	}
	receipt, err := w.Change(ctx, store.Live, func(view *workspace.View, _ time.Time) (*workspace.Tx, error) {
		return initial(ctx, view, mode, s.NoCommit)
	})
	if err == nil && !receipt.DryRun && mode != "" {
		err = w.SetMode(ctx, mode)
	}
	if err != nil {
		return nil, err
	}
	if len(hooks) > 0 {
		which, err := whichHooks(ctx, w)
		if err != nil {
			return nil, err
		}
		receipt.Remarks = append(receipt.Remarks, "git hooks found: "+strings.Join(hooks, ", ")+"; "+which)
	}
	if len(req.Agents) > 0 {
		receipt, err = besides(receipt, plan)
		if err != nil {
			return nil, err
		}
	}
	if !receipt.Unchanged && !receipt.DryRun {
		w.Trust.ByChange(w.InHook)
	}
	return receipt, nil
}

// initial returns the transaction that creates the files that are missing, and commits those of an earlier init that
// the branch lacks. In ref mode it does so for the policy alone.
func initial(ctx context.Context, view *workspace.View, mode policy.Commit, noCommit bool) (*workspace.Tx, error) {
	o := &workspace.Tx{Op: workspace.OpInit, Summary: "keep checkpoints in " + view.Prefix + "/", Path: store.ConfigFile}
	cfg, err := view.Policy(ctx)
	if err != nil {
		return nil, err
	}
	files := starters()
	o.Commit = cmp.Or(mode, cfg.Commit)
	if view.OnRef() && view.FilesDir != view.Prefix || mode == policy.Ref {
		o.Commit, o.Summary, files = policy.Own, "keep checkpoints on a ref of their own", files[:1]
	}
	if noCommit {
		o.Commit = policy.Off
	}
	head, err := view.Repo.Objects().Tree(view.Prefix)
	for _, f := range files {
		if err == nil {
			f.Before, err = view.Store.Read(f.Path)
		}
		isOurs := f.Before == nil || change.Same(f.Before, f.After)
		if f.Path == store.ConfigFile && mode != "" {
			f.After, isOurs = policy.WithCommit(cmp.Or(string(f.Before), string(f.After)), mode), true
		}
		lacks := o.Commit == policy.Own && head[f.Path] == ""
		if isOurs && (lacks || !change.Same(f.Before, f.After)) {
			o.Files.Files = append(o.Files.Files, f)
		}
	}
	if err == nil && o.Commit == policy.Own && !o.Files.Empty() {
		err = view.CheckOnBranch()
	}
	return o, err
}

// checkIgnored refuses a folder that git ignores and in which it tracks no file: git status would
// not show the files there. If ckpt commits nothing to the branch, the folder may be ignored.
func checkIgnored(ctx context.Context, w *workspace.Workspace, command string) error {
	if err := w.Disk.CheckLinks(store.Active); err != nil {
		return err
	}
	cfg, err := w.Policy(ctx)
	if err != nil || cfg.Commit == policy.Off || cfg.Commit == policy.Ref {
		return err
	}
	rule, err := w.Repo.Worktree().IgnoredBy(ctx, w.Prefix+"/"+store.Active+"/chk-x.md")
	if rule == "" || err != nil {
		return err
	}
	if tracked, err := w.Repo.Index().Entries(ctx, []string{w.Prefix}); len(tracked) > 0 || err != nil {
		return err
	}
	return fault.New(fault.Refused,
		"git ignores %s/ (%s), so git status and git add would pass over what ckpt keeps there", w.Prefix, rule).
		WithHint("git config ckpt.dir .ckpt, or ckpt %s --dir .ckpt, keeps checkpoints in another folder", command)
}

// besides sets up the agents, and adds the result to the receipt of init.
func besides(receipt *result.Receipt, plan *setup.Plan) (*result.Receipt, error) {
	own, err := plan.Apply("setup")
	switch {
	case err != nil:
		return nil, err
	case receipt.Unchanged:
		own.Op = receipt.Op
		own.Remarks = append(receipt.Remarks, own.Remarks...)
		return own, nil
	case !own.Unchanged:
		receipt.Files = append(receipt.Files, own.Files...)
		receipt.Diff += own.Diff
		receipt.Granted = own.Granted
		verb := "set up: "
		if own.DryRun {
			verb = "to be set up: "
		}
		receipt.Remarks = append(receipt.Remarks, verb+own.Summary+" ("+strings.Join(own.Files, ", ")+"; not committed)")
	}
	receipt.Remarks = append(receipt.Remarks, own.Remarks...)
	return receipt, nil
}

// whichHooks returns a remark that tells which of the user's git hooks run when ckpt commits.
func whichHooks(ctx context.Context, w *workspace.Workspace) (string, error) {
	mode, _, err := w.Repo.Config().Get(ctx, "ckpt.hooks")
	switch mode {
	case "all":
		return "all of them run on a checkpoint's commit (git config ckpt.hooks)", err
	case "none":
		return "none of them runs on a checkpoint's commit (git config ckpt.hooks)", err
	}
	return "of these only commit-msg runs on a checkpoint's commit (git config ckpt.hooks none: none)", err
}

// starters returns the initial files of a checkpoints folder.
func starters() []change.File {
	return []change.File{
		{Path: store.ConfigFile, After: []byte(policy.Starter())},
		{Path: store.Attributes, After: []byte(store.AttributesText)},
		{Path: store.Learnings, After: []byte(learnings.Empty)},
		{Path: store.ActiveKeep, After: []byte{}},
		{Path: store.ArchiveKeep, After: []byte{}},
	}
}

// initGit does what Init does in a folder that is in no repository.
func initGit(ctx context.Context, s workspace.Settings, req InitRequest) (*result.Receipt, error) {
	if s.DryRun {
		return tryGit(s, req)
	}
	req.Git = false
	var receipt *result.Receipt
	err := git.InitFor(ctx, s.Dir, func() (err error) {
		receipt, err = Init(ctx, s, req)
		return err
	})
	return receipt, err
}

// tryGit returns what Init would do in a folder without a repository.
func tryGit(s workspace.Settings, req InitRequest) (*result.Receipt, error) {
	prefix, err := workspace.CleanFolder(cmp.Or(s.Folder, workspace.DefaultFolder))
	if err != nil {
		return nil, err
	}
	files := change.Set{Files: starters()}
	return &result.Receipt{
		Op: workspace.OpInit, Summary: "make a git repository; keep checkpoints in " + prefix + "/", DryRun: true,
		Diff:    change.Patch(files.Under(prefix)),
		Remarks: []string{fmt.Sprintf("a git repository would be made in %q", s.Dir)},
	}, nil
}

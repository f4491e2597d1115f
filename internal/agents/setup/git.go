package setup

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// AddToGit lets git call ckpt: to merge checkpoint files; before a commit of some, which
// are checked; and after a merge, a rebase or a checkout, for a line that says where the
// work stands, and which checkpoints git has lost. With trailer a commit's message gets the current checkpoint's id. Hooks of
// others stay, and run after ours. Nothing is committed.
func AddToGit(ctx context.Context, at Place, trailer bool) (*result.Receipt, error) {
	g, err := openGitHooks(ctx, at)
	if err != nil {
		return nil, err
	}
	wanted := []settings.GitEvent{settings.PreCommit, settings.PostMerge, settings.PostCheckout, settings.PostRewrite}
	if trailer {
		wanted = append(wanted, settings.CommitMsg)
	}
	settings := driverSettings
	if g.byConfig {
		settings = append(hookSettings(wanted), settings...)
	} else if err := g.addAll(wanted); err != nil {
		return nil, err
	}
	if own := at.mergeAttribute(); !at.attributed(ctx) {
		if err := g.plan(own, own.Add); err != nil {
			return nil, err
		}
	}
	return g.finish(ctx, settings)
}

// addAll plans the hooks in their folder, or says why none of them can be.
func (g *gitHooks) addAll(wanted []settings.GitEvent) error {
	if err := g.refuse(); err != nil {
		return err
	}
	for _, e := range wanted {
		if err := g.add(e); err != nil {
			return err
		}
	}
	if len(g.remarks) == len(wanted) {
		return fault.New(fault.Unsupported, "no hook can be set up beside those in %s", g.shown(g.dir)).WithHint("%s", g.remarks[0])
	}
	return nil
}

// RemoveFromGit takes out what AddToGit put in, wherever it is.
func RemoveFromGit(ctx context.Context, at Place) (*result.Receipt, error) {
	g, err := openGitHooks(ctx, at)
	if err != nil {
		return nil, err
	}
	for _, e := range settings.GitEvents {
		hook := g.hook(e)
		if err := g.plan(hook, hook.Drop); err != nil {
			return nil, err
		}
	}
	own := at.mergeAttribute()
	if err := g.plan(own, own.Drop); err != nil {
		return nil, err
	}
	removed, err := g.unconfigure(ctx)
	if err != nil {
		return nil, err
	}
	receipt, err := g.perform("unsetup")
	if err == nil && removed > 0 {
		receipt.Unchanged, receipt.DryRun = false, at.DryRun
		g.besides(receipt, text.Count(removed, "section")+" of this clone's git configuration")
	}
	return receipt, err
}

// gitHooks is where the hooks of a repository are, and what is planned there.
type gitHooks struct {
	*Site
	dir      string // where hooks are put
	set      bool   // core.hooksPath says where git looks
	husky    bool
	byConfig bool
}

func openGitHooks(ctx context.Context, at Place) (*gitHooks, error) {
	g := &gitHooks{Site: at.open(settings.Project)}
	g.root = "" // hooks may be anywhere
	repo, err := g.Repo, error(nil)
	if g.dir, g.set, err = repo.Hooks().Dir(ctx); err != nil {
		return nil, err
	}
	if filepath.Base(g.dir) == "_" && filepath.Base(filepath.Dir(g.dir)) == ".husky" {
		g.dir = filepath.Dir(g.dir) // those in _ call those above
	}
	g.husky = g.set && filepath.Base(g.dir) == ".husky"
	g.byConfig, err = repo.Hooks().Configurable(ctx)
	return g, err
}

// refuse says no where the folder of hooks is not this clone's own: what was written
// there would be part of the project, or of every repository of the user's.
func (g *gitHooks) refuse() error {
	inGit := strings.HasPrefix(g.dir+"/", g.Repo.CommonDir()+"/")
	if !g.set || g.husky || inGit {
		return nil
	}
	return fault.New(fault.Unsupported, "core.hooksPath is %s, which is not this clone's own", g.shown(g.dir)).
		WithHint("put this line in its pre-commit, near the top: %s", settings.GitCommand(settings.PreCommit))
}

// add plans one hook, unless what is there cannot hold it.
func (g *gitHooks) add(e settings.GitEvent) error {
	hook := g.hook(e)
	src, err := g.now(hook.Path)
	if err != nil {
		return err
	}
	switch settings.HookOwnerOf(src) {
	case settings.Lefthook:
		g.remark(fmt.Sprintf("%s is lefthook's: add to lefthook.yml, below %s: jobs: [{name: ckpt, run: ckpt hook git %s {0}}]", e, e, e))
		return nil
	case settings.Framework:
		g.remark(fmt.Sprintf("%s is the pre-commit framework's: add a local hook with `entry: ckpt hook git %s`, `language: system`, `always_run: true`", e, e))
		return nil
	case settings.Foreign:
		g.remark(fmt.Sprintf("%s is no shell script: let it run `ckpt hook git %s` itself", g.shown(hook.Path), e))
		return nil
	}
	return g.plan(hook, hook.Add)
}

// hook returns the lines of ckpt in a hook.
func (g *gitHooks) hook(e settings.GitEvent) settings.Piece {
	return settings.NewGitHook(filepath.ToSlash(g.dir), e)
}

// finish writes what is planned, and the settings.
func (g *gitHooks) finish(ctx context.Context, settings []setting) (*result.Receipt, error) {
	receipt, err := g.perform("setup")
	if err != nil {
		return nil, err
	}
	fresh, err := g.configure(ctx, settings)
	if err != nil || len(fresh) == 0 {
		return receipt, err
	}
	receipt.Unchanged = false
	if g.DryRun {
		receipt.DryRun = true
		for _, s := range fresh {
			receipt.Diff += s.key + " = " + s.value + "\n"
		}
		return receipt, nil
	}
	g.besides(receipt, "this clone's git configuration")
	return receipt, nil
}

// besides says what was changed besides the files of the receipt.
func (g *gitHooks) besides(receipt *result.Receipt, what string) {
	receipt.Pending = what
	if len(receipt.Files) > 0 {
		receipt.Pending = "with " + what
	}
}

// perform writes what is planned.
func (g *gitHooks) perform(op string) (*result.Receipt, error) {
	receipt, err := g.Perform(op, []settings.Agent{{Name: "git"}})
	if err != nil {
		return nil, err
	}
	for i, name := range receipt.Files {
		receipt.Files[i] = g.shown(name)
		if op == "setup" && !receipt.DryRun && filepath.Dir(filepath.FromSlash(name)) == g.dir {
			if err := disk.Executable(name); err != nil {
				return nil, err
			}
		}
	}
	if g.husky && !receipt.Unchanged {
		receipt.Remarks = append(receipt.Remarks, g.shown(g.dir)+"/ is part of the project: commit the change, or others do without")
	}
	return receipt, nil
}

// shown is a path as the user sees it: from the repository's root where it is in it.
func (g *gitHooks) shown(path string) string {
	if rel, err := filepath.Rel(g.Repo.Root(), path); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return path
}

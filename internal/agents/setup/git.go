package setup

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
)

// Git runs commands of git.
type Git interface {
	Run(ctx context.Context, args ...string) ([]byte, error)
}

// Hooks describes where git looks for hooks.
type Hooks interface {
	Dir(ctx context.Context) (dir string, configured bool, err error)
	Configurable(ctx context.Context) (bool, error) // Configurable reports whether hooks can be named in the configuration
}

// SetupGit makes git call ckpt to merge checkpoint files, to check them before a commit, and to print a line with the
// current checkpoint after a merge or checkout. Hooks of other tools stay, and run after those of ckpt.
func SetupGit(ctx context.Context, s workspace.Settings) (*result.Receipt, error) {
	w, err := workspace.Open(ctx, s)
	if err != nil {
		return nil, err
	}
	receipt, err := In(w).setupGit(ctx, w.Repo, w.Repo.Hooks())
	if err == nil && !receipt.Unchanged && !receipt.DryRun {
		w.Trust.ByChange(w.InHook)
	}
	return receipt, err
}

// UnsetupGit removes what SetupGit wrote, wherever it is.
func UnsetupGit(ctx context.Context, s workspace.Settings) (*result.Receipt, error) {
	w, err := workspace.Open(ctx, s)
	if err != nil {
		return nil, err
	}
	return In(w).unsetupGit(ctx, w.Repo, w.Repo.Hooks())
}

// MergesByDriver reports whether git uses ckpt to merge the checkpoints of a clone.
func MergesByDriver(ctx context.Context, w *workspace.Workspace) bool {
	set, ok, err := w.Repo.Config().Get(ctx, driverKey)
	return err == nil && ok && strings.Contains(set, "ckpt merge-driver") && isDriven(ctx, w.Repo, w.Prefix)
}

// isDriven reports whether the attributes of checkpoint files name the merge driver.
func isDriven(ctx context.Context, git Git, folder string) bool {
	out, err := git.Run(ctx, "check-attr", "merge", "--", folder+"/active/chk-a.md")
	return err == nil && strings.HasSuffix(strings.TrimSpace(string(out)), ": merge: ckpt")
}

// Git merges a file by the driver that its attributes name, if the clone's configuration defines that driver. Otherwise
// it merges line by line, and reports nothing. `ckpt init` writes the attribute into the checkpoints folder. For an
// older folder without the attribute, SetupGit adds it to this clone's own attributes.
//
// If ckpt is not installed, or fails, the driver runs git's own merge. If the driver failed, git would
// leave a file that looks complete but lacks the changes of the other side.
const (
	driverSection = "merge.ckpt"
	driverKey     = driverSection + ".driver"
	driver        = "if command -v ckpt >/dev/null 2>&1; then ckpt merge-driver %O %A %B %P %L %S %X %Y; case $? in " +
		"0) exit 0;; 1) exit 1;; esac; fi; " +
		"git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B"
)

// setting is a key of the clone's configuration and its value.
type setting struct{ key, value string }

// hookSection returns the section of the clone's configuration for a hook. Git 2.54 and later run
// hooks that the configuration names, in addition to those in the folder of hooks, so no file of
// the user or of another tool has to be edited.
func hookSection(e settings.GitEvent) string { return "hook.ckpt-" + string(e) }

// gitPlan plans the edits and settings of a setup of git.
type gitPlan struct {
	*Plan
	git      Git
	dir      string // the folder of the hooks
	moved    bool   // dir is the folder that core.hooksPath names
	husky    bool
	byConfig bool // git runs hooks that its configuration names
}

func (at Place) gitPlan(ctx context.Context, git Git, hooks Hooks) (*gitPlan, error) {
	g := &gitPlan{Plan: at.plan(Request{Scope: settings.Project}), git: git}
	g.agents = []settings.Agent{{Name: "git"}}
	g.root = "" // paths are absolute: the folder of the hooks may be anywhere
	var err error
	g.dir, g.moved, err = hooks.Dir(ctx)
	if err != nil {
		return nil, err
	}
	if filepath.Base(g.dir) == "_" && filepath.Base(filepath.Dir(g.dir)) == ".husky" {
		g.dir = filepath.Dir(g.dir) // Husky's generated hooks in _ call the hooks in the folder above
	}
	g.husky = g.moved && filepath.Base(g.dir) == ".husky"
	g.byConfig, err = hooks.Configurable(ctx)
	return g, err
}

// hook returns ckpt's lines in the file of a hook.
func (g *gitPlan) hook(e settings.GitEvent) settings.Piece {
	return settings.NewGitHook(filepath.ToSlash(g.dir), e)
}

// attribute returns the piece for this clone's own attributes: the line that names the merge driver.
func (g *gitPlan) attribute() settings.Piece {
	pattern := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace("/"+g.Folder) + "/**/*.md"
	if strings.ContainsAny(pattern, " \t\"\\") {
		pattern = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(pattern) + `"`
	}
	return settings.NewAttribute(filepath.ToSlash(g.Repo.CommonDir())+"/info/attributes", pattern+" merge=ckpt")
}

func (at Place) setupGit(ctx context.Context, git Git, hooks Hooks) (*result.Receipt, error) {
	g, err := at.gitPlan(ctx, git, hooks)
	if err != nil {
		return nil, err
	}
	events := []settings.GitEvent{settings.PreCommit, settings.PostMerge, settings.PostCheckout}
	var wanted []setting
	if g.byConfig {
		for _, e := range events {
			call := "command -v ckpt >/dev/null 2>&1 || exit 0; ckpt hook git " + string(e) // git appends the hook's arguments
			wanted = append(wanted, setting{hookSection(e) + ".event", string(e)}, setting{hookSection(e) + ".command", call})
		}
	} else if err := g.addHooks(events); err != nil {
		return nil, err
	}
	name := setting{driverSection + ".name", "checkpoints, section by section"}
	wanted = append(wanted, name, setting{driverKey, driver})
	if own := g.attribute(); !isDriven(ctx, git, g.Folder) {
		if err := g.edit(own, own.Add); err != nil {
			return nil, err
		}
	}
	receipt, err := g.apply("setup")
	if err != nil {
		return nil, err
	}
	fresh, err := g.configure(ctx, wanted)
	if err != nil || len(fresh) == 0 {
		return receipt, err
	}
	g.addConfig(receipt, "this clone's git configuration")
	if g.DryRun {
		receipt.Pending = ""
		for _, s := range fresh {
			receipt.Diff += s.key + " = " + s.value + "\n"
		}
	}
	return receipt, nil
}

func (at Place) unsetupGit(ctx context.Context, git Git, hooks Hooks) (*result.Receipt, error) {
	g, err := at.gitPlan(ctx, git, hooks)
	if err != nil {
		return nil, err
	}
	pieces := []settings.Piece{g.attribute()}
	for _, e := range settings.GitEvents {
		pieces = append(pieces, g.hook(e))
	}
	for _, piece := range pieces {
		if err := g.edit(piece, piece.Drop); err != nil {
			return nil, err
		}
	}
	removed, err := g.unconfigure(ctx)
	if err != nil {
		return nil, err
	}
	receipt, err := g.apply("unsetup")
	if err == nil && removed > 0 {
		g.addConfig(receipt, text.Count(removed, "section")+" of this clone's git configuration")
	}
	return receipt, err
}

// addHooks plans the hooks in their folder. It fails if none of them can be set up, or if the folder is neither this
// clone's own nor Husky's: hooks there could be part of the project, or apply to all repositories of the user.
func (g *gitPlan) addHooks(events []settings.GitEvent) error {
	isOwn := strings.HasPrefix(g.dir+"/", g.Repo.CommonDir()+"/")
	if g.moved && !g.husky && !isOwn {
		return fault.New(fault.Unsupported, "core.hooksPath is %s, which is not this clone's own", g.shown(g.dir)).
			WithHint("put this line in its pre-commit, near the top: %s", settings.GitCommand(settings.PreCommit))
	}
	for _, e := range events {
		hook := g.hook(e)
		src, err := g.read(hook.Path)
		if err != nil {
			return err
		}
		if !settings.IsEditable(src) {
			g.remark(fmt.Sprintf("%s is not a shell script, or lefthook or pre-commit writes it: let it run "+
				"`ckpt hook git %s` itself", g.shown(hook.Path), e))
			continue
		}
		if err := g.edit(hook, hook.Add); err != nil {
			return err
		}
	}
	if len(g.remarks) == len(events) {
		return fault.New(fault.Unsupported, "no hook can be set up beside those in "+
			"%s", g.shown(g.dir)).WithHint("%s", g.remarks[0])
	}
	return nil
}

// apply writes the planned files, and makes hooks executable.
func (g *gitPlan) apply(op string) (*result.Receipt, error) {
	receipt, err := g.Apply(op)
	if err != nil {
		return nil, err
	}
	for i, name := range receipt.Files {
		receipt.Files[i] = g.shown(name)
		if op != "setup" || receipt.DryRun {
			continue
		}
		var err error
		file := filepath.FromSlash(name)
		if filepath.Dir(file) == g.dir {
			err = disk.Executable(file)
		}
		if share := g.Repo.Sharing(); err == nil && disk.Within(file, g.Repo.CommonDir()) {
			err = errors.Join(share.Apply(filepath.Dir(file)), share.Apply(file))
		}
		if err != nil {
			return nil, err
		}
	}
	if g.husky && !receipt.Unchanged {
		receipt.Remarks = append(receipt.Remarks, g.shown(g.dir)+"/ is part of the project: commit the change, or "+
			"others do without")
	}
	return receipt, nil
}

// addConfig adds to a receipt that the configuration was changed, too.
func (g *gitPlan) addConfig(receipt *result.Receipt, what string) {
	receipt.Unchanged = false
	receipt.DryRun = g.DryRun
	receipt.Pending = what
	if len(receipt.Files) > 0 {
		receipt.Pending = "with " + what
	}
}

// shown returns a path relative to the repository's root if the repository contains it.
func (g *gitPlan) shown(path string) string {
	if rel, err := filepath.Rel(g.Repo.Root(), path); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return path
}

// configure writes settings to the clone's configuration, and returns those that were missing or different.
func (g *gitPlan) configure(ctx context.Context, wanted []setting) ([]setting, error) {
	var fresh []setting
	for _, s := range wanted {
		out, err := g.git.Run(ctx, "config", "--local", "--get", s.key)
		if err == nil && strings.TrimSpace(string(out)) == s.value {
			continue
		}
		fresh = append(fresh, s)
		if g.DryRun {
			continue
		}
		if _, err := g.git.Run(ctx, "config", "--local", s.key, s.value); err != nil {
			return nil, fault.New(fault.Failed, "git config %s: %w", s.key, err)
		}
	}
	return fresh, nil
}

// unconfigure removes the sections with the settings that configure wrote, and returns their number.
func (g *gitPlan) unconfigure(ctx context.Context) (int, error) {
	type section struct{ name, key string } // ckpt wrote the section if the value of key names ckpt
	sections := []section{{driverSection, driverKey}}
	for _, e := range settings.GitEvents {
		sections = append(sections, section{hookSection(e), hookSection(e) + ".command"})
	}
	n := 0
	for _, s := range sections {
		out, err := g.git.Run(ctx, "config", "--local", "--get", s.key)
		if err != nil || !strings.Contains(string(out), "ckpt ") {
			continue // the section is missing, or not ckpt's
		}
		n++
		if g.DryRun {
			continue
		}
		if _, err := g.git.Run(ctx, "config", "--local", "--remove-section", s.name); err != nil {
			return n, fault.New(fault.Failed, "git config --remove-section %s: %w", s.name, err)
		}
	}
	return n, nil
}

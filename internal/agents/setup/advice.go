package setup

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

const (
	geminiAdvice = `Gemini CLI reads AGENTS.md only where its settings say so: "context": {"fileName": ["AGENTS.md", "GEMINI.md"]}`
	trustAdvice  = "in a clone that is new a session begins with the brief once you have run ckpt trust there, or " +
		"changed something with ckpt; for clones of your own: git config --global --add ckpt.trust " +
		"'git@github.com:ME/*', or CKPT_TRUST=1 in an environment of yours"
	recorderAdvice = "the hooks record what a session does (tools, files, command lines, the last line of failures " +
		"and tests; never contents or other output) and, for you alone, what you say, in the git folder: ckpt log " +
		"--session shows it, git config ckpt.recorder off turns it off, and work keeps no words"
	modeAdvice = "checkpoints will be commits on your branch; ckpt init --commit ref keeps them on a ref of their own"
	noBinary   = "ckpt is not in PATH: hooks are silent until it is"
)

// isModeOpen reports whether a repository has neither checkpoints nor a commit mode yet.
func isModeOpen(ctx context.Context, w *workspace.Workspace) bool {
	_, isSet, err := w.Repo.Config().Get(ctx, "ckpt.commit")
	if isSet || err != nil {
		return false
	}
	cfg, err := w.Disk.Config()
	if cfg.Commit != "" || err != nil {
		return false
	}
	set, err := w.Disk.Load(store.All)
	return err == nil && len(set.All)+len(set.Broken) == 0
}

func localAdvice(a settings.Agent) string {
	return "keep " + a.Title + "'s local settings out of git: they are for you alone"
}

// advice returns what the user has to do after the setup of an agent.
func (p *Plan) advice(a settings.Agent) []string {
	var all []string
	trust := p.trustOf(a)
	switch {
	case a.Name == "codex" && !trust.known:
		all = append(all, "Codex runs a hook only after you have trusted it: /hooks, in Codex")
	case a.Name == "gemini" && p.request.Scope == settings.Project && !p.geminiReads("AGENTS.md"):
		all = append(all, geminiAdvice)
	}
	if trust.ignores != "" {
		all = append(all, trust.ignores)
	}
	switch p.request.Scope {
	case settings.User:
		all = append(all, trustAdvice)
	case settings.Local:
		all = append(all, localAdvice(a))
	}
	if !disk.Installed("ckpt", p.Getenv) {
		all = append(all, noBinary)
	}
	return all
}

// geminiReads reports whether Gemini's settings name a file of instructions.
func (p *Plan) geminiReads(name string) bool {
	gemini, _ := settings.Find("gemini")
	scopes := []settings.Scope{settings.Project, settings.User}
	return p.inScopes(gemini, scopes, func(scope settings.Scope, pieces []settings.Piece) bool {
		return strings.Contains(p.value(scope, pieces[0], "context", "fileName"), `"`+name+`"`)
	})
}

// permissionAdvice returns what the user can do where setup cannot let an agent run ckpt
// without asking. It is empty where setup can, or where the agent does not ask.
func (p *Plan) permissionAdvice(a settings.Agent) string {
	switch {
	case a.Name == "gemini" && p.request.Scope == settings.Project && !p.userPermits(a):
		return "Gemini CLI takes no permissions from a project: ckpt setup gemini --user --permissions allows it in " +
			"all your projects"
	case a.Name == "copilot":
		return "Copilot CLI asks before each command of ckpt: it has no rule for some of a program's commands, only " +
			"for all of them (copilot --allow-tool 'shell(ckpt)')"
	case a.Name == "cursor" && p.request.Scope == settings.User:
		return "Cursor writes the file with its user's permissions itself: ckpt setup cursor grants them in a project"
	case a.Name == "opencode" && p.isRestricted(a):
		return `OpenCode's settings restrict commands: add "ckpt note *": "allow", and so on, at the end of permission.bash`
	}
	return ""
}

// userPermits reports whether the user's own settings let an agent run ckpt.
func (p *Plan) userPermits(a settings.Agent) bool {
	return p.inScopes(a, []settings.Scope{settings.User}, func(_ settings.Scope, pieces []settings.Piece) bool {
		for _, piece := range pieces {
			if piece.What == settings.PermissionPiece {
				src, _ := disk.ReadFile(piece.Path)
				state, _, err := piece.State(src)
				return err == nil && state != settings.Absent
			}
		}
		return false
	})
}

// isRestricted reports whether settings of OpenCode, of the project or the user, make it
// ask before commands: by default it asks for none.
func (p *Plan) isRestricted(a settings.Agent) bool {
	scopes := []settings.Scope{settings.Project, settings.User}
	return p.inScopes(a, scopes, func(scope settings.Scope, pieces []settings.Piece) bool {
		for _, piece := range pieces {
			if !piece.IsOptional() {
				continue
			}
			rules := p.value(scope, piece, "permission", "bash")
			if rules == "" {
				rules = p.value(scope, piece, "permission")
			}
			if !strings.Contains(rules, `"ckpt`) && (strings.Contains(rules, `"ask"`) || strings.Contains(rules, `"deny"`)) {
				return true
			}
		}
		return false
	})
}

// trust is what an agent's own files show of its trust.
type trust struct {
	known   bool   // the file exists, so the agent was run on this machine
	file    string // the path of that file
	ignores string // what the agent ignores because its user has not trusted it; empty if nothing
}

// trustOf reads whether an agent trusts what is set up for it.
func (p *Plan) trustOf(a settings.Agent) trust {
	if a.Name == "claude" && p.request.Permit == PermitNot { // Claude Code runs its hooks even without trust
		return trust{}
	}
	found := trust{file: a.TrustFile(p.Getenv)}
	if found.file == "" || runtime.GOOS == "windows" { // on Windows agents write the paths in different ways
		return trust{}
	}
	src, err := disk.ReadFile(found.file)
	if err != nil || src == nil {
		return trust{}
	}
	if a.Name == "gemini" && p.geminiTrustsAll(a) {
		return trust{}
	}
	found.known = true
	if p.request.Scope == settings.Project {
		isTrusted, err := a.Trusts(src, p.roots())
		if err != nil {
			return trust{}
		}
		if !isTrusted {
			found.ignores = distrust()[a.Name]
			return found
		}
	}
	if a.Name == "codex" {
		found.ignores = p.ignoredHooks(a, src)
	}
	return found
}

// distrust returns what an agent ignores in a folder that its user has not trusted.
func distrust() map[string]string {
	return map[string]string{
		"claude": "Claude Code ignores what a project allows until you have trusted its folder: start claude here once " +
			"and accept",
		"codex": "Codex ignores .codex in a folder that you have not trusted: start codex here once and accept, then " +
			"/hooks",
		"gemini":  "Gemini CLI ignores .gemini in a folder that you have not trusted: start gemini here once and accept",
		"copilot": "Copilot CLI runs no hooks in a folder that you have not trusted: start copilot here once and accept",
	}
}

// ignoredHooks names the hooks that Codex does not run: those that its user has not trusted, and in
// a linked worktree all of them, since Codex runs the hooks of the first worktree there.
func (p *Plan) ignoredHooks(a settings.Agent, config []byte) string {
	pieces, _, err := p.pieces(a)
	if err != nil {
		return ""
	}
	hooks := pieces[0]
	file := p.path(hooks.Path)
	src, err := p.read(hooks.Path)
	if first := p.firstWorktree(); first != "" && disk.Real(first) != disk.Real(p.root) {
		file = filepath.Join(first, filepath.FromSlash(hooks.Path))
		src, err = disk.ReadFile(file)
		if state, _, _ := hooks.State(src); err == nil && state == settings.Absent {
			return "Codex takes the hooks of a linked worktree from the first one: ckpt setup codex in " + first
		}
	}
	if err != nil {
		return ""
	}
	events := settings.UntrustedHooks(config, filepath.ToSlash(disk.Real(file)), src)
	if len(events) == 0 {
		return ""
	}
	return "Codex does not run hooks that you have not trusted (/hooks, in Codex): " + strings.Join(events, ", ")
}

// roots returns the paths under which an agent may list this folder as trusted: those of
// the repository's root, and that of its first worktree.
func (p *Plan) roots() []string {
	roots := []string{filepath.ToSlash(p.Repo.Root()), filepath.ToSlash(disk.Real(p.Repo.Root()))}
	if first := p.firstWorktree(); first != "" {
		roots = append(roots, filepath.ToSlash(first))
	}
	return roots
}

// firstWorktree returns the root of the repository's first worktree. It is empty for a bare
// repository, and for the user's own settings.
func (p *Plan) firstWorktree() string {
	if p.Repo == nil {
		return ""
	}
	if common := p.Repo.CommonDir(); filepath.Base(common) == ".git" {
		return filepath.Dir(common)
	}
	return ""
}

// geminiTrustsAll reports whether the environment or the user's settings make Gemini CLI
// trust all folders.
func (p *Plan) geminiTrustsAll(gemini settings.Agent) bool {
	return p.Getenv("GEMINI_CLI_TRUST_WORKSPACE") == "true" ||
		p.inScopes(gemini, []settings.Scope{settings.User}, func(scope settings.Scope, pieces []settings.Piece) bool {
			return p.value(scope, pieces[0], "security", "folderTrust", "enabled") == "false"
		})
}

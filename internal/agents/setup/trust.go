package setup

import (
	"path/filepath"
	"runtime"
	"strings"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/disk"
)

// trustPiece is the name under which an agent's trust in a folder is listed with the
// pieces.
const trustPiece = "trust"

// trust is what an agent's own files show of its trust.
type trust struct {
	known   bool   // the file exists: the agent was run on this machine
	file    string // the file that shows it
	ignores string // what the agent ignores because its user has not trusted it; "" for nothing
}

// trustOf reads whether an agent trusts what is set up for it.
func (t *Site) trustOf(a settings.Agent) trust {
	if a.Name == "claude" && t.permit == PermitNot { // its hooks run all the same
		return trust{}
	}
	found := trust{file: a.TrustFile(t.Getenv)}
	if found.file == "" || runtime.GOOS == "windows" { // agents differ in how they write paths there
		return trust{}
	}
	src, err := disk.ReadFile(found.file)
	if err != nil || src == nil || a.Name == "gemini" && t.geminiTrustsAll() {
		return trust{}
	}
	found.known = true
	if t.scope == settings.Project {
		switch a.Trusts(src, t.roots()) {
		case settings.Unknown:
			return trust{}
		case settings.Untrusted:
			found.ignores = distrust[a.Name]
			return found
		}
	}
	if a.Name == "codex" {
		found.ignores = t.ignoredHooks(a, src)
	}
	return found
}

// ignoredHooks names the hooks that Codex does not run: those that its user has not
// trusted, and all of a linked worktree, where it runs those of the first worktree.
func (t *Site) ignoredHooks(a settings.Agent, config []byte) string {
	pieces, _, err := t.pieces(a)
	if err != nil {
		return ""
	}
	hooks, file := pieces[0], t.path(pieces[0].Path)
	src, err := t.now(hooks.Path)
	if first := t.firstWorktree(); first != "" && disk.Real(first) != disk.Real(t.root) {
		file = filepath.Join(first, filepath.FromSlash(hooks.Path))
		src, err = disk.ReadFile(file)
		if state, _, _ := hooks.State(src); err == nil && state == settings.Absent {
			return "Codex takes the hooks of a linked worktree from the first one: ckpt setup codex in " + first
		}
	}
	if err != nil {
		return ""
	}
	if events := settings.UntrustedHooks(config, filepath.ToSlash(disk.Real(file)), src); len(events) > 0 {
		return "Codex does not run hooks that you have not trusted (/hooks, in Codex): " + strings.Join(events, ", ")
	}
	return ""
}

// distrust names what an agent ignores in a folder that its user has not trusted.
var distrust = map[string]string{
	"claude":  "Claude Code ignores what a project allows until you have trusted its folder: start claude here once and accept",
	"codex":   "Codex ignores .codex in a folder that you have not trusted: start codex here once and accept, then /hooks",
	"gemini":  "Gemini CLI ignores .gemini in a folder that you have not trusted: start gemini here once and accept",
	"copilot": "Copilot CLI runs no hooks in a folder that you have not trusted: start copilot here once and accept",
}

// roots returns the paths under which an agent may list this folder as trusted: those of
// the repository's root, and that of its first worktree.
func (t *Site) roots() []string {
	roots := []string{filepath.ToSlash(t.Repo.Root()), filepath.ToSlash(disk.Real(t.Repo.Root()))}
	if first := t.firstWorktree(); first != "" {
		roots = append(roots, filepath.ToSlash(first))
	}
	return roots
}

// firstWorktree returns the root of the repository's first worktree; "" for a bare one,
// and for the user's own settings.
func (t *Site) firstWorktree() string {
	if t.Repo == nil {
		return ""
	}
	if common := t.Repo.CommonDir(); filepath.Base(common) == ".git" {
		return filepath.Dir(common)
	}
	return ""
}

// geminiTrustsAll reports whether the environment or the user's settings make Gemini CLI
// trust all folders.
func (t *Site) geminiTrustsAll() bool {
	if t.Getenv("GEMINI_CLI_TRUST_WORKSPACE") == "true" {
		return true
	}
	gemini, _ := settings.Find("gemini")
	pieces, err := gemini.Pieces(settings.Place{Scope: settings.User, Getenv: t.Getenv})
	if err != nil {
		return false
	}
	src, _ := disk.ReadFile(pieces[0].Path)
	return settings.Value(src, "security", "folderTrust", "enabled") == "false"
}

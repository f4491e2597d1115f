package setup

import (
	"path/filepath"
	"runtime"
	"strings"

	"example.com/ckpt/internal/agent"
	"example.com/ckpt/internal/disk"
)

// trustPiece is what an agent's trust in a folder is called beside the pieces.
const trustPiece = "trust"

// untrusted says what an agent passes over because its user has not trusted it, and
// which file of the agent tells so. It is "" where nothing is, and where nobody can
// know: the agent was never run on this machine, or keeps its trust elsewhere.
func (t *Site) untrusted(a agent.Agent) (says, file string) {
	if a.Name == "claude" && t.permit == PermitNot {
		return "", "" // its hooks run all the same
	}
	if runtime.GOOS == "windows" { // agents differ in how they write paths there
		return "", ""
	}
	if file = a.TrustFile(t.Getenv); file == "" {
		return "", ""
	}
	src, err := disk.ReadFile(file)
	if err != nil || src == nil || a.Name == "gemini" && t.geminiTrustsAll() {
		return "", ""
	}
	if t.scope == agent.Project && a.Trusts(src, t.roots()) == agent.Untrusted {
		return distrust[a.Name], file
	}
	if a.Name != "codex" {
		return "", ""
	}
	pieces, _, err := t.pieces(a)
	if err != nil {
		return "", ""
	}
	hooks, err := t.now(pieces[0].Where())
	if err != nil {
		return "", ""
	}
	if events := agent.UntrustedHooks(src, filepath.ToSlash(disk.Real(t.path(pieces[0].Where()))), hooks); len(events) > 0 {
		return "Codex does not run hooks that you have not trusted (/hooks, in Codex): " + strings.Join(events, ", "), file
	}
	return "", ""
}

// distrust is what an agent does in a folder that its user has not trusted.
var distrust = map[string]string{
	"claude":  "Claude Code ignores what a project allows until you have trusted its folder: start claude here once and accept",
	"codex":   "Codex ignores .codex in a folder that you have not trusted: start codex here once and accept, then /hooks",
	"gemini":  "Gemini CLI ignores .gemini in a folder that you have not trusted: start gemini here once and accept",
	"copilot": "Copilot CLI runs no hooks in a folder that you have not trusted: start copilot here once and accept",
}

// roots are the folders that stand for this one in an agent's list of trusted folders:
// the repository's root, and that of its first worktree.
func (t *Site) roots() []string {
	roots := []string{filepath.ToSlash(t.Repo.Root()), filepath.ToSlash(disk.Real(t.Repo.Root()))}
	if common := t.Repo.CommonDir(); filepath.Base(common) == ".git" {
		roots = append(roots, filepath.ToSlash(filepath.Dir(common)))
	}
	return roots
}

// geminiTrustsAll reports whether Gemini CLI asks for no trust: its environment or its
// user's settings say so.
func (t *Site) geminiTrustsAll() bool {
	if t.Getenv("GEMINI_CLI_TRUST_WORKSPACE") == "true" {
		return true
	}
	gemini, _ := agent.Find("gemini")
	pieces, err := gemini.Pieces(agent.Ground{Scope: agent.User, Getenv: t.Getenv})
	if err != nil {
		return false
	}
	src, _ := disk.ReadFile(pieces[0].Where())
	return agent.Value(src, "security", "folderTrust", "enabled") == "false"
}

package setup

import (
	"bytes"
	"slices"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/disk"
)

const (
	geminiAdvice = `Gemini CLI reads AGENTS.md only where its settings say so: "context": {"fileName": ["AGENTS.md", "GEMINI.md"]}`
	trustAdvice  = "in a clone that is new a session begins with the brief once you have run ckpt trust there, or " +
		"changed something with ckpt; for clones of your own: git config --global --add ckpt.trust " +
		"'git@github.com:ME/*', or CKPT_TRUST=1 in an environment of yours"
	recorderAdvice = "the hooks record what a session does (tools, files, command lines, the last line of failures " +
		"and tests; never contents or other output) and, for you alone, what you say, in the git folder: ckpt log " +
		"--session shows it, git config ckpt.recorder off turns it off, and work keeps no words"
	noBinary = "ckpt is not in PATH: hooks are silent until it is"
)

// advice returns what the user has to do after the setup of an agent.
func (p *Plan) advice(a settings.Agent) []string {
	var all []string
	if a.Name == "gemini" && p.request.Scope == settings.Project && !p.geminiReads("AGENTS.md") {
		all = append(all, geminiAdvice)
	}
	if a.Distrust != "" && p.request.Scope == settings.Project {
		all = append(all, a.Title+" "+a.Distrust)
	}
	switch p.request.Scope {
	case settings.User:
		all = append(all, trustAdvice)
	case settings.Local:
		all = append(all, "keep "+a.Title+"'s local settings out of git: they are for you alone")
	}
	if !disk.Installed("ckpt", p.Getenv) {
		all = append(all, noBinary)
	}
	return all
}

// geminiReads reports whether Gemini's settings name a file of instructions.
func (p *Plan) geminiReads(name string) bool {
	gemini, _ := settings.Find("gemini")
	scopes := []settings.Scope{settings.User}
	if p.Repo != nil {
		scopes = append(scopes, settings.Project)
	}
	return slices.ContainsFunc(scopes, func(scope settings.Scope) bool {
		pieces, err := gemini.Pieces(p.target(scope, settings.Memories()[0]))
		if err != nil {
			return false
		}
		src, _ := disk.ReadFile(p.pathIn(scope, pieces[0]))
		return bytes.Contains(src, []byte(`"`+name+`"`))
	})
}

// permissionAdvice returns what the user can do if setup cannot let an agent run ckpt without asking. It is empty if
// setup can, or if the agent does not ask.
func (p *Plan) permissionAdvice(a settings.Agent) string {
	switch {
	case a.Name == "gemini" && p.request.Scope == settings.Project:
		return "Gemini CLI takes no permissions from a project: ckpt setup gemini --user --permissions allows it in " +
			"all your projects"
	case a.Name == "copilot":
		return "Copilot CLI asks before each command of ckpt: it has no rule for some of a program's commands, only " +
			"for all of them (copilot --allow-tool 'shell(ckpt)')"
	case a.Name == "cursor" && p.request.Scope == settings.User:
		return "Cursor writes the file with its user's permissions itself: ckpt setup cursor grants them in a project"
	}
	return ""
}

package setup

import (
	"strings"

	"example.com/ckpt/internal/agent"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/disk"
)

// leavesOut reports whether the request is not about a piece.
func (t *Site) leavesOut(piece agent.Piece) bool {
	switch t.permit {
	case PermitNot:
		return agent.IsPermission(piece)
	case PermitOnly:
		return !agent.IsPermission(piece)
	}
	return false
}

// grant notes what a piece lets an agent run, and which rules of the user win over it.
func (t *Site) grant(a agent.Agent, piece agent.Piece) {
	state, _, err := t.state(piece)
	if !agent.IsPermission(piece) || err != nil || state != agent.Present {
		return
	}
	g := result.Grant{Agent: a.Name, Path: piece.Where(), Commands: agent.Granted()}
	if agent.HasTools(piece) {
		g.Tools = agent.GrantedTools()
	}
	t.granted = append(t.granted, g)
	src, _ := t.now(piece.Where())
	for _, entry := range agent.Overruled(piece, src) {
		t.remark(piece.Where() + ": " + entry + ", which wins over what setup allows")
	}
}

// unpermitted returns advice for the user where setup cannot let an agent run ckpt
// without asking. It is empty where setup can, or where the agent does not ask.
func (t *Site) unpermitted(a agent.Agent) string {
	switch {
	case a.Name == "gemini" && t.scope == agent.Project && !t.userPermits(a):
		return "Gemini CLI takes no permissions from a project: ckpt setup gemini --user --permissions allows it in all your projects"
	case a.Name == "copilot":
		return "Copilot CLI asks before each command of ckpt: it has no rule for some of a program's commands, only for all of them (copilot --allow-tool 'shell(ckpt)')"
	case a.Name == "cursor" && t.scope == agent.User:
		return "Cursor writes the file with its user's permissions itself: ckpt setup cursor grants them in a project"
	case a.Name == "opencode" && t.restricted(a):
		return `OpenCode's settings restrict commands: add "ckpt note *": "allow", and so on, at the end of permission.bash`
	}
	return ""
}

// userPermits reports whether the user's own settings let an agent run ckpt.
func (t *Site) userPermits(a agent.Agent) bool {
	pieces, err := a.Pieces(agent.Ground{Scope: agent.User, Folder: t.Folder, Getenv: t.Getenv})
	if err != nil {
		return false
	}
	for _, piece := range pieces {
		if !agent.IsPermission(piece) {
			continue
		}
		src, _ := disk.ReadFile(piece.Where())
		state, _, err := piece.State(src)
		return err == nil && state != agent.Absent
	}
	return false
}

// restricted reports whether settings of OpenCode, of the project or the user, have it
// ask before commands: by itself it asks for none.
func (t *Site) restricted(a agent.Agent) bool {
	for _, scope := range []agent.Scope{agent.Project, agent.User} {
		pieces, err := a.Pieces(agent.Ground{Scope: scope, Folder: t.Folder, Memory: agent.Memories()[1], Getenv: t.Getenv})
		if err != nil {
			continue
		}
		for _, piece := range pieces {
			if !agent.Optional(piece) {
				continue
			}
			src, _ := disk.ReadFile(t.in(scope, piece))
			said := agent.Value(src, "permission")
			if bash := agent.Value(src, "permission", "bash"); bash != "" {
				said = bash
			}
			if !strings.Contains(said, `"ckpt`) && (strings.Contains(said, `"ask"`) || strings.Contains(said, `"deny"`)) {
				return true
			}
		}
	}
	return false
}

// in returns the path of a piece in a scope.
func (t *Site) in(scope agent.Scope, piece agent.Piece) string {
	if scope == agent.User {
		return piece.Where()
	}
	return t.path(piece.Where())
}

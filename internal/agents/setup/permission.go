package setup

import (
	"strings"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/result"
)

// leavesOut reports whether the request is not about a piece.
func (t *Site) leavesOut(piece settings.Piece) bool {
	switch t.permit {
	case PermitNot:
		return piece.What == settings.PermissionPiece
	case PermitOnly:
		return piece.What != settings.PermissionPiece
	}
	return false
}

// grant notes what a piece lets an agent run, and which rules of the user win over it.
func (t *Site) grant(a settings.Agent, piece settings.Piece) {
	state, _, err := t.state(piece)
	if piece.What != settings.PermissionPiece || err != nil || state != settings.Present {
		return
	}
	g := result.Grant{Agent: a.Name, Path: piece.Path, Commands: settings.Granted()}
	if settings.HasTools(piece) {
		g.Tools = settings.GrantedTools()
	}
	t.granted = append(t.granted, g)
	src, _ := t.now(piece.Path)
	for _, entry := range settings.Overruled(piece, src) {
		t.remark(piece.Path + ": " + entry + ", which wins over what setup allows")
	}
}

// unpermitted returns advice for the user where setup cannot let an agent run ckpt
// without asking. It is empty where setup can, or where the agent does not ask.
func (t *Site) unpermitted(a settings.Agent) string {
	switch {
	case a.Name == "gemini" && t.scope == settings.Project && !t.userPermits(a):
		return "Gemini CLI takes no permissions from a project: ckpt setup gemini --user --permissions allows it in all your projects"
	case a.Name == "copilot":
		return "Copilot CLI asks before each command of ckpt: it has no rule for some of a program's commands, only for all of them (copilot --allow-tool 'shell(ckpt)')"
	case a.Name == "cursor" && t.scope == settings.User:
		return "Cursor writes the file with its user's permissions itself: ckpt setup cursor grants them in a project"
	case a.Name == "opencode" && t.restricted(a):
		return `OpenCode's settings restrict commands: add "ckpt note *": "allow", and so on, at the end of permission.bash`
	}
	return ""
}

// userPermits reports whether the user's own settings let an agent run ckpt.
func (t *Site) userPermits(a settings.Agent) bool {
	pieces, err := a.Pieces(settings.Place{Scope: settings.User, Folder: t.Folder, Getenv: t.Getenv})
	if err != nil {
		return false
	}
	for _, piece := range pieces {
		if piece.What != settings.PermissionPiece {
			continue
		}
		src, _ := disk.ReadFile(piece.Path)
		state, _, err := piece.State(src)
		return err == nil && state != settings.Absent
	}
	return false
}

// restricted reports whether settings of OpenCode, of the project or the user, have it
// ask before commands: by itself it asks for none.
func (t *Site) restricted(a settings.Agent) bool {
	for _, scope := range []settings.Scope{settings.Project, settings.User} {
		pieces, err := a.Pieces(settings.Place{Scope: scope, Folder: t.Folder, Memory: settings.Memories()[1], Getenv: t.Getenv})
		if err != nil {
			continue
		}
		for _, piece := range pieces {
			if !piece.IsOptional() {
				continue
			}
			src, _ := disk.ReadFile(t.in(scope, piece))
			said := settings.Value(src, "permission")
			if bash := settings.Value(src, "permission", "bash"); bash != "" {
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
func (t *Site) in(scope settings.Scope, piece settings.Piece) string {
	if scope == settings.User {
		return piece.Path
	}
	return t.path(piece.Path)
}

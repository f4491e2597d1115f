package setup

import (
	"strings"

	"example.com/ckpt/internal/agent"
	"example.com/ckpt/internal/disk"
)

// asksFor reports whether the request is for an optional piece. It leaves a status line
// of the user's own in place, with a remark.
func (t *Site) asksFor(a agent.Agent, piece agent.Piece) bool {
	if !agent.IsStatusLine(piece) {
		return t.server
	}
	if !t.status {
		return false
	}
	if own := t.ownStatusLine(a); own != "" {
		t.remark("kept the status line in " + own + " (the command for that of ckpt: " + a.Mark() + "status-line)")
		return false
	}
	if t.scope == agent.Project {
		t.remark(localAdvice(a))
	}
	return true
}

// ownStatusLine returns the file with a status line that is not ours. An agent shows only
// the one of its narrowest settings.
func (t *Site) ownStatusLine(a agent.Agent) string {
	for _, scope := range []agent.Scope{agent.Local, agent.Project, agent.User} {
		if scope != agent.User && t.Repo == nil {
			continue
		}
		pieces, err := a.Pieces(agent.Ground{Scope: scope, Folder: t.Folder, Memory: agent.Memories()[0], Getenv: t.Getenv})
		if err != nil {
			continue
		}
		src, _ := disk.ReadFile(t.in(scope, pieces[0]))
		if said := agent.Value(src, "statusLine"); said != "" && !strings.Contains(said, a.Mark()) {
			return pieces[0].Where()
		}
	}
	return ""
}

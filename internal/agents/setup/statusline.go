package setup

import (
	"strings"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/disk"
)

// asksFor reports whether the request is for an optional piece. It leaves a status line
// of the user's own in place, with a remark.
func (t *Site) asksFor(a settings.Agent, piece settings.Piece) bool {
	if piece.What != settings.StatusPiece {
		return t.server
	}
	if !t.status {
		return false
	}
	if own := t.ownStatusLine(a); own != "" {
		t.remark("kept the status line in " + own + " (the command for that of ckpt: " + a.Mark() + "status-line)")
		return false
	}
	if t.scope == settings.Project {
		t.remark(localAdvice(a))
	}
	return true
}

// ownStatusLine returns the file with a status line that is not ours. An agent shows only
// the one of its narrowest settings.
func (t *Site) ownStatusLine(a settings.Agent) string {
	for _, scope := range []settings.Scope{settings.Local, settings.Project, settings.User} {
		if scope != settings.User && t.Repo == nil {
			continue
		}
		pieces, err := a.Pieces(settings.Place{Scope: scope, Folder: t.Folder, Memory: settings.Memories()[0], Getenv: t.Getenv})
		if err != nil {
			continue
		}
		src, _ := disk.ReadFile(t.in(scope, pieces[0]))
		if said := settings.Value(src, "statusLine"); said != "" && !strings.Contains(said, a.Mark()) {
			return pieces[0].Path
		}
	}
	return ""
}

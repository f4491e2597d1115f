package hooks

import (
	"context"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// statusLineAction is how many characters of the next action a status line shows.
const statusLineAction = 60

// statusLine returns the text of an agent's status line: the current checkpoint, its next
// action, and whether a delta is due. It is empty where no checkpoint is current.
func (p *Handler) statusLine(ctx context.Context) (string, error) {
	set, err := p.Read(ctx, store.Live)
	if err != nil {
		return "", err
	}
	c, err := p.resume.ToResume(ctx, set, "")
	if c == nil || err != nil || c.Status() == checkpoint.Archived {
		return "", err
	}
	parts := []string{c.ID}
	if next := workspace.Cut(text.OneLine(c.FirstAction()), statusLineAction); next != "" {
		parts = append(parts, next)
	}
	answer, err := p.query.DueIn(ctx, set)
	if err == nil && answer.Due() {
		parts = append(parts, "delta due: "+strings.Join(answer.Why(), ", "))
	}
	return strings.Join(parts, " · "), err
}

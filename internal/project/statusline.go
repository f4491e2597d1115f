package project

import (
	"context"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/text"
	"example.com/ckpt/internal/store"
)

// statusLineAction is how many characters of the next action a status line shows.
const statusLineAction = 60

// statusLine returns the text of an agent's status line: the current checkpoint, its next
// action, and whether a delta is due. It is empty where no checkpoint is current.
func (p *Project) statusLine(ctx context.Context) (string, error) {
	set, err := p.read(ctx, store.Live)
	if err != nil {
		return "", err
	}
	c, err := p.toResume(ctx, set, "")
	if c == nil || err != nil || c.Status() == checkpoint.Archived {
		return "", err
	}
	parts := []string{c.ID}
	if next := cut(text.OneLine(c.FirstAction()), statusLineAction); next != "" {
		parts = append(parts, next)
	}
	answer, err := p.dueIn(ctx, set)
	if err == nil && answer.Due() {
		parts = append(parts, "delta due: "+strings.Join(answer.Why(), ", "))
	}
	return strings.Join(parts, " · "), err
}

// Package explore implements mark and rewind. A mark begins an exploration in the current checkpoint:
// notes go to its scratch. A rewind replaces the mark and the scratch by a report; the scratch
// remains in git. Subagents may do neither, because the exploration belongs to the agent that
// called them.
package explore

import (
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
)

// Explorer begins and ends explorations.
type Explorer struct {
	*workspace.Workspace
	sign func(*checkpoint.Checkpoint, *revise.Revision) // records the agent that made a change
}

// New returns the Explorer of a workspace.
func New(w *workspace.Workspace) *Explorer { return &Explorer{w, edit.New(w).Sign} }

// MayExplore refuses agents that must not begin an exploration: subagents, and all agents if
// config.yaml turns explorations off.
func (p *Explorer) MayExplore() error {
	if err := p.topLevel(); err != nil {
		return err
	}
	policy, err := p.Disk.Config()
	if err == nil && policy.NoExploring {
		err = fault.New(fault.Unsupported, "explorations are turned off: config.yaml has checkpoint.enabled: false").
			WithHint("ckpt note writes to the checkpoint itself")
	}
	return err
}

// marked returns the checkpoint with the open exploration of the session. It fails if there is none.
func (p *Explorer) marked(view *workspace.View) (*checkpoint.Checkpoint, checkpoint.Mark, error) {
	if c := Open(p.Workspace, view, p.Session); c != nil {
		m, _ := c.Mark()
		return c, m, nil
	}
	c, err := view.Open("")
	if err == nil {
		err = noMark(c)
	}
	return nil, checkpoint.Mark{}, err
}

// unmarked returns the current checkpoint. It fails if the session has an open exploration.
func (p *Explorer) unmarked(view *workspace.View) (*checkpoint.Checkpoint, error) {
	c, err := view.Open("")
	open := Open(p.Workspace, view, p.Session)
	if err != nil || open == nil {
		return c, err
	}
	m, _ := open.Mark()
	end := "ckpt rewind REPORT"
	if open.ID != c.ID {
		end = "ckpt rewind -c " + open.ID + " REPORT"
	}
	return nil, fault.New(fault.Usage, "Checkpoint already active.").
		WithHint("%s ends the one of %s (%s)", end, checkpoint.FormatTime(m.At), text.FirstLine(m.Goal))
}

// topLevel refuses a subagent, since the exploration belongs to its parent.
func (p *Explorer) topLevel() error {
	if p.Subagent {
		return fault.New(fault.Unsupported, "Checkpoint not available in subagents.").
			WithHint("report to the agent that called you")
	}
	return nil
}

// Open returns the checkpoint with the open exploration of a session, or nil. It tries the current
// checkpoint first, then those that the session has worked on and the one that was current in this
// worktree before. If a checkpoint is pinned, it tries only that one.
func Open(w *workspace.Workspace, view *workspace.View, session string) *checkpoint.Checkpoint {
	isOpen := func(c *checkpoint.Checkpoint) bool {
		_, marked := c.Mark()
		return marked && c.Status() != checkpoint.Archived
	}
	if c, err := view.Target(""); err == nil && isOpen(c) {
		return c
	}
	if w.Pinned != "" {
		return nil
	}
	previous, _ := w.Previous()
	for _, c := range view.Set.Active() {
		isOwn := c.ID == previous || session != "" && c.Field("session") == session
		if isOwn && isOpen(c) {
			return c
		}
	}
	return nil
}

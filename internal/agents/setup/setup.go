// Package setup ties agents and git to ckpt, and unties them: it plans what the
// pieces of package agent, or hooks of git, make of the user's files, and writes all
// of it or nothing. It touches no checkpoint and commits nothing.
package setup

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/result"
)

// Request says which agents are meant, and for whom.
type Request struct {
	Agents []string
	Scope  settings.Scope
	Server bool // with `ckpt mcp`, so that the agent has tools
	Status bool // with a status line
	Permit Permit
}

// Permit selects whether the permissions are part of a request.
type Permit string

// The permissions are set up with the rest, left out, or set up alone.
const (
	PermitToo  Permit = ""
	PermitNot  Permit = "none"
	PermitOnly Permit = "only"
)

// Add ties agents to ckpt: their hooks, a skill, a few lines of instructions.
func Add(ctx context.Context, at Place, req Request) (*result.Receipt, error) {
	return refit(ctx, at, req, "setup", (*Site).add)
}

// Remove takes out what Add wrote, to the last byte. What other agents that are set
// up need stays.
func Remove(ctx context.Context, at Place, req Request) (*result.Receipt, error) {
	return refit(ctx, at, req, "unsetup", (*Site).drop)
}

// refit plans the change to all files, which may refuse it, and then writes them.
func refit(ctx context.Context, at Place, req Request, op string, plan func(*Site, []settings.Agent) error) (*result.Receipt, error) {
	agents, err := Find(req.Agents)
	if err != nil {
		return nil, err
	}
	t := at.open(req.Scope)
	t.server, t.status, t.permit = req.Server, req.Status, req.Permit
	if t.Repo != nil && !at.DryRun {
		unlock, err := t.Repo.Lock(ctx, disk.Exclusive)
		if err != nil {
			return nil, err
		}
		defer unlock()
	}
	if err := plan(t, agents); err != nil {
		return nil, err
	}
	return t.Perform(op, agents)
}

// Plan is what Add would do for the project, for whoever does it together with
// something else.
func Plan(at Place, names []string) (*Site, []settings.Agent, error) {
	agents, err := Find(names)
	if err != nil {
		return nil, nil, err
	}
	t := at.open(settings.Project)
	return t, agents, t.add(agents)
}

// Perform writes what is planned.
func (t *Site) Perform(op string, agents []settings.Agent) (*result.Receipt, error) {
	var names []string
	for _, a := range agents {
		names = append(names, a.Name)
	}
	receipt := &result.Receipt{Op: op, Summary: strings.Join(names, ", "), Remarks: t.remarks, Granted: t.granted}
	for _, f := range t.files.Files {
		receipt.Files = append(receipt.Files, f.Path)
	}
	switch {
	case t.files.Empty():
		receipt.Unchanged = true
		return receipt, nil
	case t.DryRun:
		receipt.DryRun, receipt.Diff = true, change.Patch(t.files.Files)
		return receipt, nil
	}
	receipt.Pending = "not committed: these files are yours"
	if t.scope != settings.Project {
		receipt.Pending = "for you alone"
	}
	return receipt, t.write()
}

// Find is the agents that are named, each once, in the order in which they are set up.
func Find(names []string) ([]settings.Agent, error) {
	for _, name := range names {
		if _, err := settings.Find(name); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(settings.All(), func(a settings.Agent) bool { return !slices.Contains(names, a.Name) }), nil
}

// add plans all pieces of the agents.
func (t *Site) add(agents []settings.Agent) error {
	for _, a := range agents {
		pieces, why, err := t.pieces(a)
		if err != nil {
			return err
		}
		t.remark(why)
		for _, piece := range pieces {
			if t.leavesOut(piece) || piece.IsOptional() && !t.asksFor(a, piece) {
				continue
			}
			if err := t.plan(piece, piece.Add); err != nil {
				return err
			}
			if state, said, _ := t.state(piece); state == settings.Edited {
				t.remark(piece.Path + ": " + said + ": left as it is")
			}
			t.grant(a, piece)
		}
		if t.status && !slices.ContainsFunc(pieces, func(p settings.Piece) bool { return p.What == settings.StatusPiece }) {
			t.remark(a.Title + " takes no status line from ckpt")
		}
		if t.permit != PermitNot {
			t.remark(t.unpermitted(a))
		}
		if t.permit != PermitOnly {
			t.remark(t.advice(a)...)
		}
	}
	if t.permit != PermitOnly {
		t.remark(recorderAdvice)
	}
	return nil
}

// drop plans to take out the pieces of the agents that no other agent needs.
func (t *Site) drop(agents []settings.Agent) error {
	needed := map[string]bool{}
	for _, other := range settings.All() {
		if slices.ContainsFunc(agents, func(a settings.Agent) bool { return a.Name == other.Name }) {
			continue
		}
		pieces, _, err := t.pieces(other)
		if err != nil || len(pieces) == 0 {
			continue // it cannot be set up here
		}
		if !t.calls(other, pieces[0]) {
			continue
		}
		for _, piece := range pieces {
			needed[t.real(piece)] = true
		}
	}
	for _, a := range agents {
		for _, memory := range settings.Memories() {
			pieces, err := a.Pieces(t.ground(memory))
			if err != nil {
				return err
			}
			for _, piece := range pieces {
				if needed[t.real(piece)] || t.leavesOut(piece) {
					continue
				}
				if err := t.plan(piece, piece.Drop); err != nil {
					return err
				}
				if state, said, _ := t.state(piece); state == settings.Edited {
					t.remark(piece.Path + ": " + said + ": it stays, for you to remove")
				}
			}
		}
	}
	return nil
}

// calls says whether an agent's hooks call ckpt, as far as anybody can tell of a file
// that cannot be read as settings.
func (t *Site) calls(a settings.Agent, hooks settings.Piece) bool {
	state, _, err := t.state(hooks)
	if err != nil {
		src, _ := t.now(hooks.Path)
		return bytes.Contains(src, []byte(a.Mark()))
	}
	return state != settings.Absent
}

// Package setup connects agents and git with ckpt, and disconnects them.
//
// It plans the edits of the user's files with the pieces of package settings, and writes all of the files or none.
// Unsetup restores the bytes that were there before. The package changes no checkpoint, commits nothing, does not write
// through a symbolic link that leaves the repository, and does not change pieces that a user has edited.
package setup

import (
	"bytes"
	"context"
	"slices"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
)

// Request names agents, what to set up for them, and in which scope.
type Request struct {
	Agents []string
	Scope  settings.Scope
	Server bool // also set up `ckpt mcp`, so that the agent has tools
	Permit Permit
}

// Permit selects whether the permissions are part of a request.
type Permit string

// The choices: permissions are set up with all other pieces, left out, or set up alone.
const (
	PermitToo  Permit = ""
	PermitNot  Permit = "none"
	PermitOnly Permit = "only"
)

// leavesOut reports whether a request leaves out a piece.
func (r Request) leavesOut(piece settings.Piece) bool {
	switch r.Permit {
	case PermitNot:
		return piece.What == settings.PermissionPiece
	case PermitOnly:
		return piece.What != settings.PermissionPiece
	}
	return false
}

// Setup connects agents with ckpt: it writes their hooks, skills, permissions and a few lines of
// instructions. It also makes the clone trusted.
func Setup(ctx context.Context, s workspace.Settings, req Request) (*result.Receipt, error) {
	at, w, err := placeOf(ctx, s, req.Scope)
	if err != nil {
		return nil, err
	}
	receipt, err := at.perform(ctx, req, "setup", (*Plan).add)
	if err != nil || w == nil {
		return receipt, err
	}
	if !receipt.Unchanged && !receipt.DryRun {
		w.Trust.ByChange(w.InHook)
	}
	return receipt, nil
}

// Unsetup removes what Setup wrote, to the last byte. It keeps the pieces that other agents need, if these are set up.
func Unsetup(ctx context.Context, s workspace.Settings, req Request) (*result.Receipt, error) {
	at, _, err := placeOf(ctx, s, req.Scope)
	if err != nil {
		return nil, err
	}
	return at.perform(ctx, req, "unsetup", (*Plan).drop)
}

// placeOf returns the place of a scope, and its workspace, which is nil for the user's own settings.
func placeOf(ctx context.Context, s workspace.Settings, scope settings.Scope) (Place, *workspace.Workspace, error) {
	if scope == settings.User {
		return user(s), nil, nil
	}
	w, err := workspace.Open(ctx, s)
	if err != nil {
		return Place{}, nil, err
	}
	return In(w), w, nil
}

// user returns the place of the user's own settings.
func user(s workspace.Settings) Place {
	return Place{Folder: workspace.DefaultFolder, Files: workspace.DefaultFolder, Getenv: s.Env, DryRun: s.DryRun}
}

// In returns the place of a repository.
func In(w *workspace.Workspace) Place {
	return Place{Repo: w.Repo, Folder: w.Prefix, Files: w.FilesDir(), Getenv: w.Env, DryRun: w.DryRun}
}

// perform plans the edits of all files and then writes them. If an edit is refused, it writes none.
func (at Place) perform(ctx context.Context, req Request, op string, plan func(*Plan) error) (*result.Receipt, error) {
	agents, err := Find(req.Agents)
	if err != nil {
		return nil, err
	}
	p := at.plan(req)
	p.agents = agents
	if p.Repo != nil && !at.DryRun {
		unlock, err := p.Repo.Lock(ctx, disk.Exclusive)
		if err != nil {
			return nil, err
		}
		defer unlock()
	}
	if err := plan(p); err != nil {
		return nil, err
	}
	return p.Apply(op)
}

// Prepare plans the setup of agents in a repository, for a caller that applies it together with
// other changes.
func (at Place) Prepare(names []string) (*Plan, error) {
	agents, err := Find(names)
	if err != nil {
		return nil, err
	}
	p := at.plan(Request{Scope: settings.Project})
	p.agents = agents
	return p, p.add()
}

// Find returns the agents with these names, each once, in the order of their setup.
func Find(names []string) ([]settings.Agent, error) {
	for _, name := range names {
		if _, err := settings.Find(name); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(settings.All(), func(a settings.Agent) bool { return !slices.Contains(names, a.Name) }), nil
}

// add plans all pieces of the agents.
func (p *Plan) add() error {
	for _, a := range p.agents {
		pieces, why, err := p.pieces(a)
		if err != nil {
			return err
		}
		p.remark(why)
		for _, piece := range pieces {
			if p.request.leavesOut(piece) || piece.IsOptional() && !p.request.Server {
				continue
			}
			if err := p.edit(piece, piece.Add); err != nil {
				return err
			}
			if state, remark, _ := p.state(piece); state == settings.Edited {
				p.remark(piece.Path + ": " + remark + ": left as it is")
			}
			p.grant(a, piece)
		}
		if p.request.Permit != PermitNot {
			p.remark(p.permissionAdvice(a))
		}
		if p.request.Permit != PermitOnly {
			p.remark(p.advice(a)...)
		}
	}
	if p.request.Permit != PermitOnly {
		p.remark(recorderAdvice)
	}
	return nil
}

// drop plans to remove the pieces of the agents, except those that other agents need.
func (p *Plan) drop() error {
	needed := map[string]bool{}
	for _, other := range settings.All() {
		if slices.ContainsFunc(p.agents, func(a settings.Agent) bool { return a.Name == other.Name }) {
			continue
		}
		pieces, err := other.Pieces(p.target(p.request.Scope, p.memory(other)))
		if err != nil || !p.calls(other, pieces[0]) {
			continue
		}
		for _, piece := range pieces {
			needed[p.realPath(piece)] = true
		}
	}
	for _, a := range p.agents {
		for _, memory := range settings.Memories() {
			pieces, err := a.Pieces(p.target(p.request.Scope, memory))
			if err != nil {
				return err
			}
			for _, piece := range pieces {
				if needed[p.realPath(piece)] || p.request.leavesOut(piece) {
					continue
				}
				if err := p.edit(piece, piece.Drop); err != nil {
					return err
				}
				if state, remark, _ := p.state(piece); state == settings.Edited {
					p.remark(piece.Path + ": " + remark + ": it stays, for you to remove")
				}
			}
		}
	}
	return nil
}

// calls reports whether the file of an agent's hooks calls ckpt. If the file cannot be parsed, calls searches
// its text for the command.
func (p *Plan) calls(a settings.Agent, hooks settings.Piece) bool {
	state, _, err := p.state(hooks)
	if err != nil {
		src, _ := p.read(hooks.Path)
		return bytes.Contains(src, []byte(a.Mark()))
	}
	return state != settings.Absent
}

func (p *Plan) target(scope settings.Scope, memory string) settings.Target {
	return settings.Target{Scope: scope, Folder: p.Files, Memory: memory, Getenv: p.Getenv}
}

// pieces returns the pieces that setup writes for an agent, or the reason why it writes none.
func (p *Plan) pieces(a settings.Agent) (all []settings.Piece, why string, err error) {
	memories := settings.Memories()
	if a.Name == "copilot" && p.request.Scope == settings.Project {
		claude, _ := settings.Find("claude")
		hooks, err := claude.Pieces(p.target(settings.Project, memories[0]))
		if err != nil {
			return nil, "", err
		}
		if state, _, err := p.state(hooks[0]); err == nil && state != settings.Absent {
			return nil, a.Title + " reads " + hooks[0].Path + " and what goes with it: it needs nothing of its own", nil
		}
	}
	target := p.target(p.request.Scope, p.memory(a))
	all, err = a.Pieces(target)
	hasServer := slices.ContainsFunc(all, func(piece settings.Piece) bool {
		if piece.What != settings.ServerPiece {
			return false
		}
		state, _, err := p.state(piece)
		return err == nil && state == settings.Present
	})
	if err == nil && (p.request.Server || hasServer) {
		target.Tools = true
		all, err = a.Pieces(target)
	}
	return all, "", err
}

// memory returns the file for an agent's instructions.
func (p *Plan) memory(a settings.Agent) string {
	memories := settings.Memories()
	if p.root == "" {
		return memories[1]
	}
	same := disk.Real(p.path(memories[0])) == disk.Real(p.path(memories[1]))
	return a.Memory(func(name string) []byte {
		src, _ := p.read(name) // if this fails, the edit of the file returns the error
		return src
	}, same)
}

// grant adds to the receipt which commands a piece lets an agent run.
func (p *Plan) grant(a settings.Agent, piece settings.Piece) {
	state, _, err := p.state(piece)
	if piece.What != settings.PermissionPiece || err != nil || state != settings.Present {
		return
	}
	g := result.Grant{Agent: a.Name, Path: piece.Path, Commands: settings.Granted}
	if settings.HasTools(piece) {
		g.Tools = settings.GrantedTools
	}
	p.granted = append(p.granted, g)
}

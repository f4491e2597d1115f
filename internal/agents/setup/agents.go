package setup

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
)

// Check returns the state of the named agents in one scope. Without names, it covers the agents
// that are set up in that scope.
func Check(ctx context.Context, s workspace.Settings, req Request) (*result.Agents, error) {
	at, _, err := placeOf(ctx, s, req.Scope)
	if err != nil {
		return nil, err
	}
	return at.Check(req)
}

// Check returns the state of agents at a place.
func (at Place) Check(req Request) (*result.Agents, error) {
	agents, err := Find(req.Agents)
	if err != nil {
		return nil, err
	}
	p := at.plan(req)
	if len(agents) == 0 {
		all := slices.DeleteFunc(p.setUp(), func(e result.Agent) bool { return len(e.Pieces) == 0 })
		return &result.Agents{Entries: all}, nil
	}
	found := &result.Agents{}
	for _, a := range agents {
		entry, err := p.entry(a)
		if err != nil {
			return nil, err
		}
		found.Entries = append(found.Entries, entry)
	}
	return found, nil
}

// All returns the state of every agent, set up or not. An agent that is set up in several scopes has one entry for each
// scope. Outside of a repository only the user's own settings count.
func All(ctx context.Context, s workspace.Settings) (*result.Agents, error) {
	at := user(s)
	w, err := workspace.Open(ctx, s)
	kind := fault.KindOf(err)
	switch {
	case err == nil:
		at = In(w)
	case kind != fault.NotFound && kind != fault.Unsupported: // the repository cannot be opened
		return nil, err
	}
	found := &result.Agents{}
	entries := at.everywhere()
	for _, a := range settings.All() {
		n := len(found.Entries)
		for _, e := range entries {
			if e.Name == a.Name {
				found.Entries = append(found.Entries, e)
			}
		}
		if len(found.Entries) == n {
			found.Entries = append(found.Entries, result.Agent{Name: a.Name, Title: a.Title})
		}
	}
	return found, nil
}

// everywhere returns the agents that are set up in any scope of a place.
func (at Place) everywhere() []result.Agent {
	var all []result.Agent
	seen := map[string]bool{} // for a repository in the user's home, both scopes are one file
	for _, scope := range []settings.Scope{settings.Project, settings.Local, settings.User} {
		if scope != settings.User && at.Repo == nil {
			continue
		}
		p := at.plan(Request{Scope: scope})
		for _, entry := range p.setUp() {
			if len(entry.Pieces) > 0 {
				path := disk.Real(p.path(entry.Pieces[0].Path))
				if seen[path] {
					continue
				}
				seen[path] = true
			}
			all = append(all, entry)
		}
	}
	return all
}

// setUp returns the agents that are set up in the scope of a plan, or that need no setup there.
func (p *Plan) setUp() []result.Agent {
	var all []result.Agent
	for _, a := range settings.All() {
		if entry, err := p.entry(a); err == nil && (entry.SetUp() || entry.Remark != "") {
			all = append(all, entry)
		}
	}
	return all
}

// entry returns the state of an agent.
func (p *Plan) entry(a settings.Agent) (result.Agent, error) {
	entry := result.Agent{Name: a.Name, Title: a.Title, Scope: string(p.request.Scope)}
	pieces, why, err := p.pieces(a)
	if err != nil {
		return entry, err
	}
	entry.Remark = why
	for _, piece := range pieces {
		state, remark, err := p.state(piece)
		present := err == nil && state == settings.Present
		if piece.IsOptional() && !present || p.request.leavesOut(piece) {
			continue
		}
		listed := result.Piece{What: piece.What, Path: piece.Path, State: string(state), Says: remark}
		if err != nil {
			listed.State = "unreadable"
			listed.Says = err.Error()
		}
		entry.Pieces = append(entry.Pieces, listed)
	}
	return entry, nil
}

// Diagnose adds to a diagnosis the agents that call ckpt, and the problems that keep an agent from calling
// ckpt or make it call ckpt twice.
func (at Place) Diagnose(d *result.Diagnosis) {
	entries := at.everywhere()
	if len(entries) == 0 {
		return
	}
	p := at.plan(Request{Scope: settings.Project})
	var names []string
	scopes := map[string][]string{}
	for _, e := range entries {
		scopes[e.Name] = append(scopes[e.Name], e.Scope)
		if len(e.Pieces) == 0 { // the hooks of another agent call ckpt for it
			continue
		}
		names = append(names, e.Name+" ("+e.Scope+")")
		name := e.Name + flagOf(e.Scope)
		for _, piece := range e.Pieces {
			switch {
			case piece.What == settings.PermissionPiece && piece.State == string(settings.Absent):
				d.AddFact(e.Title, "asks before it runs ckpt (ckpt setup "+name+" --permissions)")
			case piece.State == string(settings.Stale), piece.State == string(settings.Absent):
				what := piece.Path + ": the " + piece.What + " for " + e.Title + " are not as this version writes them (" +
					piece.State + ")"
				if piece.Says != "" {
					what += ": " + piece.Says
				}
				d.AddProblem("agent-stale", what, "ckpt setup "+name)
			case piece.State == "unreadable":
				d.AddProblem("agent-settings", piece.Says, "fix it by hand")
			}
		}
		hooks := settings.Piece{Path: e.Pieces[0].Path}
		src, _ := disk.ReadFile(p.pathIn(settings.Scope(e.Scope), hooks))
		if settings.HasHooksOff(src) {
			d.AddProblem("agent-off", hooks.Path+" has disableAllHooks: no hook runs", "remove it")
		}
		if settings.HasPlugin(src) {
			scopes[e.Name] = append(scopes[e.Name], "plugin")
		}
	}
	d.AddFact("agents", strings.Join(names, ", "))
	for _, a := range settings.All() {
		all := scopes[a.Name]
		if len(all) > 1 {
			d.AddProblem("agent-twice", a.Title+" calls ckpt more than once for each event: "+
				strings.Join(all, ", "), "ckpt unsetup "+a.Name+flagOf(all[len(all)-1]))
		}
		if slices.Contains(all, string(settings.Project)) && a.Distrust != "" {
			d.AddFact(a.Title, a.Distrust)
		}
		if a.Name == "gemini" && len(all) > 0 && !p.geminiReads("AGENTS.md") {
			d.AddFact(a.Title, strings.TrimPrefix(geminiAdvice, a.Title+" "))
		}
	}
	copilot := p.path(".github/hooks/ckpt.json")
	if slices.Contains(scopes["claude"], string(settings.Project)) && disk.Exists(copilot) {
		d.AddProblem("agent-twice", "Copilot CLI runs the hooks of .claude/settings.json besides "+
			".github/hooks/ckpt.json", "ckpt unsetup copilot")
	}
	if !disk.Installed("ckpt", p.Getenv) {
		d.AddProblem("agent-path", noBinary, "put ckpt into a folder of PATH that the agent has, too")
	}
}

// flagOf returns the flag that names a scope.
func flagOf(scope string) string {
	if scope == string(settings.Project) || scope == "plugin" {
		return ""
	}
	return " --" + scope
}

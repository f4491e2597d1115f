package setup

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/result"
)

// Agents says how the named agents stand in one scope; where none is named, those
// that are set up in it.
func Agents(at Place, req Request) (*result.Agents, error) {
	agents, err := Find(req.Agents)
	if err != nil {
		return nil, err
	}
	t := at.open(req.Scope)
	t.permit = req.Permit
	if len(agents) > 0 {
		found := &result.Agents{}
		for _, a := range agents {
			entry, err := t.entry(a)
			if err != nil {
				return nil, err
			}
			found.Entries = append(found.Entries, entry)
		}
		return found, nil
	}
	return &result.Agents{Entries: slices.DeleteFunc(t.setUp(), func(e result.Agent) bool { return len(e.Pieces) == 0 })}, nil
}

// All is every agent that ckpt can set up: once for each scope that it is set
// up in, else once.
func All(at Place) *result.Agents {
	found := &result.Agents{}
	entries := everywhere(at)
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
	return found
}

// everywhere is the agents that are set up, in whatever scope. Outside a repository
// only the user's own settings count.
func everywhere(at Place) []result.Agent {
	var all []result.Agent
	seen := map[string]bool{} // a repository in the user's home has both scopes in one file
	for _, scope := range []settings.Scope{settings.Project, settings.Local, settings.User} {
		if scope != settings.User && at.Repo == nil {
			continue
		}
		t := at.open(scope)
		for _, entry := range t.setUp() {
			if len(entry.Pieces) > 0 {
				path := disk.Real(t.path(entry.Pieces[0].Path))
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

// setUp is the agents that are set up in a scope, or need nothing there.
func (t *Site) setUp() []result.Agent {
	var all []result.Agent
	for _, a := range settings.All() {
		if entry, err := t.entry(a); err == nil && (entry.SetUp() || entry.Remark != "") {
			all = append(all, entry)
		}
	}
	return all
}

// entry is how one agent stands.
func (t *Site) entry(a settings.Agent) (result.Agent, error) {
	entry := result.Agent{Name: a.Name, Title: a.Title, Scope: string(t.scope)}
	pieces, why, err := t.pieces(a)
	if err != nil {
		return entry, err
	}
	entry.Remark = why
	for _, piece := range pieces {
		p := result.Piece{What: piece.What, Path: piece.Path}
		state, said, err := t.state(piece)
		if piece.IsOptional() && (err != nil || state != settings.Present) || t.leavesOut(piece) {
			continue
		}
		p.State, p.Says = string(state), said
		if err != nil {
			p.State, p.Says = "unreadable", err.Error()
		}
		entry.Pieces = append(entry.Pieces, p)
	}
	switch trust := t.trustOf(a); {
	case trust.ignores == "":
	case entry.SetUp():
		entry.Pieces = append(entry.Pieces, result.Piece{What: trustPiece, Path: trust.file, State: string(settings.Absent), Says: trust.ignores})
	case why != "":
		entry.Remark += "; " + trust.ignores
	}
	return entry, nil
}

// advice is what the user has to do besides.
func (t *Site) advice(a settings.Agent) []string {
	var all []string
	switch a.Name {
	case "codex":
		if !t.trustOf(a).known {
			all = append(all, "Codex runs a hook only after you have trusted it: /hooks, in Codex")
		}
	case "gemini":
		if t.scope == settings.Project && !t.geminiReads("AGENTS.md") {
			all = append(all, geminiAdvice)
		}
	}
	if ignores := t.trustOf(a).ignores; ignores != "" {
		all = append(all, ignores)
	}
	if t.scope == settings.User {
		all = append(all, trustAdvice)
	}
	if t.scope == settings.Local {
		all = append(all, localAdvice(a))
	}
	if !disk.Installed("ckpt", t.Getenv) {
		all = append(all, noBinary)
	}
	return all
}

func localAdvice(a settings.Agent) string {
	return "keep " + a.Title + "'s local settings out of git: they are for you alone"
}

const (
	geminiAdvice   = `Gemini CLI reads AGENTS.md only where its settings say so: "context": {"fileName": ["AGENTS.md", "GEMINI.md"]}`
	trustAdvice    = "in a clone that is new a session begins with the brief once you have run ckpt trust there, or changed something with ckpt; for clones of your own: git config --global --add ckpt.trust 'git@github.com:ME/*', or CKPT_TRUST=1 in an environment of yours"
	recorderAdvice = "the hooks record what a session does (tools, files, command lines; never prompts, contents or outputs) in the git folder, for this worktree alone: ckpt log --session shows it, git config ckpt.recorder off turns it off"
	noBinary       = "ckpt is not in PATH: hooks are silent until it is"
)

// geminiReads says whether Gemini's settings name a file of instructions.
func (t *Site) geminiReads(name string) bool {
	gemini, _ := settings.Find("gemini")
	for _, scope := range []settings.Scope{settings.Project, settings.User} {
		pieces, err := gemini.Pieces(settings.Place{Scope: scope, Getenv: t.Getenv})
		if err != nil {
			continue
		}
		path := pieces[0].Path
		if scope == settings.Project {
			path = t.path(path)
		}
		if src, _ := disk.ReadFile(path); strings.Contains(settings.Value(src, "context", "fileName"), `"`+name+`"`) {
			return true
		}
	}
	return false
}

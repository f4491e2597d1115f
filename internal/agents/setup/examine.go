package setup

import (
	"strings"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/result"
)

// Examine says which agents call ckpt here, and what keeps one from being told, or has
// it told twice.
func Examine(at Place, d *result.Diagnosis) {
	entries := everywhere(at)
	if len(entries) == 0 {
		return
	}
	ail := func(code, what, fix string) {
		d.Ailments = append(d.Ailments, result.Ailment{Code: code, What: what, Fix: fix})
	}
	t := at.open(settings.Project)
	var names []string
	scopes := map[string][]string{}
	for _, e := range entries {
		scopes[e.Name] = append(scopes[e.Name], e.Scope)
		if len(e.Pieces) == 0 { // another one's hooks do for it
			continue
		}
		names = append(names, e.Name+" ("+e.Scope+")")
		for _, piece := range e.Pieces {
			switch {
			case piece.What == trustPiece:
				ail("agent-untrusted", piece.Says, "trust it in "+e.Title+", or ckpt unsetup "+e.Name+flagOf(e.Scope))
			case piece.What == settings.PermissionPiece && piece.State == "absent":
				d.Facts = append(d.Facts, result.Fact{Name: e.Title, Value: "asks before it runs ckpt (ckpt setup " + e.Name + flagOf(e.Scope) + " --permissions)"})
			case piece.State == "stale", piece.State == "absent":
				ail("agent-stale", strings.TrimSuffix(piece.Path+": the "+piece.What+" for "+e.Title+" are not as this version writes them ("+piece.State+"): "+piece.Says, ": "), "ckpt setup "+e.Name+flagOf(e.Scope))
			case piece.State == "unreadable":
				ail("agent-settings", piece.Says, "mend it by hand")
			}
		}
		hooks := t.path(e.Pieces[0].Path)
		if e.Scope == string(settings.User) {
			hooks = e.Pieces[0].Path
		}
		src, _ := disk.ReadFile(hooks)
		if settings.Value(src, "disableAllHooks") == "true" {
			ail("agent-off", e.Pieces[0].Path+" has disableAllHooks: no hook runs", "take it out")
		}
		if settings.HasPlugin(src) {
			scopes[e.Name] = append(scopes[e.Name], "plugin")
		}
	}
	d.Facts = append(d.Facts, result.Fact{Name: "agents", Value: strings.Join(names, ", ")})
	for _, a := range settings.All() {
		all := scopes[a.Name]
		if len(all) > 1 {
			ail("agent-twice", a.Title+" calls ckpt more than once for each event: "+strings.Join(all, ", "), "ckpt unsetup "+a.Name+flagOf(all[len(all)-1]))
		}
		if len(all) == 0 {
			continue
		}
		switch a.Name {
		case "codex":
			if !t.trustOf(a).known {
				d.Facts = append(d.Facts, result.Fact{Name: a.Title, Value: "runs a hook only after you have trusted it (/hooks, in Codex)"})
			}
		case "gemini":
			if !t.geminiReads("AGENTS.md") {
				d.Facts = append(d.Facts, result.Fact{Name: a.Title, Value: strings.TrimPrefix(geminiAdvice, a.Title+" ")})
			}
		}
	}
	if copilot := t.path(".github/hooks/ckpt.json"); len(scopes["claude"]) > 0 && scopes["claude"][0] == string(settings.Project) && disk.Exists(copilot) {
		ail("agent-twice", "Copilot CLI runs the hooks of .claude/settings.json besides .github/hooks/ckpt.json", "ckpt unsetup copilot")
	}
	if !disk.Installed("ckpt", t.Getenv) {
		ail("agent-path", noBinary, "put ckpt into a folder of PATH that the agent has, too")
	}
}

// flagOf is the flag that names a scope.
func flagOf(scope string) string {
	if scope == string(settings.Project) || scope == "plugin" {
		return ""
	}
	return " --" + scope
}

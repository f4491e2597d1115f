package present

import (
	"fmt"

	"example.com/ckpt/internal/core/report"
)

// scopes say where an agent is set up.
var scopes = map[string]ink{"project": " in this project", "local": " for you in this project", "user": " for you"}

// Agents says which agents are tied to ckpt, and what is missing.
func (p Text) Agents(a *report.Agents) error {
	style := p.pen()
	for _, e := range a.Entries {
		how := style.Dim("not set up")
		switch {
		case e.Scope != "" && e.Complete():
			how = style.Green("set up") + scopes[e.Scope]
		case e.SetUp():
			how = style.Red("incomplete") + scopes[e.Scope]
		}
		p.printf("%s  %-11s  %s\n", style.Bold(fmt.Sprintf("%-8s", e.Name)), e.Title, how)
		for _, piece := range e.Pieces {
			says := ""
			if piece.Says != "" {
				says = ": " + piece.Says
			}
			if piece.State != "present" {
				p.printf("    %s: %s %s%s\n", piece.Path, piece.What, piece.State, says)
			}
		}
		if e.Remark != "" {
			p.printf("    %s\n", e.Remark)
		}
	}
	if len(a.Entries) == 0 {
		p.remark("no agent is set up here (ckpt setup NAME, ckpt setup --list)")
	}
	return p.done()
}

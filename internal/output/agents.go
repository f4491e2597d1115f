package output

import (
	"fmt"

	"example.com/ckpt/internal/result"
)

// Agents says which agents are tied to ckpt, and what is missing.
func (p Text) Agents(a *result.Agents) error {
	style := p.pen()
	for _, e := range a.Entries {
		how := style.Dim("not set up")
		switch {
		case e.Scope != "" && e.Complete():
			how = style.Green("set up") + inScope(e.Scope)
		case e.SetUp():
			how = style.Red("incomplete") + inScope(e.Scope)
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

// inScope says where an agent is set up.
func inScope(scope string) ink {
	switch scope {
	case "local":
		return " for you in this project"
	case "user":
		return " for you"
	}
	return " in this project"
}

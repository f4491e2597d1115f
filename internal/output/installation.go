package output

import (
	"cmp"
	"fmt"

	"example.com/ckpt/internal/result"
)

// Agents prints which agents are set up, and what is missing.
func Agents(p *Printer, a *result.Agents) {
	for _, e := range a.Entries {
		how := p.Dim("not set up")
		switch {
		case e.Scope != "" && e.Complete():
			how = p.Green("set up") + inScope(e.Scope)
		case e.SetUp():
			how = p.Red("incomplete") + inScope(e.Scope)
		}
		p.printf("%s  %-11s  %s\n", p.Bold(fmt.Sprintf("%-8s", e.Name)), e.Title, how)
		for _, piece := range e.Pieces {
			if piece.State != "present" {
				p.printf("    %s: %s %s%s\n", piece.Path, piece.What, piece.State, prefixed(": ", piece.Says))
			}
		}
		if e.Remark != "" {
			p.printf("    %s\n", e.Remark)
		}
	}
	if len(a.Entries) == 0 {
		p.remark("no agent is set up here (ckpt setup NAME, ckpt setup --list)")
	}
}

// inScope describes where an agent is set up.
func inScope(scope string) styled {
	switch scope {
	case "local":
		return " for you in this project"
	case "user":
		return " for you"
	}
	return " in this project"
}

// Diagnosis prints facts about the installation, then its problems.
func Diagnosis(p *Printer, d *result.Diagnosis) {
	var rows [][]styled
	for _, f := range d.Facts {
		rows = append(rows, []styled{p.Plain(f.Name), p.Plain(f.Value)})
	}
	p.table(false, rows...)
	for i, a := range d.Problems {
		if i == 0 {
			p.printf("\n")
		}
		if a.Fixed {
			p.printf("%s %s [%s]\n", p.Green("fixed:"), a.What, a.Code)
			continue
		}
		p.printf("%s %s [%s]\n    %s\n", p.Red("✗"), a.What, a.Code, p.Dim(a.Fix))
	}
	if d.Open() == 0 {
		p.printf("\n%s\n", p.Green("no problems found"))
	}
}

// Version prints the versions of ckpt, of the format and of git.
func Version(p *Printer, v result.Build) {
	p.printf("ckpt %s (format %s%s, %s)\n", v.Ckpt, v.Spec, prefixed(", commit ", v.Commit), v.Go)
	p.printf("git %s (ckpt needs %s or newer)\n", cmp.Or(v.Git, "not found"), v.OldestGit)
}

package output

import (
	"strings"

	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// Receipt says in a line what was done, and in which commit.
func (p Text) Receipt(r *result.Receipt) error {
	style := p.pen()
	name := r.Op
	if r.ID != "" {
		name += " " + r.ID
	}
	switch {
	case p.Quiet:
	case r.Unchanged:
		p.printf("%s: unchanged\n", name)
	case r.DryRun:
		p.printf("%s", r.Diff)
	default:
		how := r.Pending
		if r.Commit != "" {
			how = r.Commit[:7]
			if r.Detached {
				how = "detached HEAD " + how
			}
		}
		p.printf("%s: %s %s\n", style.Bold(name), shorten(text.FirstLine(r.Summary), 80), style.Dim("["+how+"]"))
		if r.Op == "new" || r.Op == "archive" || r.Op == "reopen" {
			p.printf("  %s\n", r.Path)
		}
		if (r.Op == "setup" || r.Op == "unsetup") && len(r.Files) > 0 {
			p.printf("  %s\n", strings.Join(r.Files, "\n  "))
		}
		p.granted(r.Granted)
		p.exploration(r.Exploration)
	}
	p.resolution(r.Resolution)
	p.remark(r.Remarks...)
	return p.done()
}

// granted prints what agents may run without asking. The commands are the same for all.
func (p Text) granted(all []result.Grant) {
	if len(all) == 0 {
		return
	}
	var agents []string
	tools := ""
	for _, g := range all {
		agents = append(agents, g.Agent)
		if len(g.Tools) > 0 {
			tools = ", and the tools of ckpt mcp"
		}
	}
	p.printf("  without asking, %s may run ckpt %s%s\n", strings.Join(agents, ", "), strings.Join(all[0].Commands, ", "), tools)
}

// exploration says what mark and rewind have to say, in the words of the tools that
// agents know.
func (p Text) exploration(e *result.Exploration) {
	switch {
	case e == nil || e.Started.IsZero(): // files only
	case e.Ended.IsZero():
		p.printf("Checkpoint created.\nGoal: %s\nRun your investigation, then call rewind with a concise report.\n", e.Goal)
	case e.Report != "":
		p.printf("Rewind requested.\nReport captured for context replacement.\n")
	}
}

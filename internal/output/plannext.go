package output

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/text"
)

// PlanNext shows the next step of a plan, and what it takes.
func (p Text) PlanNext(u *plan.Upcoming) error {
	style := p.pen()
	row := u.Row()
	if row == nil {
		if u.State() == "complete" {
			p.remark(fmt.Sprintf("%s: Execution complete, all %s done", u.Run.ID, text.Count(len(u.Run.Steps), "step")))
		}
		for _, n := range u.Running {
			p.remark(fmt.Sprintf("%s: nothing can be begun while step %d, %s, is running (ckpt plan done %s, or ckpt plan fail %s)", u.Run.ID, n, u.Run.Steps[n-1].Title, u.Run.Steps[n-1].ID, u.Run.Steps[n-1].ID))
		}
		return p.done()
	}
	p.printf("%s  %s %s\n", style.Bold(row.ID), row.Title, style.Dim(fmt.Sprintf("(step %d of %d)", u.Number, len(u.Run.Steps))))
	if s := u.Step; s != nil {
		action := s.Shell
		if len(s.Args) > 0 {
			action = strings.Join(s.Args, " ")
		}
		p.fact("action", action)
		p.fact("parameters", s.Parameters)
		p.fact("env", strings.Join(s.Environment(), " "))
		p.fact("dir", s.Dir)
		if s.Timeout > 0 {
			p.fact("timeout", s.Timeout.String())
		}
	}
	p.fact("after", strings.Join(row.Needs, ", "))
	if row.Status == plan.Failed {
		p.fact("failed", row.Remark)
	}
	if u.Remark != "" {
		p.remark(u.Remark)
	}
	return p.done()
}

// fact is a line of what a step takes; nothing where there is nothing to say.
func (p Text) fact(name, value string) {
	if value != "" {
		p.printf("  %-10s  %s\n", name, strings.ReplaceAll(value, "\n", "\n              "))
	}
}

package output

import (
	"fmt"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/text"
)

// Prune says which checkpoints would go, and which stay although a limit is reached.
func (p Text) Prune(plan *policy.Pruning, unread []checkpoint.Broken) error {
	style := p.pen()
	width, pruned := 0, 0
	for _, v := range plan.Verdicts {
		if !v.Keep || v.Spared {
			width = max(width, len(v.ID))
		}
	}
	line := func(what ink, v policy.Verdict) {
		changed := "no time          "
		if !v.Changed.IsZero() {
			changed = minute(v.Changed)
		}
		p.printf("%s  %-*s  %-8s  %s  %s\n", what, width, v.ID, v.Status, style.Dim(changed), v.Why)
	}
	for _, v := range plan.Verdicts {
		if !v.Keep {
			line(style.Red("prune"), v)
			pruned++
		}
	}
	for _, v := range plan.Verdicts {
		if v.Spared {
			line(style.Green("keep "), v)
		}
	}
	p.printf("%d of %s would go, %d stay\n", pruned, text.Count(len(plan.Verdicts), "checkpoint"), len(plan.Verdicts)-pruned)
	switch {
	case plan.Limits.None():
		p.remark("the policy sets no limit (retention in config.yaml; or --older-than 30d, --max-per-workflow 10)")
	case pruned > 0:
		p.remark("nothing is deleted yet (--apply does, in one commit; ckpt undelete ID brings one back)")
	}
	if len(unread) > 0 {
		p.remark(fmt.Sprintf("kept besides: %s that cannot be read (ckpt validate)", text.Count(len(unread), "file")))
	}
	return p.done()
}

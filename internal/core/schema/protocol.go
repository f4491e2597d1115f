package schema

import (
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fold"
)

// protocolFields are the fields of the checkpoint protocol.
func protocolFields() []field {
	return []field{
		identity("checkpointId"),
		inHead("agentId", "agent"),
		goal("summary.goal"),
		{path: "summary.completed", or: []any{}, read: completed, entry: plain,
			write: func(d *draft, v any) { d.steps = append(d.steps, texts(v)...) }},
		{path: "summary.pending", or: []any{}, entry: plain, joint: true,
			read: func(c *checkpoint.Checkpoint) any {
				if open := open(c); len(open) > 1 {
					return list(open[1:])
				}
				return nil
			},
			write: func(d *draft, v any) { d.next = append(d.next, texts(v)...) }},
		{path: "summary.decisions", or: []any{}, read: decided, entry: decisionWords,
			write: func(d *draft, v any) {
				for _, text := range texts(v) {
					d.decisions = append(d.decisions, checkpoint.DecisionText(checkpoint.ParseDecision(text)))
				}
			}},
		{path: "resumePointer.nextAction", or: "",
			read: func(c *checkpoint.Checkpoint) any {
				if open := open(c); len(open) > 0 {
					return open[0]
				}
				return nil
			},
			write: func(d *draft, v any) {
				next := clean(v)
				if strings.TrimSpace(next) == "" {
					d.emptied = len(d.next) == 0
					return
				}
				rest := d.next
				d.next = []string{next}
				for _, text := range rest {
					if same(text) != same(next) {
						d.next = append(d.next, text)
					}
				}
			}},
		{path: "resumePointer.currentContext", ofSave: true,
			read:  func(c *checkpoint.Checkpoint) any { return notEmpty(c.Text(checkpoint.State)) },
			write: func(d *draft, v any) { d.state = clean(v) }},
		ofSave(inHead("resumePointer.phase", "phase")),
		ofSave(count("tokensUsed", "tokens_used")),
		birth("createdAt"),
	}
}

// completed returns what was done: the entries of Play-By-Play, then what the deltas say.
func completed(c *checkpoint.Checkpoint) any {
	return list(steps(c))
}

// steps lists what was done, the same before a fold and after it.
func steps(c *checkpoint.Checkpoint) []string {
	var all []string
	add := func(changed string) {
		if strings.HasPrefix(changed, nothingDone) {
			return
		}
		for _, text := range strings.Split(changed, stepBreak) {
			if text = strings.TrimSpace(text); text != "" {
				all = append(all, text)
			}
		}
	}
	for _, item := range c.Steps() {
		if changed, _, ok := checkpoint.Folded(item.Text); ok {
			add(changed)
		} else if !checkpoint.IsNone(item.Text) {
			all = append(all, checkpoint.Lead(item.Text))
		}
	}
	for _, s := range fold.Steps(c) {
		if changed, _, ok := checkpoint.Folded(s.Line()); ok {
			add(changed)
		}
	}
	return all
}

// stepBreak stands between the steps that one delta reports.
const stepBreak = "; "

// open are the next actions that are not done.
func open(c *checkpoint.Checkpoint) []string {
	var all []string
	for _, a := range c.Actions() {
		if !a.Done {
			all = append(all, a.Text)
		}
	}
	if first := c.FirstAction(); len(all) == 0 && first != "" {
		return []string{first}
	}
	return all
}

// decided returns the live decisions, each as one text.
func decided(c *checkpoint.Checkpoint) any {
	var all []string
	for _, d := range c.Decisions() {
		if d.Live() {
			all = append(all, sentence(d.What, d.Why))
		}
	}
	return list(all)
}

// decisionWords is what a decision says, however it is set.
func decisionWords(e any) string { return sentence(checkpoint.ParseDecision(plain(e))) }

func sentence(what, why string) string {
	if why == "" {
		return what
	}
	return what + ": " + why
}

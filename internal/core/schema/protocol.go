package schema

import (
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
)

// protocolFields are the fields of the checkpoint protocol.
func protocolFields() []field {
	return []field{
		identity("checkpointId"),
		inHead("agentId", "agent"),
		goal("summary.goal"),
		{path: "summary.completed", or: []any{}, read: completed, merge: grown(plain),
			write: func(d *draft, v any) { d.steps = append(d.steps, texts(v)...) }},
		{path: "summary.pending", or: []any{}, merge: followed(plain, asStored),
			read: func(c *checkpoint.Checkpoint) any {
				if open := open(c); len(open) > 1 {
					return list(open[1:])
				}
				return nil
			},
			write: func(d *draft, v any) { d.next = append(d.next, texts(v)...) }},
		{path: "summary.decisions", or: []any{}, read: decided, merge: grown(plain),
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
		{path: "resumePointer.currentContext",
			read:  func(c *checkpoint.Checkpoint) any { return notEmpty(c.Text(checkpoint.State)) },
			write: func(d *draft, v any) { d.state = clean(v) }},
		inHead("resumePointer.phase", "phase"),
		count("tokensUsed", "tokens_used"),
		birth("createdAt"),
	}
}

// completed is what was done: the entries of Play-By-Play, then what the deltas say.
func completed(c *checkpoint.Checkpoint) any {
	return list(steps(c))
}

func steps(c *checkpoint.Checkpoint) []string {
	var all []string
	for _, item := range c.Steps() {
		if !checkpoint.IsNone(item.Text) {
			all = append(all, item.Text)
		}
	}
	for _, d := range c.Deltas() {
		if strings.HasPrefix(d.Changed, nothingDone) {
			continue
		}
		for _, text := range strings.Split(d.Changed, stepBreak) {
			if text = strings.TrimSpace(text); text != "" {
				all = append(all, text)
			}
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

// decided are the live decisions, each as one text.
func decided(c *checkpoint.Checkpoint) any {
	var all []string
	for _, d := range c.Decisions() {
		if !d.Live() {
			continue
		}
		text := d.What
		if d.Why != "" {
			text += ": " + d.Why
		}
		all = append(all, text)
	}
	return list(all)
}

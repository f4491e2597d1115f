package schema

import (
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fold"
	"example.com/ckpt/internal/core/plan"
	"example.com/ckpt/internal/core/value"
)

// agentStateFields are the fields of a workflow agent's checkpoint.
func agentStateFields() []field {
	return []field{
		identity("checkpoint_id"),
		inHead("workflow_id", "workflow"),
		ofRun(field{path: "workflow_type", stored: true, write: nowhere, read: func(c *checkpoint.Checkpoint) any {
			if c.Field("workflow") == "" {
				return nil
			}
			return notEmpty(c.Field("agent"))
		}}, func(*checkpoint.Checkpoint, *plan.Run) any { return "plan" }),
		birth("created_at"),
		inHead("step_name", "step"),
		inHead("state.current_phase", "phase"),
		phases("state.completed_phases", "x"),
		phases("state.pending_phases", " "),
		facts("state.context", true, nil),
		{path: "state.decisions", or: []any{}, entry: decisionText, read: phaseDecisions,
			write: func(d *draft, v any) {
				entries, _ := v.([]any)
				for _, e := range entries {
					if text := decisionText(e); text != "" {
						d.decisions = append(d.decisions, text)
					}
				}
			}},
		{path: "state.files_modified", or: []any{}, entry: plain, read: files,
			write: func(d *draft, v any) { d.artifacts = append(d.artifacts, texts(v)...) }},
		tasks("state.todos", "content", todoWords),
		parentage("metadata.parent_checkpoint"),
		ofSave(inHead("metadata.trigger", "trigger")),
		ofSave(inHead("metadata.estimated_completion", "progress")),
	}
}

// phases is a list of phases: the entries of Current State that bear a mark.
func phases(path, mark string) field {
	return field{
		path: path, or: []any{}, joint: true,
		entry: func(e any) string { return plainPhase(plain(e)) },
		read: func(c *checkpoint.Checkpoint) any {
			var all []string
			if p, ok := c.Find(checkpoint.State); ok {
				for _, item := range c.Doc.Items(p.Extent) {
					if text, ok := strings.CutPrefix(item.Text, "["+mark+"] "); ok {
						all = append(all, plainPhase(text))
					}
				}
			}
			return list(all)
		},
		write: func(d *draft, v any) {
			for _, text := range texts(v) {
				if text = same(text); '0' <= text[0] && text[0] <= '9' {
					text = "Phase " + text
				}
				d.phases = append(d.phases, "["+mark+"] "+text)
			}
		},
	}
}

// stateOfPhases makes the Current State of a workflow: its phases with a mark each.
func (im *Import) stateOfPhases(d *draft, whole value.Object) {
	_, done := value.Get(im.Object, "state", "completed_phases")
	_, open := value.Get(im.Object, "state", "pending_phases")
	switch phase, _ := value.Get(whole, "state", "current_phase"); {
	case !done && !open:
	case len(d.phases) > 0:
		d.state = "- " + strings.Join(d.phases, "\n- ")
	case plain(phase) != "":
		d.state = "In phase " + same(plain(phase)) + "."
	default:
		d.state = "No phase is completed or pending."
	}
}

// plainPhase is a phase as workflows name it: "2.5" for "Phase 2.5".
func plainPhase(text string) string {
	if rest, ok := strings.CutPrefix(text, "Phase "); ok && rest != "" && '0' <= rest[0] && rest[0] <= '9' {
		return rest
	}
	return text
}

// decisionText is a decision with its phase and reason as a bullet has it. One that is
// a text alone says both itself.
func decisionText(e any) string {
	if text := plain(e); strings.TrimSpace(text) != "" {
		return checkpoint.DecisionText(checkpoint.ParseDecision(text))
	}
	what, _ := member[string](e, "decision")
	if strings.TrimSpace(what) == "" {
		return ""
	}
	why, _ := member[string](e, "rationale")
	phase, ok := value.Get(e, "phase")
	if text, plain := scalar(phase); ok && plain && text != "" {
		why = strings.TrimSpace(clean(why) + " (phase " + text + ")")
	}
	return checkpoint.DecisionText(clean(what), clean(why))
}

// phaseDecisions are the live decisions as objects.
func phaseDecisions(c *checkpoint.Checkpoint) any {
	var all []value.Object
	for _, d := range c.Decisions() {
		if !d.Live() {
			continue
		}
		var o value.Object
		why := d.Why
		if i := strings.LastIndex(why, "(phase "); i >= 0 && strings.HasSuffix(why, ")") {
			o = value.Set(o, why[i+len("(phase "):len(why)-1], "phase")
			why = strings.TrimSpace(why[:i])
		}
		o = value.Set(o, d.What, "decision")
		if why != "" {
			o = value.Set(o, why, "rationale")
		}
		all = append(all, o)
	}
	return list(all)
}

// files are the files of the trail and of the deltas that are still there.
func files(c *checkpoint.Checkpoint) any {
	var all []string
	for _, a := range fold.Artifacts(c) {
		if a.Action != "deleted" {
			all = append(all, a.File)
		}
	}
	return list(all)
}

// objects are the objects of a list.
func objects(v any) []value.Object {
	entries, _ := v.([]any)
	var all []value.Object
	for _, e := range entries {
		if o, ok := e.(value.Object); ok {
			all = append(all, o)
		}
	}
	return all
}

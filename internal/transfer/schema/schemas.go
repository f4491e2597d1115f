package schema

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/text"
)

// protocolFields returns the fields of the checkpoint protocol.
func protocolFields() []field {
	return []field{
		identity("checkpointId"),
		inHead("agentId", "agent"),
		goal("summary.goal"),
		{path: "summary.completed", or: []any{}, read: func(c *checkpoint.Checkpoint) any { return list(steps(c)) },
			entry: plain,
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
				rest := slices.DeleteFunc(d.next, func(text string) bool { return oneLine(text) == oneLine(next) })
				d.next = append([]string{next}, rest...)
			}},
		{path: "resumePointer.currentContext", ofSave: true,
			read:  func(c *checkpoint.Checkpoint) any { return notEmpty(doc.Given(c.Text(checkpoint.State))) },
			write: func(d *draft, v any) { d.state = clean(v) }},
		ofSave(inHead("resumePointer.phase", "phase")),
		ofSave(inHead("tokensUsed", "tokens_used")),
		birth("createdAt"),
	}
}

// steps returns the steps of Play-By-Play and of the deltas. Folding the deltas does not change the result.
func steps(c *checkpoint.Checkpoint) []string {
	var all []string
	add := func(changed string) {
		if strings.HasPrefix(changed, nothingDone) {
			return
		}
		for _, text := range strings.Split(changed, stepBreak) {
			if strings.TrimSpace(text) != "" {
				all = append(all, strings.TrimSpace(text))
			}
		}
	}
	for _, item := range c.Steps() {
		if changed, _, ok := checkpoint.Folded(item.Text); ok {
			add(changed)
		} else if !checkpoint.IsNone(item.Text) {
			all = append(all, checkpoint.Lead(doc.Given(item.Text)))
		}
	}
	for _, s := range fold.Steps(c) {
		if changed, _, ok := checkpoint.Folded(s.Line()); ok {
			add(changed)
		}
	}
	return all
}

// stepBreak separates the steps that one delta reports.
const stepBreak = "; "

// open returns the next actions that are not done.
func open(c *checkpoint.Checkpoint) []string {
	var all []string
	for _, a := range c.OpenActions() {
		all = append(all, a.Text)
	}
	if first := c.FirstAction(); len(all) == 0 && first != "" {
		return []string{first}
	}
	return all
}

// decided returns each live decision as one text.
func decided(c *checkpoint.Checkpoint) any {
	var all []string
	for _, d := range c.Decisions() {
		if d.Live() {
			all = append(all, sentence(d.What, d.Why))
		}
	}
	return list(all)
}

// decisionWords returns the words of a decision without its markup.
func decisionWords(e any) string { return sentence(checkpoint.ParseDecision(plain(e))) }

func sentence(what, why string) string {
	if why == "" {
		return what
	}
	return what + ": " + why
}

// agentStateFields returns the fields of a workflow agent's checkpoint.
func agentStateFields() []field {
	return []field{
		identity("checkpoint_id"),
		inHead("workflow_id", "workflow"),
		{path: "workflow_type", fixed: true, write: nowhere, read: func(c *checkpoint.Checkpoint) any {
			if c.Field("workflow") == "" {
				return nil
			}
			return notEmpty(c.Field("agent"))
		}},
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

// phases returns a field for a list of phases: the entries of Current State with the given mark.
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
				text = oneLine(text)
				if '0' <= text[0] && text[0] <= '9' {
					text = "Phase " + text
				}
				d.phases = append(d.phases, "["+mark+"] "+text)
			}
		},
	}
}

// keepPhases adds the stored phases that Current State does not name to values, which has those of the sections.
func keepPhases(values map[string]any, stored value.Object) {
	const completed, pending = "state.completed_phases", "state.pending_phases"
	named := slices.Concat(texts(values[completed]), texts(values[pending]))
	for _, path := range []string{completed, pending} {
		v, _ := value.Get(stored, strings.Split(path, ".")...)
		unnamed := slices.DeleteFunc(texts(v), func(phase string) bool {
			return slices.Contains(named, plainPhase(oneLine(phase)))
		})
		values[path] = list(append(unnamed, texts(values[path])...))
	}
}

// stateOfPhases sets the Current State of a workflow: its phases, each with a mark.
func (im *Import) stateOfPhases(d *draft, whole value.Object) {
	_, done := value.Get(im.Object, "state", "completed_phases")
	_, open := value.Get(im.Object, "state", "pending_phases")
	phase, _ := value.Get(whole, "state", "current_phase")
	switch {
	case !done && !open:
	case len(d.phases) > 0:
		d.state = "- " + strings.Join(d.phases, "\n- ")
	case plain(phase) != "":
		d.state = "In phase " + oneLine(plain(phase)) + "."
	default:
		d.state = "No phase is completed or pending."
	}
}

// plainPhase returns a phase in the form of workflows: "2.5" for "Phase 2.5".
func plainPhase(text string) string {
	rest, ok := strings.CutPrefix(text, "Phase ")
	if ok && strings.IndexAny(rest, "0123456789") == 0 {
		return rest
	}
	return text
}

// decisionText returns the bullet of a decision, with its reason and phase.
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

// phaseDecisions returns the live decisions as objects.
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

// files returns the files of the Artifact Trail and of the deltas, except deleted ones.
func files(c *checkpoint.Checkpoint) any {
	var all []string
	for _, a := range fold.Artifacts(c) {
		if a.Action != "deleted" {
			all = append(all, a.File)
		}
	}
	return list(all)
}

// objects returns the objects of a list.
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

// executorFields returns the fields of an executor's checkpoint with its AgentState.
func executorFields() []field {
	return []field{
		identity("id"),
		inHead("sessionId", "session"),
		inHead("projectId", "project"),
		{path: "stepNumber", fixed: true, read: stepsDone, write: nowhere},
		birth("createdAt"),
		goal("state.query"),
		tasks("state.plan", "description", planWords),
		{path: "state.currentStepIndex", fixed: true, read: stepsDone, write: nowhere},
		{path: "state.results", or: []any{},
			write: func(d *draft, v any) { d.results = append(d.results, objects(v)...) }},
		facts("state.context", false, value.Object{}),
		{path: "state.lastError", ofSave: true, write: nowhere},
		ofSave(inHead("metadata.description", "name")),
		ofSave(trigger("metadata.triggerType")),
		{path: "metadata.durationMs", or: json.Number("0"), ofSave: true, write: nowhere},
		ofSave(inHead("metadata.tokenUsage", "tokens_used")),
	}
}

// trigger returns the field for the reason of a save: auto, manual or error. In an export any other
// reason becomes manual.
func trigger(path string) field {
	f := inHead(path, "trigger")
	f.or = "auto"
	f.read = func(c *checkpoint.Checkpoint) any {
		if why := c.Field("trigger"); slices.Contains([]string{"", "auto", "manual", "error"}, why) {
			return notEmpty(why)
		}
		return "manual"
	}
	return f
}

func nowhere(*draft, any) {}

// stepsDone returns the number of steps before the first that is open or underway.
func stepsDone(c *checkpoint.Checkpoint) any {
	n := 0
	for _, t := range tasksOf(c, "description", planWords) {
		if status, _ := value.Get(t, "status"); status == planWords.open || status == planWords.doing {
			break
		}
		n++
	}
	return json.Number(strconv.Itoa(n))
}

// stateOfPlan sets the Current State of an executor to the last error. If there is no error, or its step was completed
// or skipped since, the Current State is how much of the plan is done. stateOfPlan adds the results to the steps of the
// draft, each with the description of its step.
func (im *Import) stateOfPlan(d *draft, whole value.Object) {
	var list any
	list, planned := value.Get(whole, "state", "plan")
	plan := objects(list)
	describe := map[string]string{}
	done := 0
	for _, s := range plan {
		id, _ := member[string](s, "id")
		describe[id], _ = member[string](s, "description")
		if isOver(s) {
			done++
		}
	}
	for _, r := range d.results {
		if text := resultText(r, describe); text != "" {
			d.steps = append(d.steps, text)
		}
	}
	if state, _ := member[value.Object](im.Object, "state"); !hasAny(state,
		[]string{"plan", "currentStepIndex", "lastError"}) {
		return
	}
	failed, _ := value.Get(whole, "state", "lastError")
	if message, _ := member[string](failed, "message"); strings.TrimSpace(message) != "" &&
		!overcome(failed, plan, whole) {
		at, _ := value.Get(failed, "stepIndex")
		index, _ := scalar(at)
		d.state = strings.TrimSpace("Failed at step "+index) + ": " + clean(message)
	} else if planned && len(plan) == 0 {
		d.state = "The plan has no steps."
	} else if planned {
		d.state = strconv.Itoa(done) + " of " + text.Count(len(plan), "step") + " completed."
	}
}

// overcome reports whether the step that caused an error was completed or skipped since.
func overcome(failed any, plan []value.Object, whole value.Object) bool {
	number := func(v any, path ...string) int {
		n, _ := member[json.Number](v, path...)
		i, err := strconv.Atoi(string(n))
		if err != nil {
			return -1
		}
		return i
	}
	at := number(failed, "stepIndex")
	if at < 0 {
		return false
	}
	return number(whole, "state", "currentStepIndex") > at || at < len(plan) && isOver(plan[at])
}

// isOver reports whether a step of a plan is completed or skipped.
func isOver(step value.Object) bool {
	status, _ := member[string](step, "status")
	return status == planWords.done || status == planWords.skipped
}

// arrow separates a step and its result.
const arrow = " → "

// maxOutput is the maximum number of characters of an output in a step.
const maxOutput = 200

// resultText returns a result as an entry of Play-By-Play. Describe has the descriptions of
// steps by id.
func resultText(e any, describe map[string]string) string {
	id, _ := member[string](e, "stepId")
	if says := describe[id]; strings.TrimSpace(says) != "" {
		id = text.FirstLine(says)
	}
	output, _ := value.Get(e, "output")
	text, ok := scalar(output)
	if !ok && output != nil {
		src, _ := value.JSON(output)
		text = "`" + strings.ReplaceAll(string(src), "`", "'") + "`"
	}
	text = oneLine(text)
	if runes := []rune(text); len(runes) > maxOutput {
		text = string(runes[:maxOutput]) + " …"
	}
	id = oneLine(clean(id))
	if id == "" || text == "" {
		return id + text
	}
	return id + arrow + text
}

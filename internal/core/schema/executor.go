package schema

import (
	"encoding/json"
	"strconv"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/text"
	"example.com/ckpt/internal/core/value"
)

// executorFields are the fields of an executor's checkpoint, which holds an
// AgentState.
func executorFields() []field {
	return []field{
		identity("id"),
		inHead("sessionId", "session"),
		inHead("projectId", "project"),
		ofRun(field{path: "stepNumber", stored: true, read: stepsDone, write: nowhere}, runDone),
		birth("createdAt"),
		goal("state.query"),
		ofRun(tasks("state.plan", "description", planWords), runSteps),
		ofRun(field{path: "state.currentStepIndex", stored: true, read: stepsDone, write: nowhere}, runDone),
		ofRun(field{path: "state.results", or: []any{}, alone: true, read: results,
			write: func(d *draft, v any) { d.results = append(d.results, objects(v)...) }}, runResults),
		facts("state.context", false, value.Object{}),
		ofRun(field{path: "state.lastError", ofSave: true, read: func(*checkpoint.Checkpoint) any { return nil }, write: nowhere}, runError),
		ofSave(inHead("metadata.description", "name")),
		ofSave(trigger("metadata.triggerType")),
		ofSave(ofRun(field{path: "metadata.durationMs", read: func(*checkpoint.Checkpoint) any { return nil }, write: nowhere}, runTook)),
		ofSave(count("metadata.tokenUsage", "tokens_used")),
	}
}

// trigger is the field that says why a checkpoint was saved: auto, manual or error.
// Whoever saved it for another reason meant to.
func trigger(path string) field {
	f := inHead(path, "trigger")
	f.read = func(c *checkpoint.Checkpoint) any {
		switch why := c.Field("trigger"); why {
		case "", "auto", "manual", "error":
			return notEmpty(why)
		}
		return "manual"
	}
	return f
}

func nowhere(*draft, any) {}

// stepsDone is the number of steps before the first that is not done.
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

// stateOfPlan makes the Current State of an executor: how much of its plan is done, and
// the error that it has not overcome yet. What its results came from is told by the
// description of the step.
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
	if state, _ := member[value.Object](im.Object, "state"); !hasAny(state, []string{"plan", "currentStepIndex", "lastError"}) {
		return
	}
	failed, _ := value.Get(whole, "state", "lastError")
	if message, _ := member[string](failed, "message"); strings.TrimSpace(message) != "" && !overcome(failed, plan, whole) {
		at, _ := value.Get(failed, "stepIndex")
		index, _ := scalar(at)
		d.state = strings.TrimSpace("Failed at step "+index) + ": " + clean(message)
	} else if planned && len(plan) == 0 {
		d.state = "The plan has no steps."
	} else if planned {
		d.state = strconv.Itoa(done) + " of " + text.Count(len(plan), "step") + " completed."
	}
}

// overcome reports whether the step that failed is done, or left behind.
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

// arrow stands between a step and what came of it.
const arrow = " → "

// maxOutput is how much of an output is told in a step.
const maxOutput = 200

// resultText is a result as an entry of Play-By-Play. Describe has the descriptions of
// steps by their ids.
func resultText(e any, describe map[string]string) string {
	id, _ := member[string](e, "stepId")
	if says := describe[id]; strings.TrimSpace(says) != "" {
		id = firstLine(strings.TrimSpace(says))
	}
	output, _ := value.Get(e, "output")
	text, ok := scalar(output)
	if !ok && output != nil {
		src, _ := value.JSON(output)
		text = "`" + strings.ReplaceAll(string(src), "`", "'") + "`"
	}
	text = same(text)
	if runes := []rune(text); len(runes) > maxOutput {
		text = string(runes[:maxOutput]) + " …"
	}
	id = same(clean(id))
	if id == "" || text == "" {
		return id + text
	}
	return id + arrow + text
}

// results are the steps as results.
func results(c *checkpoint.Checkpoint) any {
	var all []value.Object
	for _, s := range steps(c) {
		id, output, ok := strings.Cut(s, arrow)
		if !ok {
			id, output = "", s
		}
		all = append(all, value.Object{{Key: "stepId", Value: id}, {Key: "output", Value: output}})
	}
	return list(all)
}

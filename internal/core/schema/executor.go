package schema

import (
	"encoding/json"
	"strconv"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/value"
)

// executorFields are the fields of an executor's checkpoint, which holds an
// AgentState.
func executorFields() []field {
	return []field{
		identity("id"),
		inHead("sessionId", "session"),
		inHead("projectId", "project"),
		ofRun(field{path: "stepNumber", keeps: true, read: stepsDone, write: nowhere}, runDone),
		birth("createdAt"),
		goal("state.query"),
		ofRun(tasks("state.plan", "description", planWords), runSteps),
		ofRun(field{path: "state.currentStepIndex", keeps: true, read: stepsDone, write: nowhere}, runDone),
		ofRun(field{path: "state.results", or: []any{}, merge: grown(resultText), read: results,
			write: func(d *draft, v any) {
				for _, e := range objects(v) {
					if text := resultText(e); text != "" {
						d.steps = append(d.steps, text)
					}
				}
			}}, runResults),
		facts("state.context", false),
		ofRun(field{path: "state.lastError", read: func(*checkpoint.Checkpoint) any { return nil },
			write: func(d *draft, v any) {
				if message, ok := member[string](v, "message"); ok && strings.TrimSpace(message) != "" {
					at, _ := value.Get(v, "stepIndex")
					index, _ := scalar(at)
					d.state = strings.TrimSpace("Failed at step "+index) + ": " + clean(message)
				}
			}}, runError),
		inHead("metadata.description", "name"),
		inHead("metadata.triggerType", "trigger"),
		count("metadata.tokenUsage", "tokens_used"),
	}
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

// arrow stands between a step and what came of it.
const arrow = " → "

// maxOutput is how much of an output is told in a step.
const maxOutput = 200

// resultText is a result as an entry of Play-By-Play.
func resultText(e any) string {
	id, _ := member[string](e, "stepId")
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

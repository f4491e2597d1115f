package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/plan"
)

// readAll returns the values that the sections of a checkpoint have for the fields of a schema, by path. The run of a
// plan in the checkpoint takes precedence over the sections. The pending entries include the next action only if the
// pending entries of the stored object do. If the stored object has no next action, there is none as long as all
// actions are pending entries, in the same order.
func readAll(c *checkpoint.Checkpoint, name Name, stored value.Object) map[string]any {
	all := map[string]any{}
	for _, f := range fieldsOf(name) {
		if f.read != nil {
			all[f.path] = f.read(c)
		}
	}
	pending, _ := value.Get(stored, "summary", "pending")
	next, _ := value.Get(stored, "resumePointer", "nextAction")
	same := func(a, b string) bool { return oneLine(a) == oneLine(b) }
	copies := slices.DeleteFunc(texts(pending), func(s string) bool { return !same(s, clean(next)) })
	shown := open(c)
	rest := shown // without those that are pending, in this order
	for _, entry := range texts(pending) {
		if len(rest) > 0 && same(clean(entry), rest[0]) {
			rest = rest[1:]
		}
	}
	switch {
	case len(shown) == 0:
	case len(copies) > 0:
		if same(shown[0], copies[0]) {
			shown = append(copies, shown[1:]...)
		}
		all["summary.pending"] = list(shown)
	case strings.TrimSpace(plain(next)) == "" && len(rest) == 0:
		all["summary.pending"], all["resumePointer.nextAction"] = list(shown), nil
	}
	if run, _ := plan.Read(c); run != nil {
		maps.Copy(all, runValues(c, run))
	}
	return all
}

// runValues returns the values of fields, by path, that come from a plan run.
func runValues(c *checkpoint.Checkpoint, run *plan.Run) map[string]any {
	var steps, results []value.Object
	said := plan.Outputs(c)
	done, took := 0, time.Duration(0)
	for i, s := range run.Steps {
		if done == i && s.Status.Done() { // done counts the steps before the first that is not done
			done++
		}
		took += s.Took
		needs := []any{}
		for _, need := range s.Needs {
			needs = append(needs, need)
		}
		steps = append(steps, value.Object([]value.Member{{Key: "id", Value: s.ID}, {Key: "description", Value: s.Title},
			{Key: "status", Value: string(s.Status)}, {Key: "dependencies", Value: needs}}))
		if s.Status != plan.Completed {
			continue
		}
		o := value.Object([]value.Member{{Key: "stepId", Value: s.ID}, {Key: "output", Value: said[s.ID]},
			{Key: "completedAt", Value: checkpoint.FormatTime(s.At)}, {Key: "durationMs", Value: milliseconds(s.Took)}})
		if s.Tokens > 0 {
			o = append(o, value.Member{Key: "tokenUsage", Value: json.Number(strconv.Itoa(s.Tokens))})
		}
		results = append(results, o)
	}
	at := json.Number(strconv.Itoa(done))
	all := map[string]any{"workflow_type": "plan", "stepNumber": at, "state.currentStepIndex": at,
		"state.plan": list(steps), "state.results": list(results), "state.lastError": nil,
		"metadata.durationMs": milliseconds(took)}
	last, number := run.LastError()
	if last != nil {
		all["state.lastError"] = value.Object{{Key: "stepIndex", Value: json.Number(strconv.Itoa(number - 1))},
			{Key: "message", Value: last.Remark}, {Key: "timestamp", Value: checkpoint.FormatTime(last.At)}}
	}
	switch { // if neither applies, the description is the checkpoint's name
	case last != nil && c.Field("trigger") == "error":
		all["metadata.description"] = "Failed at step " + strconv.Itoa(number-1) + ": " + last.Title
	case !run.Ended.IsZero() && run.Complete():
		all["metadata.description"] = "Execution complete"
	}
	return all
}

func milliseconds(d time.Duration) json.Number {
	return json.Number(strconv.FormatInt(d.Milliseconds(), 10))
}

package schema

import (
	"encoding/json"
	"strconv"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/plan"
)

// runOf returns the plan run of a checkpoint; nil if it has none or an unreadable one.
func runOf(c *checkpoint.Checkpoint) *plan.Run {
	run, err := plan.Read(c)
	if err != nil {
		return nil
	}
	return run
}

// ofRun makes a field read from the plan run, if the checkpoint has one.
func ofRun(f field, read func(*checkpoint.Checkpoint, *plan.Run) any) field {
	other := f.read
	f.read = func(c *checkpoint.Checkpoint) any {
		if run := runOf(c); run != nil {
			return read(c, run)
		}
		return other(c)
	}
	return f
}

// runSteps returns the plan of a run.
func runSteps(_ *checkpoint.Checkpoint, run *plan.Run) any {
	var all []value.Object
	for _, s := range run.Steps {
		needs := []any{}
		for _, need := range s.Needs {
			needs = append(needs, need)
		}
		all = append(all, value.Object([]value.Member{{Key: "id", Value: s.ID}, {Key: "description", Value: s.Title},
			{Key: "status", Value: string(s.Status)}, {Key: "dependencies", Value: needs}}))
	}
	return list(all)
}

// runDone returns the number of steps before the first that is not done.
func runDone(_ *checkpoint.Checkpoint, run *plan.Run) any {
	n := 0
	for n < len(run.Steps) && run.Steps[n].Status.Done() {
		n++
	}
	return json.Number(strconv.Itoa(n))
}

// runResults returns the results of the completed steps.
func runResults(c *checkpoint.Checkpoint, run *plan.Run) any {
	said := plan.Outputs(c)
	var all []value.Object
	for _, s := range run.Steps {
		if s.Status != plan.Completed {
			continue
		}
		o := value.Object([]value.Member{{Key: "stepId", Value: s.ID}, {Key: "output", Value: said[s.ID]},
			{Key: "completedAt", Value: checkpoint.FormatTime(s.At)},
			{Key: "durationMs", Value: milliseconds(s.Took)}})
		if s.Tokens > 0 {
			o = append(o, value.Member{Key: "tokenUsage", Value: json.Number(strconv.Itoa(s.Tokens))})
		}
		all = append(all, o)
	}
	return list(all)
}

// runTook returns the total duration of the steps of a run.
func runTook(_ *checkpoint.Checkpoint, run *plan.Run) any {
	var took time.Duration
	for _, s := range run.Steps {
		took += s.Took
	}
	return milliseconds(took)
}

func milliseconds(d time.Duration) json.Number {
	return json.Number(strconv.FormatInt(d.Milliseconds(), 10))
}

// runError returns the last error of a run.
func runError(_ *checkpoint.Checkpoint, run *plan.Run) any {
	last, number := run.LastError()
	if last == nil {
		return nil
	}
	return value.Object{{Key: "stepIndex", Value: json.Number(strconv.Itoa(number - 1))},
		{Key: "message", Value: last.Remark}, {Key: "timestamp", Value: checkpoint.FormatTime(last.At)}}
}

// runDescription describes the save of a step that failed, and that of a complete run. Any other save
// has the name of the checkpoint.
func runDescription(c *checkpoint.Checkpoint, run *plan.Run) any {
	last, number := run.LastError()
	switch {
	case last != nil && c.Field("trigger") == "error":
		return "Failed at step " + strconv.Itoa(number-1) + ": " + last.Title
	case !run.Ended.IsZero() && run.Complete():
		return "Execution complete"
	}
	return notEmpty(c.Field("name"))
}

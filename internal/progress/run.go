package progress

import (
	"slices"
	"strconv"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
)

// Run is an incomplete run: the checkpoint to go on from.
type Run struct {
	*checkpoint.Checkpoint
	Progress
}

// RunOf returns the run that a checkpoint belongs to, as in its file.
func RunOf(c *checkpoint.Checkpoint) result.Run {
	return result.Run{
		Name: c.Field("name"), Workflow: c.Field("workflow"), Phase: c.Field("phase"), Step: c.Field("step"),
		Agent: c.Field("agent"), Session: c.Field("session"), Trigger: c.Field("trigger"), Progress: c.Field("progress"),
	}
}

// Where returns the place in the run in words, with the progress.
func (r Run) Where() string {
	place := RunOf(r.Checkpoint)
	place.Progress = r.Share()
	return place.Where()
}

// Unfinished returns the runs of a set that began and are not complete, the last changed
// first. A run is the active checkpoints of one workflow, of which the last changed one
// counts; or a checkpoint without a workflow that names a phase, a step or its progress. A
// crash leaves such runs, and so does a pause: no file tells the difference.
func Unfinished(set []*checkpoint.Checkpoint) []Run {
	set = slices.Clone(set)
	slices.SortFunc(set, checkpoint.LatestFirst)
	seen := map[string]bool{}
	var runs []Run
	for _, c := range set {
		workflow := c.Field("workflow")
		inRun := workflow+c.Field("phase")+c.Field("step")+c.Field("progress") != ""
		if !inRun || seen[workflow] || c.Status() == checkpoint.Archived {
			continue
		}
		seen[workflow] = workflow != ""
		if s := Of(c); !s.Complete() {
			runs = append(runs, Run{c, s})
		}
	}
	return runs
}

// Share returns the progress in words: "45%", or "1 of 3 steps" if it is counted. It is
// empty if the progress is unknown.
func (s Progress) Share() string {
	switch {
	case s.Percent < 0:
		return ""
	case s.Counted:
		return strconv.Itoa(len(s.With(Completed))) + " of " + strconv.Itoa(len(s.Items)) + " steps"
	}
	return strconv.Itoa(s.Percent) + "%"
}

package progress

import (
	"slices"
	"strconv"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
)

// Run is an incomplete run, represented by the checkpoint to resume.
type Run struct {
	*checkpoint.Checkpoint
	Progress
}

// RunOf returns the run in the frontmatter of a checkpoint.
func RunOf(c *checkpoint.Checkpoint) result.Run {
	return result.Run{
		Name: c.Field("name"), Workflow: c.Field("workflow"), Phase: c.Field("phase"), Step: c.Field("step"),
		Agent: c.Field("agent"), Session: c.Field("session"), Trigger: c.Field("trigger"), Progress: c.Field("progress"),
	}
}

// Where describes the place in the run: the workflow, the step or phase, and the progress.
func (r Run) Where() string {
	place := RunOf(r.Checkpoint)
	place.Progress = r.Share()
	return place.Where()
}

// Unfinished returns the runs of a set that began and are not complete, the last changed first. The
// active checkpoints of one workflow are one run, represented by the last changed one. A checkpoint
// without a workflow is a run if it names a phase, a step or a percentage. A run that crashed and
// one that is paused have the same files, so both are in the result.
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
		if s := Of(c); s.Percent < 100 {
			runs = append(runs, Run{c, s})
		}
	}
	return runs
}

// Share describes the progress: "45%", or "1 of 3 steps" if it is counted. It is empty if the
// progress is unknown.
func (s Progress) Share() string {
	switch {
	case s.Percent < 0:
		return ""
	case s.Counted:
		return strconv.Itoa(len(s.With(Completed))) + " of " + strconv.Itoa(len(s.Items)) + " steps"
	}
	return strconv.Itoa(s.Percent) + "%"
}

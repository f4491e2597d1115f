package progress

import (
	"slices"
	"strconv"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
)

// Run is a run that never completed: the checkpoint to go on from.
type Run struct {
	*checkpoint.Checkpoint
	Progress
}

// RunOf is what run of what a checkpoint belongs to, as its file says.
func RunOf(c *checkpoint.Checkpoint) result.Run {
	return result.Run{
		Name: c.Field("name"), Workflow: c.Field("workflow"), Phase: c.Field("phase"), Step: c.Field("step"),
		Agent: c.Field("agent"), Session: c.Field("session"), Trigger: c.Field("trigger"), Progress: c.Field("progress"),
	}
}

// Where is the place in the run, in words, with how far it is.
func (r Run) Where() string {
	place := RunOf(r.Checkpoint)
	place.Progress = r.Share()
	return place.Where()
}

// Unfinished are the runs of a set that began and never completed, the last changed
// first. A run is what a workflow's active checkpoints belong to, or one checkpoint
// that names a phase, a step or its progress and no workflow. The last changed one of
// a workflow speaks for it. A crash leaves such runs, and so does a pause: no file
// knows the difference.
func Unfinished(set []*checkpoint.Checkpoint) []Run {
	set = slices.Clone(set)
	slices.SortFunc(set, checkpoint.LatestFirst)
	spoken := map[string]bool{}
	var runs []Run
	for _, c := range set {
		workflow := c.Field("workflow")
		if c.Status() == checkpoint.Archived || workflow != "" && spoken[workflow] || workflow+c.Field("phase")+c.Field("step")+c.Field("progress") == "" {
			continue
		}
		spoken[workflow] = true
		if s := Of(c); !s.Complete() {
			runs = append(runs, Run{c, s})
		}
	}
	return runs
}

// Share is how far the run is: "45%", or "1 of 3 steps" where that is counted; "" where
// nothing says.
func (s Progress) Share() string {
	switch {
	case s.Percent < 0:
		return ""
	case s.Counted:
		return strconv.Itoa(len(s.With(Completed))) + " of " + strconv.Itoa(len(s.Items)) + " steps"
	}
	return strconv.Itoa(s.Percent) + "%"
}

package progress

import (
	"slices"

	"example.com/ckpt/internal/checkpoint"
)

// latest returns a transition for each item, from its first status to its last one, in the order of the last
// transitions. It leaves out items that are back at their first status.
func latest(c *checkpoint.Checkpoint) []checkpoint.Transition {
	var all []checkpoint.Transition
	take := func(t checkpoint.Transition) {
		if i := slices.IndexFunc(all, func(old checkpoint.Transition) bool { return Key(old.Item) == Key(t.Item) }); i >= 0 {
			t.Before = all[i].Before
			all = slices.Delete(all, i, i+1)
		}
		all = append(all, t)
	}
	for _, step := range c.Steps() {
		_, moved, _ := checkpoint.Folded(step.Text)
		for _, t := range moved {
			take(t)
		}
	}
	for _, d := range c.Deltas() {
		for _, t := range d.Transitions {
			take(t)
		}
	}
	return slices.DeleteFunc(all, func(t checkpoint.Transition) bool { return t.Before == t.After })
}

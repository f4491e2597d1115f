package standing

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/pattern"
)

// latest is the last transition of each item, in the order in which they were made. One
// that is back where it began is none, as for a fold.
func latest(c *checkpoint.Checkpoint) []checkpoint.Transition {
	var all []checkpoint.Transition
	take := func(t checkpoint.Transition) {
		if i := slices.IndexFunc(all, func(old checkpoint.Transition) bool { return keyOf(old.Item) == keyOf(t.Item) }); i >= 0 {
			t.Before = all[i].Before
			all = slices.Delete(all, i, i+1)
		}
		all = append(all, t)
	}
	for _, step := range c.Steps() {
		for _, t := range outcome(step.Text) {
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

// folded is how an entry of Play-By-Play begins that was a delta.
var folded = pattern.New(`^(?:undated|\d{4}-\d{2}-\d{2}\S*) → `)

// outcome is what a folded delta says of its transitions: "... → Phase 1: done; Phase 2:
// in progress"; nil where its last part says something else.
func outcome(step string) []checkpoint.Transition {
	line, _, _ := strings.Cut(step, "\n")
	if !folded.MatchString(line) {
		return nil
	}
	var all []checkpoint.Transition
	for part := range strings.SplitSeq(line[strings.LastIndex(line, " → ")+len(" → "):], "; ") {
		at := strings.LastIndex(part, ": ")
		if at < 0 {
			return nil
		}
		all = append(all, checkpoint.Transition{Item: part[:at], After: part[at+2:]})
	}
	return all
}

// Package standing is how far the work of a checkpoint is: what of it is completed,
// under way and pending, by what the file says, and which runs never completed.
package standing

import (
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/retain"
)

// Standing is how far the work is.
//
// An item of Status Transitions counts as the last delta left it. Next actions are
// pending; ticked ones are completed, those with [~] or [/] are under way; so are the
// entries of Current State that have a checkbox. The entries of Play-By-Play are
// completed. What two places tell is told once. A run of a plan has the steps of its
// table, and those alone.
type Standing struct {
	Completed, InProgress, Pending []string // the first line of each, in the order of the file
	Items                          int      // of these, without a step or phase that the frontmatter alone names
	Percent                        int      // -1 where nothing says
	Counted                        bool     // from the items; else the file's progress says
}

// Of reads the standing of a checkpoint.
func Of(c *checkpoint.Checkpoint) Standing {
	var s Standing
	met := map[string]bool{}
	add := func(to *[]string, text string) {
		line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		if key := keyOf(line); key != "" && !met[key] && !checkpoint.IsNone(line) {
			met[key] = true
			*to = append(*to, strings.TrimSpace(line))
		}
	}
	moves := latest(c)
	plan, ids := planned(c)
	if plan != nil {
		moves = plan
	}
	for _, t := range moves {
		switch status(t.After) {
		case done:
			add(&s.Completed, t.Item)
		case underWay:
			add(&s.InProgress, t.Item)
		case pending:
			add(&s.Pending, t.Item)
		case dropped:
			met[keyOf(t.Item)] = true
		}
	}
	for _, id := range ids {
		met[keyOf(id)] = true
	}
	if plan == nil {
		s.told(c, add)
	}
	s.Items = len(s.Completed) + len(s.InProgress) + len(s.Pending)
	if s.Percent, s.Counted = percent(c, s); s.Percent < 100 {
		if at := cmp.Or(c.Field("step"), c.Field("phase")); at != "" && !met[keyOf(at)] && !retain.CompletesPhase("", at) {
			s.InProgress = append([]string{at}, s.InProgress...)
		}
	}
	return s
}

// told are the items that the sections tell of.
func (s *Standing) told(c *checkpoint.Checkpoint, add func(*[]string, string)) {
	for _, a := range append(c.Boxes(checkpoint.State), c.Actions()...) {
		switch {
		case a.Done:
			add(&s.Completed, strings.Trim(a.Text, "~"))
		case a.Begun:
			add(&s.InProgress, a.Text)
		default:
			add(&s.Pending, a.Text)
		}
	}
	if p, ok := c.Find(checkpoint.PlayByPlay); ok {
		for _, item := range c.Doc.Items(p.Extent) {
			add(&s.Completed, item.Text)
		}
	}
}

// planned are the steps of a plan's run, as its table has them, and their ids; nil
// where the checkpoint is no such run.
func planned(c *checkpoint.Checkpoint) (steps []checkpoint.Transition, ids []string) {
	for _, section := range c.Doc.Sections() {
		if section.Level != 2 || section.Title != "Plan" {
			continue
		}
		for _, t := range c.Doc.Tables(section.Body) {
			id, step, status := slices.Index(t.Header, "ID"), slices.Index(t.Header, "Step"), slices.Index(t.Header, "Status")
			for _, row := range t.Rows {
				if id >= 0 && step >= 0 && status >= 0 && len(row.Cells) > max(id, step, status) {
					steps = append(steps, checkpoint.Transition{Item: row.Cells[step], After: row.Cells[status]})
					ids = append(ids, row.Cells[id])
				}
			}
		}
	}
	return steps, ids
}

// percent is what the file says, else the share of the items that are completed.
func percent(c *checkpoint.Checkpoint, s Standing) (n int, counted bool) {
	if n, ok := c.Percent(); ok {
		return n, false
	}
	if s.Items == 0 {
		return -1, false
	}
	return len(s.Completed) * 100 / s.Items, true
}

// Complete says whether all is completed, as far as the file says.
func (s Standing) Complete() bool {
	return s.Percent == 100
}

// keyOf is what makes two lines the same item: words, not marks.
func keyOf(line string) string {
	line, _ = strings.CutSuffix(strings.TrimSpace(line), "→ done")
	return strings.Join(strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return strings.ContainsRune(" \t*_`~.:", r) }), " ")
}

// latest is the last transition of each item, in the order in which they first came.
func latest(c *checkpoint.Checkpoint) []checkpoint.Transition {
	var all []checkpoint.Transition
	for _, d := range c.Deltas() {
		for _, t := range d.Transitions {
			if i := slices.IndexFunc(all, func(old checkpoint.Transition) bool { return keyOf(old.Item) == keyOf(t.Item) }); i >= 0 {
				all[i] = t
			} else {
				all = append(all, t)
			}
		}
	}
	return all
}

// state is what a word for a status means.
type state int

const (
	unknown state = iota
	done
	underWay
	pending
	dropped
)

// status reads a status. One that says anything else is the writer's own.
func status(word string) state {
	word = strings.ToLower(strings.Trim(strings.NewReplacer("_", " ", "-", " ", "**", "", "`", "").Replace(word), " .!✅☑✔🚧⏳"))
	word, _, _ = strings.Cut(word, " (")
	switch word {
	case "done", "complete", "completed", "finished", "closed", "fixed", "merged", "shipped", "released", "passed", "passing", "resolved", "implemented", "x":
		return done
	case "in progress", "started", "doing", "wip", "ongoing", "running", "under way", "underway", "begun", "active", "in review", "partial", "failed":
		return underWay
	case "pending", "todo", "to do", "open", "planned", "not started", "blocked", "waiting", "queued", "next", "deferred":
		return pending
	case "skipped", "cancelled", "canceled", "dropped", "obsolete", "won't do", "superseded":
		return dropped
	}
	return unknown
}

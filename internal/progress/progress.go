// Package progress tells how far the work of a checkpoint is: which items the file
// reports as completed, in progress and pending, and which runs never completed.
package progress

import (
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
)

// Standing is how far the work is.
//
// An item of Status Transitions counts as the last delta left it, folded or not. Next actions are
// pending; ticked ones are completed, those with [~] or [/] are under way; so are the
// entries of Current State that have a checkbox. The entries of Play-By-Play are
// completed, but for those below a subheading such as Remaining. What two places tell is told once. The frontmatter's step is under way,
// unless it says that it is complete, or an item tells of it: that it stands under
// Play-By-Play alone tells only that it began. A run of a plan has the steps of its
// table, and those alone.
type Progress struct {
	Items   []Item // in the order of the file
	Phase   string // that is under way, where no step and no item says more
	Percent int    // -1 where nothing says: one step that is named is no measure
	Counted bool   // from the items; else the file's progress says
}

// Item is a piece of the work, and how it stands.
type Item struct {
	Text   string // its first line
	Status Status
	Source Source
}

// Status is how an item stands.
type Status int

// The statuses. Dropped items are no part of the work, and unknown ones the writer's own.
const (
	Unknown Status = iota
	Completed
	InProgress
	Pending
	dropped
)

// Before reports whether work comes to be s before it comes to be t.
func (s Status) Before(t Status) bool {
	order := []Status{Unknown, Pending, InProgress, Completed, dropped}
	return slices.Index(order, s) < slices.Index(order, t)
}

// Source is where in the file an item stands.
type Source int

// The sources.
const (
	Reported   Source = iota // Status Transitions of a delta, or a plan's table
	Front                    // the frontmatter
	InState                  // Current State
	NextAction               // Next Actions
	Step                     // Play-By-Play
	Aside                    // below a subheading of Play-By-Play or Next Actions that states a status
)

// With are the items that stand so, the phase among those in progress.
func (s Progress) With(status Status) []string {
	var all []string
	if status == InProgress && s.Phase != "" {
		all = append(all, s.Phase)
	}
	for _, item := range s.Items {
		if item.Status == status {
			all = append(all, item.Text)
		}
	}
	return all
}

// Of reads the standing of a checkpoint.
func Of(c *checkpoint.Checkpoint) Progress {
	step := strings.Join(strings.Fields(c.Field("step")), " ")
	if CompletesPhase("", step) {
		step = ""
	}
	g := gathering{met: map[string]bool{}, step: Key(step)}
	moves := latest(c)
	plan, ids := planned(c)
	if plan != nil {
		moves = plan
	}
	for _, t := range moves {
		g.add(t.Item, StatusOf(t.After), Reported)
	}
	for _, id := range ids {
		g.met[Key(id)] = true
	}
	if plan == nil {
		g.sections(c)
	}
	said, ok := c.Percent()
	over, told := ok && said == 100, len(g.items)
	if step != "" && !g.met[g.step] && !over {
		g.items = append([]Item{{step, InProgress, Front}}, g.items...)
	}
	s := Progress{Items: g.items, Percent: said, Counted: !ok && told > 0}
	switch {
	case s.Counted:
		s.Percent = len(s.With(Completed)) * 100 / len(s.Items)
	case !ok:
		s.Percent = -1
	}
	if phase := c.Field("phase"); c.Field("step") == "" && s.Percent < 100 && !g.met[Key(phase)] && !CompletesPhase("", phase) {
		s.Phase = phase
	}
	return s
}

// gathering takes each item where it is met first.
type gathering struct {
	items []Item
	step  string          // the key of the frontmatter's step, where that is not complete
	met   map[string]bool // keys
}

func (g *gathering) add(text string, status Status, from Source) {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	key := Key(line)
	if key == "" || status == Unknown || g.met[key] || checkpoint.IsNone(line) {
		return
	}
	if g.met[key] = true; status != dropped {
		g.items = append(g.items, Item{strings.TrimSpace(line), status, from})
	}
}

// sections adds the items that the sections tell of.
func (g *gathering) sections(c *checkpoint.Checkpoint) {
	boxes := func(all []checkpoint.Action, from Source) {
		for _, a := range all {
			switch {
			case a.Done:
				g.add(strings.Trim(a.Text, "~"), Completed, from)
			case a.Begun:
				g.add(a.Text, InProgress, from)
			default:
				g.add(a.Text, Pending, from)
			}
		}
	}
	boxes(c.Boxes(checkpoint.State), InState)
	boxes(c.Actions(), NextAction)
	for _, k := range []checkpoint.Kind{checkpoint.PlayByPlay, checkpoint.Next} {
		for _, a := range c.Asides(k) {
			for _, entry := range c.Entries(a) {
				g.add(strings.Trim(entry.Text, "~"), statusIn(a, entry), Aside)
			}
		}
	}
	boxes(c.Boxes(checkpoint.PlayByPlay), Step)
	told := maps.Clone(g.met)
	for _, item := range c.Steps() {
		boxed := strings.HasPrefix(strings.ToLower(item.Text), "[x]")
		_, _, folded := checkpoint.Folded(item.Text)
		what, _, _ := strings.Cut(item.Text, arrow)
		if boxed || folded || told[Key(what)] || Key(item.Text) == g.step && !strings.HasSuffix(item.Text, isDone) {
			continue
		}
		g.add(item.Text, Completed, Step)
	}
}

// statusIn is how an entry below a subheading stands: as its own mark says, else as
// the subheading says.
func statusIn(a checkpoint.Section, entry checkpoint.Action) Status {
	switch {
	case a.Status == checkpoint.Rejected:
		return dropped
	case entry.Done || a.Status == checkpoint.Finished:
		return Completed
	case entry.Begun || a.Status == checkpoint.Underway:
		return InProgress
	}
	return Pending
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

// Complete says whether all is completed, as far as the file says.
func (s Progress) Complete() bool {
	return s.Percent == 100
}

// arrow stands between a step and what came of it: the step may be an item of another
// section, which says how it stands.
const arrow = " → "

// isDone ends a step that was a next action.
const isDone = "→ done"

// Key is what makes two lines the same item: words, not marks.
func Key(line string) string {
	line, _ = strings.CutSuffix(strings.TrimSpace(line), isDone)
	return strings.Join(strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return strings.ContainsRune(" \t*_`~.:", r) }), " ")
}

// StatusOf reads a status. One that says anything else is the writer's own.
func StatusOf(word string) Status {
	word = strings.ToLower(strings.Trim(strings.NewReplacer("_", " ", "-", " ", "**", "", "`", "").Replace(word), " .!✅☑✔🚧⏳"))
	word, _, _ = strings.Cut(word, " (")
	switch word {
	case "done", "complete", "completed", "finished", "closed", "fixed", "merged", "shipped", "released", "passed", "passing", "resolved", "implemented", "x":
		return Completed
	case "in progress", "started", "doing", "wip", "ongoing", "running", "under way", "underway", "begun", "active", "in review", "partial", "failed":
		return InProgress
	case "pending", "todo", "to do", "open", "planned", "not started", "blocked", "waiting", "queued", "next", "deferred":
		return Pending
	case "skipped", "cancelled", "canceled", "dropped", "obsolete", "won't do", "superseded":
		return dropped
	}
	return Unknown
}

// CompletesPhase reports whether a checkpoint was made because a phase was over: by its
// trigger ("phase", "phase_complete"), or by its step ("Phase 2 Complete").
func CompletesPhase(trigger, step string) bool {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(" _-", r) {
				return -1
			}
			return r
		}, strings.ToLower(s))
	}
	switch letters(trigger) {
	case "phase", "phasecomplete", "phasecompleted", "phasecompletion", "phaseend", "phasedone":
		return true
	}
	step = letters(step)
	return strings.HasPrefix(step, "phase") && (strings.HasSuffix(step, "complete") || strings.HasSuffix(step, "completed"))
}

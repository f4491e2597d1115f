// Package progress determines the progress of the work of a checkpoint: which items the file
// reports as completed, in progress and pending, and which runs never completed.
package progress

import (
	"cmp"
	"maps"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/transfer/schema"
)

// Progress is the progress of the work of a checkpoint.
//
// An item of Status Transitions has the status of the last delta that names it, folded or not. A next action, or an
// entry with a checkbox in Current State or Play-By-Play, is completed if it is ticked, in progress if it has [~] or
// [/], and otherwise pending. Other entries of Play-By-Play are completed, except those below a subheading such as
// Remaining, and so are the completed steps of a saved JSON summary. An item in two places counts once. The
// frontmatter's step, or the phase of a workflow without a step, is in progress, unless it is complete or is one of
// the items. An entry of Play-By-Play for that step shows only that it began. A run of a plan has the steps of its
// table, and no others.
type Progress struct {
	Items   []Item // the frontmatter's step, then the items of each part of the file
	Phase   string // the phase in progress; empty if there is a step, or if the phase is an item
	Percent int    // the percentage; -1 if it is unknown, as when the frontmatter's step is the only item
	Counted bool   // Percent is computed from the items; otherwise it comes from the file
}

// Item is a piece of the work with its status.
type Item struct {
	Text   string // the first line of the item
	Status Status
	Source Source
}

// Status is the status of an item.
type Status int

// The statuses. Dropped items do not count. Unknown stands for a word that StatusOf does not know.
const (
	Unknown Status = iota
	Completed
	InProgress
	Pending
	dropped
)

// Source is the part of the file in which an item was found.
type Source int

// The parts of the file.
const (
	Reported   Source = iota // Status Transitions of a delta, or a plan's table
	Front                    // the frontmatter
	Stated                   // Current State, or a subheading of Play-By-Play or Next Actions that states a status
	NextAction               // Next Actions
	Step                     // Play-By-Play
)

// With returns the texts of the items with a status. The phase counts as an item in progress.
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

// Of returns the progress of a checkpoint.
func Of(c *checkpoint.Checkpoint) Progress {
	named := c.Field("step")
	if c.Field("workflow") != "" { // the steps of a workflow are phases
		named = cmp.Or(named, c.Field("phase"))
	}
	step := strings.Join(strings.Fields(named), " ")
	if CompletesPhase("", step) || StatusOf(step) == Completed {
		step = ""
	}
	g := gathering{met: map[string]bool{}, step: Key(step)}
	run, _ := plan.Read(c) // nil if there is no run or its table is invalid
	if run == nil {
		for _, t := range latest(c) {
			g.add(t.Item, StatusOf(t.After), Reported)
		}
		g.sections(c)
	} else {
		for _, row := range run.Steps {
			g.add(row.Title, StatusOf(string(row.Status)), Reported)
		}
		for _, row := range run.Steps {
			g.met[Key(row.ID)] = true
		}
	}
	said, ok := c.Percent()
	over, told := ok && said == 100, len(g.items)
	if known := step == "" || g.met[g.step] || g.met[Key("Phase "+step)]; !known && !over {
		g.items = append([]Item{{step, InProgress, Front}}, g.items...)
	}
	s := Progress{Items: g.items, Percent: said, Counted: !ok && told > 0}
	switch {
	case s.Counted:
		s.Percent = len(s.With(Completed)) * 100 / len(s.Items)
	case !ok:
		s.Percent = -1
	}
	phase := c.Field("phase")
	known := named != "" || g.met[Key(phase)]
	if s.Percent < 100 && !known && !CompletesPhase("", phase) {
		s.Phase = phase
	}
	return s
}

// gathering collects items, each from the first place that has it.
type gathering struct {
	items []Item
	step  string          // the key of the frontmatter's step; empty if the step is complete
	met   map[string]bool // the keys of the items so far
}

func (g *gathering) add(text string, status Status, from Source) {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	key := Key(line)
	empty := key == "" || checkpoint.IsNone(line)
	if empty || status == Unknown || g.met[key] {
		return
	}
	g.met[key] = true
	if status != dropped {
		g.items = append(g.items, Item{strings.TrimSpace(line), status, from})
	}
}

// sections adds the items in the sections of the format.
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
	boxes(c.Boxes(checkpoint.State), Stated)
	boxes(c.Actions(), NextAction)
	for _, k := range []checkpoint.Kind{checkpoint.PlayByPlay, checkpoint.Next} {
		for _, a := range c.Asides(k) {
			for _, entry := range checkpoint.Entries(c.Doc, a.Extent) {
				g.add(strings.Trim(entry.Text, "~"), statusIn(a, entry), Stated)
			}
		}
	}
	boxes(c.Boxes(checkpoint.PlayByPlay), Step)
	told := maps.Clone(g.met)
	for _, item := range c.Steps() {
		boxed := strings.HasPrefix(strings.ToLower(item.Text), "[x]")
		_, _, folded := checkpoint.Folded(item.Text)
		what, _, _ := strings.Cut(item.Text, arrow)
		open := Key(item.Text) == g.step && !strings.HasSuffix(item.Text, doneSuffix)
		if known := boxed || folded || told[Key(what)]; !known && !open {
			g.add(item.Text, Completed, Step)
		}
	}
	for _, text := range schema.Completed(c) {
		g.add(text, Completed, Step)
	}
}

// statusIn returns the status of an entry below a subheading: the more advanced one of its own mark and the
// subheading. Below a subheading such as Rejected, the entry is dropped.
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

// arrow separates a step from its result. The step may also be an item of another section; that
// section determines its status.
const arrow = " → "

// doneSuffix is the end of a step that was a next action.
const doneSuffix = "→ done"

// Key returns the words of a line without markup: lines with the same key are the same item.
func Key(line string) string {
	line, _ = strings.CutSuffix(strings.TrimSpace(line), doneSuffix)
	return strings.Join(strings.FieldsFunc(strings.ToLower(line),
		func(r rune) bool { return strings.ContainsRune(" \t*_`~.:", r) }), " ")
}

// StatusOf parses a status. Any other word is Unknown.
func StatusOf(word string) Status {
	word = strings.ToLower(strings.Trim(strings.NewReplacer("_", " ", "-", " ", "**", "", "`", "").Replace(word),
		" .!✅☑✔🚧⏳"))
	word, _, _ = strings.Cut(word, " (")
	switch word {
	case "done", "complete", "completed", "finished", "closed", "fixed", "merged", "shipped", "released", "passed",
		"passing", "resolved", "implemented", "x":
		return Completed
	case "in progress", "started", "doing", "wip", "ongoing", "running", "under way", "underway", "begun", "active",
		"in review", "partial", "failed":
		return InProgress
	case "pending", "todo", "to do", "open", "planned", "not started", "blocked", "waiting", "queued", "next", "deferred":
		return Pending
	case "skipped", "cancelled", "canceled", "dropped", "obsolete", "won't do", "superseded":
		return dropped
	}
	return Unknown
}

var (
	phaseTrigger = text.Regexp(`(?i)^phase[ _-]*(complet(e|ed|ion)|end|done)?$`)
	phaseStep    = text.Regexp(`(?is)^phase.*completed?[ _-]*$`)
)

// CompletesPhase reports whether a checkpoint was made because a phase was completed, according to
// its trigger ("phase", "phase_complete") or its step ("Phase 2 Complete").
func CompletesPhase(trigger, step string) bool {
	return phaseTrigger.Get().MatchString(trigger) || phaseStep.Get().MatchString(step)
}

package schema

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/value"
)

// nothingDone begins what a delta says whose JSON reports no new step.
const nothingDone = "Next: "

// Record puts the import into a revision of a checkpoint: a delta of what is new in
// it, and the sections that it brings up to date. Note is what the caller says
// besides, and wins.
func (im *Import) Record(c *checkpoint.Checkpoint, r *checkpoint.Revision, note checkpoint.Progress, now time.Time) (checkpoint.Progress, error) {
	d := im.draft()
	if note.Changed != "" { // it is told in other words: the steps stand by themselves
		d.told = fresh(d.steps, steps(c))
	}
	note = im.progress(c, d, note)
	trial := c.Revise()
	d.bring(c, trial)
	if err := trial.Record(note, now); err != nil {
		return note, err
	}
	then, err := trial.Apply()
	if err != nil {
		return note, err
	}
	rest, err := im.onTop(c, im.rest(then))
	if err != nil {
		return note, err
	}
	if extra := block(3, im.Name, rest); extra != "" {
		note.Extra = strings.TrimSpace(note.Extra + "\n\n" + extra)
	}
	d.bring(c, r)
	return note, r.Record(note, now)
}

// bring puts what is no part of a delta into a revision.
func (d *draft) bring(c *checkpoint.Checkpoint, r *checkpoint.Revision) {
	for key, text := range d.head {
		if text != "" && key != "parent" {
			r.Set(key, text)
		}
	}
	if intent := c.Text(checkpoint.Intent); strings.TrimSpace(d.goal) != "" && same(intent) != same(d.goal) {
		r.Text(checkpoint.Intent, d.goal)
	}
	var items []doc.Item
	if p, ok := c.Find(checkpoint.Context); ok {
		items = c.Doc.Items(p.Extent)
	}
	for _, fact := range d.facts {
		if slices.ContainsFunc(items, func(i doc.Item) bool { return same(i.Text) == same(fact) }) {
			continue
		}
		name, _, _ := strings.Cut(fact, ": ")
		i := slices.IndexFunc(items, func(i doc.Item) bool { return isName(name) && strings.HasPrefix(i.Text, name+": ") })
		if i >= 0 && !strings.Contains(fact, "\n") { // the same fact, and another value
			r.Splice(doc.Replace(checkpoint.FirstPart(c.Doc, items[i]), strings.TrimSpace(fact)))
			items = slices.Delete(slices.Clone(items), i, i+1)
			continue
		}
		r.Bullet(checkpoint.Context, fact)
	}
	for _, step := range d.told {
		r.Bullet(checkpoint.PlayByPlay, step)
	}
	if len(d.next) > 0 { // the whole list: it names what is done itself
		r.List(checkpoint.Next, d.next)
	}
	d.rows(r, c.Breadcrumbs())
}

// progress is what the import says that the checkpoint does not.
func (im *Import) progress(c *checkpoint.Checkpoint, d *draft, note checkpoint.Progress) checkpoint.Progress {
	did := fresh(d.steps, steps(c))
	for i, text := range did {
		did[i] = same(text)
	}
	next := ""
	for _, text := range d.next {
		if !strings.HasPrefix(text, "[x] ") {
			next = nothingDone + firstLine(strings.TrimPrefix(strings.TrimPrefix(text, "[~] "), "[ ] "))
			break
		}
	}
	note.Changed = cmp.Or(note.Changed, strings.Join(did, stepBreak), same(d.head["name"]), same(d.head["step"]), next, nothingDone+"as before")
	note.State = cmp.Or(note.State, d.state)
	if len(note.Next)+len(note.Done) > 0 {
		d.next = nil
	}
	var known []string
	for _, old := range c.Decisions() {
		if old.Aside != "" {
			continue
		}
		known = append(known, checkpoint.DecisionText(old.What, old.Why))
	}
	note.Decisions = append(note.Decisions, fresh(d.decisions, known)...)
	listed := map[string]bool{}
	for _, a := range note.Artifacts {
		listed[a.File] = true
	}
	were, _ := files(c).([]any)
	for _, file := range fresh(d.artifacts, texts(were)) {
		if !listed[file] {
			note.Artifacts = append(note.Artifacts, checkpoint.Artifact{File: file, Action: "modified"})
		}
	}
	note.Transitions = append(note.Transitions, im.moves(c)...)
	return note
}

// fresh are the texts that are not among those that are known.
func fresh(all, known []string) []string {
	have := map[string]bool{}
	for _, text := range known {
		have[same(text)] = true
	}
	var left []string
	for _, text := range all {
		if t := same(text); !have[t] {
			have[t] = true
			left = append(left, text)
		}
	}
	return left
}

// moves are the tasks whose state is another one than the checkpoint says.
func (im *Import) moves(c *checkpoint.Checkpoint) []checkpoint.Transition {
	path, key, w := []string{"state", "todos"}, "content", todoWords
	switch im.Name {
	case Protocol:
		return nil
	case State:
		path, key, w = []string{"state", "plan"}, "description", planWords
	}
	were := map[string]string{}
	for _, t := range tasksOf(c, key, w) {
		text, _ := member[string](t, key)
		were[same(text)], _ = member[string](t, "status")
	}
	list, _ := value.Get(im.Object, path...)
	var all []checkpoint.Transition
	for _, t := range objects(list) {
		text, _ := member[string](t, key)
		status, _ := member[string](t, "status")
		text = same(clean(text))
		if was := were[text]; was != "" && was != status && status != "" {
			all = append(all, checkpoint.Transition{Item: text, Before: was, After: same(clean(status))})
		}
	}
	return all
}

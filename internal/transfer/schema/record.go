package schema

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/checkpoint/value"
)

// nothingDone begins the text of a delta whose import has no new step.
const nothingDone = "Next: "

// Record writes the import to a revision of a checkpoint: a delta with what is new in it, and
// the sections that it updates. Note has values that take precedence over the import.
func (im *Import) Record(c *checkpoint.Checkpoint, r *revise.Revision, note revise.Progress,
	now time.Time) (revise.Progress, error) {
	last, err := saveOf(c, im.Name)
	if err != nil {
		return note, err
	}
	before := written(c, im.Name, last)
	whole := &Import{im.Name, im.onTop(before, last)}
	d := im.draft(whole.Object)
	if note.Changed != "" { // the delta describes the steps in other words
		d.told = newSteps(d.steps, c)
	}
	if im.Name == Protocol && d.state == "" && last.ownsState(c) {
		d.state = "The last save names no context."
	}
	note = im.progress(c, d, note)
	im.bring(d, c, r, before)
	brought := im.context(d, c, r, last.facts())
	if err := r.Record(note, now); err != nil {
		return note, err
	}
	then, err := r.Apply()
	if err != nil {
		return note, err
	}
	s := whole.save(then)
	if im.Name == Protocol && note.State == d.state && d.state != "" {
		s.ownState(then)
	}
	s.ownFacts(brought)
	s.keep(c, r)
	return note, nil
}

// ofEachSave lists the members that belong to one save, besides the fields with ofSave: a later
// save without them has none.
var ofEachSave = []string{"metadata", "tokensUsed", "createdAt", "created_at", "stepNumber", "step_number", "id",
	"checkpointId", "checkpoint_id"}

// onTop returns the import with stored members added: those of the work and its state that it
// leaves out, and the fields that share a section with one of its own.
func (im *Import) onTop(before value.Object, last *save) value.Object {
	whole := im.Object
	leave := func(path ...string) {
		if _, given := value.Get(im.Object, path...); given {
			return
		}
		if v, there := value.Get(before, path...); there {
			whole = value.Set(whole, v, path...)
		}
	}
	if last != nil {
		for _, m := range last.object {
			switch {
			case slices.Contains(ofEachSave, m.Key) || m.Key == "resumePointer":
			case m.Key == "state" || m.Key == "summary":
				below, _ := m.Value.(value.Object)
				for _, inner := range below {
					leave(m.Key, inner.Key)
				}
			default:
				leave(m.Key)
			}
		}
	}
	for _, f := range fieldsOf(im.Name) {
		if f.joint {
			leave(f.keys()...)
		}
	}
	_, planned := value.Get(im.Object, "state", "plan")
	_, failed := value.Get(im.Object, "state", "lastError")
	if planned && !failed { // a state with a plan has all fields, so a missing error means that there is none any more
		whole = drop(whole, []string{"state", "lastError"})
	}
	return whole
}

// bring updates the frontmatter and the sections that a delta does not update. Before is the
// checkpoint as an object of the schema.
func (im *Import) bring(d *draft, c *checkpoint.Checkpoint, r *revise.Revision, before value.Object) {
	for key, text := range d.head {
		if text != "" && key != "parent" {
			r.Set(key, text)
		}
	}
	for path, key := range headsOfSave()[im.Name] {
		v, _ := value.Get(im.Object, strings.Split(path, ".")...)
		_, had := value.Get(before, strings.Split(path, ".")...)
		if plain(v) == "" && had {
			r.Drop(key)
		}
	}
	if intent := c.Text(checkpoint.Intent); strings.TrimSpace(d.goal) != "" && oneLine(intent) != oneLine(d.goal) {
		r.Text(checkpoint.Intent, d.goal)
	}
	for _, step := range d.told {
		r.Bullet(checkpoint.PlayByPlay, step)
	}
	switch {
	case len(d.next) > 0: // the whole list, with the finished tasks
		r.List(checkpoint.Next, d.next)
	case d.emptied:
		r.Renew(nil)
	}
	d.rows(r, c.Breadcrumbs())
}

// headsOfSave returns the frontmatter keys of the fields that belong to one save, by their paths.
func headsOfSave() map[Name]map[string]string {
	return map[Name]map[string]string{
		Protocol: {"resumePointer.phase": "phase", "tokensUsed": "tokens_used"},
		Agent:    {"metadata.estimated_completion": "progress"},
		State:    {"metadata.tokenUsage": "tokens_used"},
	}
}

// context updates the facts of Technical Context. Brought has the digests of the facts that earlier
// saves wrote: context removes those that this save does not have. It returns the digests of all facts
// that saves have written so far.
func (im *Import) context(d *draft, c *checkpoint.Checkpoint, r *revise.Revision, brought []string) []string {
	if _, given := value.Get(im.Object, "state", "context"); !given {
		return brought
	}
	var items []doc.Entry
	if p, ok := c.Find(checkpoint.Context); ok {
		items = c.Doc.Items(p.Extent)
	}
	var now []string
	for _, fact := range d.facts {
		name, named := nameOf(fact)
		known := slices.ContainsFunc(items, func(i doc.Entry) bool { return oneLine(i.Text) == oneLine(fact) })
		if mark := digest(oneLine(fact)); named && (!known || slices.Contains(brought, mark)) {
			now = append(now, mark)
		}
		if known {
			continue
		}
		i := slices.IndexFunc(items, func(i doc.Entry) bool { return named && strings.HasPrefix(i.Text, name+": ") })
		if i >= 0 && !strings.Contains(fact, "\n") { // the same fact with another value
			r.Splice(doc.Replace(checkpoint.FirstPart(c.Doc, items[i]), strings.TrimSpace(fact)))
			items = slices.Delete(slices.Clone(items), i, i+1)
			continue
		}
		r.Bullet(checkpoint.Context, fact)
	}
	for _, item := range items {
		if mark := digest(oneLine(item.Text)); slices.Contains(brought, mark) && !slices.Contains(now, mark) {
			r.Splice(doc.Replace(item.Span, ""))
		}
	}
	return now
}

// progress adds the news of the import to a note.
func (im *Import) progress(c *checkpoint.Checkpoint, d *draft, note revise.Progress) revise.Progress {
	did := newSteps(d.steps, c)
	for i, text := range did {
		did[i] = oneLine(text)
	}
	next := ""
	for _, text := range d.next {
		if !strings.HasPrefix(text, "[x] ") {
			next = nothingDone + firstLine(strings.TrimPrefix(strings.TrimPrefix(text, "[~] "), "[ ] "))
			break
		}
	}
	note.Changed = cmp.Or(note.Changed, strings.Join(did, stepBreak), oneLine(d.head["name"]), oneLine(d.head["step"]),
		next, nothingDone+"as before")
	note.State = cmp.Or(note.State, d.state)
	if len(note.Next)+len(note.Done) > 0 {
		d.next, d.emptied = nil, false
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

// newSteps returns the steps that are neither in Play-By-Play nor in a delta.
func newSteps(all []string, c *checkpoint.Checkpoint) []string {
	var told strings.Builder // the known steps, each between breaks, since a step may contain one
	for _, s := range steps(c) {
		told.WriteString(stepBreak + oneLine(s))
	}
	told.WriteString(stepBreak)
	return slices.DeleteFunc(fresh(all, nil), func(s string) bool {
		return strings.Contains(told.String(), stepBreak+oneLine(s)+stepBreak)
	})
}

// fresh returns the texts that are not in known, each once.
func fresh(all, known []string) []string {
	have := map[string]bool{}
	for _, text := range known {
		have[oneLine(text)] = true
	}
	var left []string
	for _, text := range all {
		t := oneLine(text)
		if !have[t] {
			left = append(left, text)
		}
		have[t] = true
	}
	return left
}

// moves returns the tasks whose status differs from the checkpoint.
func (im *Import) moves(c *checkpoint.Checkpoint) []checkpoint.Transition {
	if im.Name == Protocol {
		return nil
	}
	tasks, key, w := "todos", "content", todoWords
	if im.Name == State {
		tasks, key, w = "plan", "description", planWords
	}
	were := map[string]string{}
	for _, t := range tasksOf(c, key, w) {
		text, _ := member[string](t, key)
		were[oneLine(text)], _ = member[string](t, "status")
	}
	list, _ := value.Get(im.Object, "state", tasks)
	var all []checkpoint.Transition
	for _, t := range objects(list) {
		text, _ := member[string](t, key)
		status, _ := member[string](t, "status")
		text = oneLine(clean(text))
		if was := were[text]; was != "" && was != status && status != "" {
			all = append(all, checkpoint.Transition{Item: text, Before: was, After: oneLine(clean(status))})
		}
	}
	return all
}

// Export is a checkpoint as an object of a schema.
type Export struct {
	ID     string
	Schema Name
	Object value.Object
}

// Done returns the number of steps that the object tells as done.
func (e *Export) Done() int {
	paths := map[Name][]string{Protocol: {"summary", "completed"}, Agent: {"state", "todos"}, State: {"state", "plan"}}
	steps, _ := member[[]any](e.Object, paths[e.Schema]...)
	if e.Schema == Protocol {
		return len(steps)
	}
	n := 0
	for _, s := range objects(steps) {
		if isOver(s) {
			n++
		}
	}
	return n
}

// Write returns a checkpoint as an object of a schema: the last import, updated with later changes
// in the sections.
func Write(c *checkpoint.Checkpoint, name Name) (*Export, error) {
	last, err := saveOf(c, name)
	if err != nil {
		return nil, err
	}
	return &Export{c.ID, name, written(c, name, last)}, nil
}

func written(c *checkpoint.Checkpoint, name Name, last *save) value.Object {
	now := readAll(c, name)
	if last == nil {
		last = &save{}
	}
	var out value.Object
	rest := last.object
	for _, f := range fieldsOf(name) {
		v, stored := value.Get(rest, f.keys()...)
		have, inSections := now[f.path]
		was, watched := last.digests[f.path]
		switch {
		case stored && (f.stored || f.alone || last.digests == nil): // without digests the save counts
		case f.alone && last.name != "":
			have, inSections = f.or, f.or != nil
			fallthrough
		case !stored && !watched:
			if inSections {
				out = value.Set(out, have, f.keys()...)
			} else if f.or != nil {
				out = value.Set(out, f.or, f.keys()...)
			}
		case unchanged(was, f.marks(have)):
		case stored:
			v = f.merged(v, have, was)
			if v != nil {
				rest = value.Set(rest, v, f.keys()...)
			} else {
				rest = drop(rest, f.keys())
			}
		case inSections:
			out = value.Set(out, have, f.keys()...)
		}
	}
	return complete(value.Over(out, rest), name, rest)
}

// complete adds the fields that every checkpoint of an executor has.
func complete(out value.Object, name Name, given value.Object) value.Object {
	if name != State {
		return out
	}
	if _, ok := value.Get(given, "stepNumber"); !ok { // the same value as currentStepIndex
		if at, ok := value.Get(out, "state", "currentStepIndex"); ok {
			out = value.Set(out, at, "stepNumber")
		}
	}
	if v, ok := value.Get(out, "metadata"); ok {
		if _, object := v.(value.Object); !object {
			return out
		}
	}
	for _, m := range []value.Member{{Key: "triggerType", Value: "auto"}, {Key: "durationMs", Value: json.Number("0")}} {
		if _, ok := value.Get(out, "metadata", m.Key); !ok {
			out = value.Set(out, m.Value, "metadata", m.Key)
		}
	}
	return out
}

// drop returns o without the value at a path.
func drop(o value.Object, path []string) value.Object {
	var left value.Object
	for _, m := range o {
		if below, ok := m.Value.(value.Object); ok && m.Key == path[0] && len(path) > 1 {
			m.Value = drop(below, path[1:])
		}
		if m.Key != path[0] || len(path) > 1 {
			left = append(left, m)
		}
	}
	return slices.Clip(left)
}

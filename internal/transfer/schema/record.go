package schema

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/text"
)

// nothingDone is the beginning of a delta's text if the import has no new step.
const nothingDone = "Next: "

// Record writes the import to a revision of a checkpoint: a delta with what is new in the
// import, and the sections that the import updates. Note has values that take precedence over the import.
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
	saved := last.draft().state
	unedited := saved != "" && oneLine(doc.Literal(saved)) == oneLine(c.Text(checkpoint.State))
	switch {
	case unedited && im.Name == Protocol && d.state == "":
		d.state = "The last save names no context."
	case !unedited && d.state == (&Import{im.Name, before}).draft(before).state: // nothing new: keep the present text
		d.state = ""
	}
	note = im.progress(c, d, note)
	if d.aimed { // the goal replaces Session Intent: add note.Intent to the goal
		d.said, note.Intent = note.Intent, ""
	}
	im.bring(d, c, r, last)
	had := im.context(d, c, r, last)
	if err := r.Record(note, now); err != nil {
		return note, err
	}
	then, err := r.Apply()
	if err != nil {
		return note, err
	}
	saveOn(then, im.Name, whole.Object, had).keep(c, r)
	return note, nil
}

// draft returns a draft with all fields of the save. The draft is empty if s is nil.
func (s *save) draft() *draft {
	if s == nil {
		return &draft{}
	}
	return (&Import{s.name, s.object}).draft(s.object)
}

// ofEachSave lists members that a later save does not take over, in addition to the fields with ofSave set.
var ofEachSave = []string{"metadata", "tokensUsed", "createdAt", "created_at", "stepNumber", "step_number", "id",
	"checkpointId", "checkpoint_id"}

// onTop returns the import with missing members taken from before, the checkpoint as an object before the import. It
// takes members of the last save, except those in [ofEachSave], and fields that share a section with others.
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
		if _, given := value.Get(im.Object, f.keys()...); given {
			continue
		}
		if f.joint {
			leave(f.keys()...)
		} else if f.fixed && last != nil && len(last.differ[f.path]) == 0 { // the sections have the value already
			whole = drop(whole, f.keys())
		}
	}
	_, planned := value.Get(im.Object, "state", "plan")
	_, failed := value.Get(im.Object, "state", "lastError")
	if planned && !failed { // a state with a plan has all fields, so if lastError is missing, there is no error any more
		whole = drop(whole, []string{"state", "lastError"})
	}
	return whole
}

// bring updates the frontmatter and the sections that a delta does not update. In the Session Intent it replaces the
// goal of the last save, and leaves the text below the goal and the user's messages as they are.
func (im *Import) bring(d *draft, c *checkpoint.Checkpoint, r *revise.Revision, last *save) {
	for key, text := range d.head {
		if key != "parent" {
			r.Set(key, text)
		}
	}
	intent, goal := c.Text(checkpoint.Intent), doc.Literal(d.goal)
	below, ok := strings.CutPrefix(intent, doc.Literal(last.draft().goal)+"\n")
	if !ok {
		below = "\n" + record.Messages(intent)
	}
	if !strings.Contains(goal, strings.TrimSpace(below)) {
		goal += "\n" + below
	}
	if d.said != "" {
		goal = strings.TrimRight(goal, "\n") + "\n\n" + d.said
	}
	if d.aimed && oneLine(intent) != oneLine(goal) {
		r.Text(checkpoint.Intent, goal)
	}
	r.Bullet(checkpoint.PlayByPlay, d.told...)
	if len(d.next) > 0 { // the whole list, with the finished tasks
		r.List(checkpoint.Next, d.next)
	}
	d.rows(r, c.Breadcrumbs())
}

// context updates the facts of Technical Context. It removes facts of earlier saves that the import lacks. It returns
// digests of the import's facts that the section had before any save.
func (im *Import) context(d *draft, c *checkpoint.Checkpoint, r *revise.Revision, last *save) []string {
	brought, had := last.facts()
	if _, given := value.Get(im.Object, "state", "context"); !given {
		return had
	}
	var items []doc.Entry
	if p, ok := c.Find(checkpoint.Context); ok {
		items = c.Doc.Items(p.Extent)
	}
	if im.Name == Agent && d.head["project"] == "" && c.Field("project") == last.draft().head["project"] {
		r.Drop("project")
	}
	had = nil
	now := marks{}
	for _, fact := range d.facts {
		name, named := nameOf(fact)
		mark := digest(oneLine(fact))
		now[mark] = true
		if slices.ContainsFunc(items, func(i doc.Entry) bool { return oneLine(i.Text) == oneLine(fact) }) {
			if !brought[mark] {
				had = append(had, mark)
			}
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
		if mark := digest(oneLine(item.Text)); brought[mark] && !now[mark] {
			r.Splice(doc.Replace(item.Span, ""))
		}
	}
	return had
}

// facts returns digests of the named facts that this save or an earlier one added to Technical Context, and of the
// facts that the section had before any save.
func (s *save) facts() (brought marks, had []string) {
	brought = marks{}
	if s == nil || s.differ == nil {
		return brought, nil
	}
	had = s.differ[noted]
	for _, fact := range s.draft().facts {
		_, named := nameOf(fact)
		if mark := digest(oneLine(fact)); named && !slices.Contains(had, mark) {
			brought[mark] = true
		}
	}
	return brought, had
}

// progress adds what is new in the import to a note, and returns the note.
func (im *Import) progress(c *checkpoint.Checkpoint, d *draft, note revise.Progress) revise.Progress {
	did := newSteps(d.steps, c)
	for i, text := range did {
		did[i] = oneLine(text)
	}
	next := ""
	for _, action := range d.next {
		if !strings.HasPrefix(action, "[x] ") {
			next = nothingDone + text.FirstLine(strings.TrimPrefix(strings.TrimPrefix(action, "[~] "), "[ ] "))
			break
		}
	}
	description := d.head["name"]
	if _, named := value.Get(im.Object, "name"); named { // head has the checkpoint's name
		description = ""
	}
	note.Changed = cmp.Or(note.Changed, strings.Join(did, stepBreak), oneLine(description), oneLine(d.head["step"]), next,
		nothingDone+"as before")
	note.State = cmp.Or(note.State, d.state)
	for _, which := range note.Done { // the import may list this task as open
		if done, err := revise.Begin(c).Done(which); err == nil {
			d.next = slices.DeleteFunc(d.next, func(action string) bool {
				return text.FirstLine(checkpoint.ParseAction(action).Text) == done
			})
		}
	}
	switch {
	case len(d.next) > 0:
		d.next = slices.Concat(d.next, note.Next, note.AddNext)
		note.Next, note.AddNext = nil, nil
	case d.emptied:
		note.NoNext = true
	}
	var known []string
	for _, old := range c.Decisions() {
		if old.Aside == "" {
			known = append(known, checkpoint.DecisionText(old.What, old.Why))
		}
	}
	note.Decisions = append(note.Decisions, fresh(d.decisions, known)...)
	for _, file := range fresh(d.artifacts, texts(files(c))) {
		if !slices.ContainsFunc(note.Artifacts, func(a checkpoint.Artifact) bool { return a.File == file }) {
			note.Artifacts = append(note.Artifacts, checkpoint.Artifact{File: file, Action: "modified"})
		}
	}
	note.Transitions = append(note.Transitions, im.moves(c)...)
	return note
}

// newSteps returns the steps that are neither in Play-By-Play nor in a delta.
func newSteps(all []string, c *checkpoint.Checkpoint) []string {
	var told strings.Builder // the known steps, each between breaks, because a step may contain a break
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

// moves returns the tasks whose status differs from that in the checkpoint.
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
	Schema Name         `json:"schema"` // the name of the schema: "protocol"
	ID     string       `json:"id"`
	Object value.Object `json:"checkpoint"` // the checkpoint in that schema
}

// SavedAs returns the schema of the newest import in a checkpoint, or "" without imports. The error is for an import
// that cannot be read.
func SavedAs(c *checkpoint.Checkpoint) (Name, error) {
	last, err := saveOf(c, "")
	if last == nil {
		return "", err
	}
	return last.name, nil
}

// Front returns the frontmatter fields of the newest import in a checkpoint.
func Front(c *checkpoint.Checkpoint) map[string]string {
	last, _ := saveOf(c, "") // an import that cannot be read has no fields
	return last.draft().head
}

// Completed lists the completed steps in the newest import of the checkpoint protocol.
func Completed(c *checkpoint.Checkpoint) []string {
	var completed any
	if last, _ := saveOf(c, Protocol); last != nil {
		completed, _ = value.Get(last.object, "summary", "completed")
	}
	return texts(completed)
}

// Write returns a checkpoint as an object of a schema: the last import, updated with later changes in the sections.
func Write(c *checkpoint.Checkpoint, name Name) (*Export, error) {
	last, err := saveOf(c, name)
	if err != nil {
		return nil, err
	}
	return &Export{name, c.ID, written(c, name, last)}, nil
}

func written(c *checkpoint.Checkpoint, name Name, last *save) value.Object {
	if last == nil {
		last = &save{}
	}
	var out value.Object
	stored, values := last.object, readAll(c, name, last.object)
	keepPhases(values, stored)
	for _, f := range fieldsOf(name) {
		v, given := value.Get(stored, f.keys()...)
		now := values[f.path]
		then, changed := last.changed(f, now)
		switch {
		case given && changed:
			v = cmp.Or(f.merged(v, now, then), f.or)
			if v != nil {
				stored = value.Set(stored, v, f.keys()...)
			} else {
				stored = drop(stored, f.keys())
			}
		case given:
		case now != nil && (changed || last.name == "" || !f.ofSave):
			out = value.Set(out, now, f.keys()...)
		case f.or != nil:
			out = value.Set(out, f.or, f.keys()...)
		}
	}
	out = value.Over(value.Over(stored, out), stored) // in the order of the import
	_, counted := value.Get(stored, "stepNumber")
	if at, ok := value.Get(out, "state", "currentStepIndex"); ok && name == State && !counted { // stepNumber is a copy
		out = value.Set(out, at, "stepNumber")
	}
	return out
}

// Further returns the parts of the newest import that no section shows, as Markdown, and reports whether
// there is an import that can be read.
func Further(c *checkpoint.Checkpoint) (text string, ok bool) {
	s, err := saveOf(c, "")
	if s == nil || err != nil {
		return "", false
	}
	rest, values := written(c, s.name, s), readAll(c, s.name, s.object)
	for _, f := range fieldsOf(s.name) {
		_, given := value.Get(s.object, f.keys()...)
		v, _ := value.Get(rest, f.keys()...)
		now := cmp.Or(values[f.path], f.or)
		hidden := !given || f.head == "trigger"
		if hidden || now != nil && value.Equal(now, v) {
			rest = drop(rest, f.keys())
		}
	}
	if len(rest) == 0 {
		return "", true
	}
	return block(s.name, rest), true
}

// drop returns o without the value at a path, and without the objects that are then empty.
func drop(o value.Object, path []string) value.Object {
	below, ok := value.Get(o, path[0])
	inner, _ := below.(value.Object)
	switch {
	case !ok:
		return o
	case len(path) == 1:
		return value.Without(o, path[0])
	case len(inner) == 0:
		return o
	}
	inner = drop(inner, path[1:])
	if len(inner) == 0 {
		return value.Without(o, path[0])
	}
	return value.Set(o, inner, path[0])
}

package walk

import (
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	format "example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/transfer/schema"
)

// model is the expected content of the checkpoints folder.
type model struct {
	current   string                 // the id of the current checkpoint, or ""
	unsure    bool                   // current is not promised, until a command chooses one
	all       map[string]*checkpoint // those that exist, by id
	deleted   map[string]*checkpoint // those that undelete can restore
	learnings map[string][]string    // the bullets of LEARNINGS.md by the id of their checkpoint
}

// checkpoint is the expected content of one file.
type checkpoint struct {
	id, parent string
	archived   bool
	sections   map[format.Kind][]string // the entries of lists and tables, in order; a text is one entry
	deltas     []delta
	own        []string // sections that the format does not define, written by hand or left by a fold
	outcome    string
	learnings  []string
	wasCurrent bool // a deleted checkpoint was current when it was deleted

	saved  schema.Name  // the schema of the JSON that was saved last; "" if none was
	loaded value.Object // the output of `ckpt export`; nil if a command has changed the checkpoint since
	kept   string       // what only another save changes: see keptOf
	given  []string     // the words of all JSON that was saved
	spoken []string     // given, and words that a fork copied, which the file may lack
}

func newModel() *model {
	return &model{all: map[string]*checkpoint{}, deleted: map[string]*checkpoint{}, learnings: map[string][]string{}}
}

func newCheckpoint(id string) *checkpoint {
	return &checkpoint{id: id, sections: map[format.Kind][]string{}}
}

// clone returns a copy that shares no data that changes later.
func (m *model) clone() *model {
	n := &model{current: m.current, unsure: m.unsure, all: map[string]*checkpoint{}, deleted: map[string]*checkpoint{}, learnings: maps.Clone(m.learnings)}
	for id, c := range m.all {
		n.all[id] = c.clone()
	}
	for id, c := range m.deleted {
		n.deleted[id] = c.clone()
	}
	return n
}

func (c *checkpoint) clone() *checkpoint {
	d := *c
	d.sections = map[format.Kind][]string{}
	for k, entries := range c.sections {
		d.sections[k] = slices.Clone(entries)
	}
	d.deltas, d.own, d.spoken = slices.Clone(c.deltas), slices.Clone(c.own), slices.Clip(c.spoken)
	return &d
}

// choose sets the current checkpoint; "" means none.
func (m *model) choose(id string) { m.current, m.unsure = id, false }

// add appends entries to a section.
func (c *checkpoint) add(k format.Kind, entries ...string) {
	c.sections[k] = append(c.sections[k], entries...)
}

// set replaces a section. An empty text leaves it as it is.
func (c *checkpoint) set(k format.Kind, entries ...string) {
	entries = slices.DeleteFunc(slices.Clone(entries), func(s string) bool { return s == "" })
	if len(entries) > 0 {
		c.sections[k] = entries
	}
}

// decide adds a decision, as `WHAT: WHY` or without a reason.
func (c *checkpoint) decide(what, why string) { c.add(format.Decisions, decision(what, why)) }

func decision(what, why string) string {
	if why == "" {
		return "**" + what + "**"
	}
	return "**" + what + "**: " + why
}

// supersede strikes a live decision through and adds the one that replaces it.
func (c *checkpoint) supersede(n int, what, why string) {
	c.sections[format.Decisions][n] = "~~" + c.sections[format.Decisions][n] + "~~ → **" + what + "**"
	c.decide(what, why)
}

// live returns the indexes of the decisions that are not superseded.
func (c *checkpoint) live() []int {
	var all []int
	for i, d := range c.sections[format.Decisions] {
		if !strings.HasPrefix(d, "~~") {
			all = append(all, i)
		}
	}
	return all
}

// finish moves next actions, by their indexes, to Play-By-Play.
func (c *checkpoint) finish(indexes ...int) {
	var rest []string
	for i, action := range c.sections[format.Next] {
		if !slices.Contains(indexes, i) {
			rest = append(rest, action)
		}
	}
	for _, i := range indexes {
		c.add(format.PlayByPlay, format.ParseAction(c.sections[format.Next][i]).Text+" → done")
	}
	c.sections[format.Next] = rest
}

// delta is one delta, with the rows of its tables and its own sections.
type delta struct {
	at, changed            string
	artifacts, transitions []string
	extra                  string
}

// String returns the delta as one text, its parts in the order of the file.
func (d delta) String() string {
	return strings.Join([]string{d.at, d.changed, strings.Join(d.artifacts, "\n"), strings.Join(d.transitions, "\n"), d.extra}, "\n--\n")
}

// fold moves the deltas into the body, each as a step and the rows of its artifacts, which replace older ones of the
// same files. The earlier steps and the new ones keep their order. How they are merged is read from the file.
func (c *checkpoint) fold(inFile []string) {
	noted := c.sections[format.PlayByPlay]
	for _, d := range c.deltas {
		step := d.at + " → " + strings.Join(strings.Fields(d.changed), " ")
		var moved []string
		for _, t := range d.transitions {
			cells := strings.Split(t, " | ")
			moved = append(moved, cells[0]+": "+cells[2])
		}
		if len(moved) > 0 {
			step += " → " + strings.Join(moved, "; ")
		}
		c.add(format.PlayByPlay, step)
		for _, row := range d.artifacts {
			file, _, _ := strings.Cut(row, " | ")
			isOlder := func(row string) bool { return strings.HasPrefix(row, file+" | ") }
			c.sections[format.Artifacts] = slices.DeleteFunc(slices.Clone(c.sections[format.Artifacts]), isOlder)
		}
		c.add(format.Artifacts, d.artifacts...)
		if d.extra != "" {
			c.own = append(c.own, d.extra)
		}
	}
	all := c.sections[format.PlayByPlay]
	if len(inFile) == len(all) && missing(noted, inFile) == "" && missing(all[len(noted):], inFile) == "" {
		c.sections[format.PlayByPlay] = inFile
	}
	c.deltas = nil
}

// row returns the cells of a table's row as one entry.
func row(cells ...string) string { return strings.Join(cells, " | ") }

// active returns the ids of the checkpoints that are not archived, sorted.
func (m *model) active() []string {
	return m.where(func(c *checkpoint) bool { return !c.archived })
}

// where returns the sorted ids of the checkpoints for which is returns true.
func (m *model) where(is func(*checkpoint) bool) []string {
	var all []string
	for _, id := range slices.Sorted(maps.Keys(m.all)) {
		if is(m.all[id]) {
			all = append(all, id)
		}
	}
	return all
}

// line has the checkpoints of one branch, and the operations that `ckpt undo` can undo.
type line struct {
	model    *model
	past     []moment             // the state before each operation, oldest first
	edits    []*edit              // the edits by hand that no operation has committed
	undone   *undone              // the last operation if it was an undo, and nothing has happened since
	versions map[string][]version // by checkpoint: the versions that operations have made, oldest first
}

// moment is the state before an operation.
type moment struct {
	model  *model
	files  map[string]string
	edits  []*edit
	branch string
	others []func(*model) // the changes of another worktree since then
}

// undone is the state before an undo.
type undone struct {
	model  *model
	files  map[string]string
	unsure bool // after the undo the current checkpoint was not promised
}

// version is an earlier state of a checkpoint.
type version struct {
	*checkpoint
	at  time.Time
	src string // the file, without the mark of the current checkpoint

	current string // the branch on which the checkpoint was current then; "" if it was not
}

// edit is a change by hand, for a file and for the model.
type edit struct {
	id    string
	file  func(src string) string
	model func(*checkpoint)
}

// copy returns the line of a branch that begins here.
func (l *line) copy() *line {
	return &line{model: l.model.clone(), past: slices.Clip(l.past), edits: slices.Clone(l.edits), versions: maps.Clone(l.versions)}
}

// edited reports whether a checkpoint has edits by hand that no operation has committed.
func (l *line) edited(id string) bool {
	return slices.ContainsFunc(l.edits, func(e *edit) bool { return e.id == id })
}

// editedFile is edited for a path in the checkpoints folder.
func (l *line) editedFile(file string) bool {
	id := strings.TrimSuffix(path.Base(file), ".md")
	return l.edited(id)
}

package checkpoint

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/fault"
)

// Revision collects changes to one checkpoint and makes them all at once. The
// zero value is not usable: see [Checkpoint.Revise].
type Revision struct {
	c       *Checkpoint
	edits   []doc.Edit          // of spans
	bullets map[Kind][]string   // to append to a section
	rows    map[Kind][][]string // to append to its table
	texts   map[Kind]*string    // to put in place of a section
	err     error
}

// Revise begins a revision of c.
func (c *Checkpoint) Revise() *Revision {
	return &Revision{c: c, bullets: map[Kind][]string{}, rows: map[Kind][][]string{}, texts: map[Kind]*string{}}
}

// fieldOrder is the order of the frontmatter keys that ckpt writes.
var fieldOrder = []string{
	"checkpoint", "created", "anchor", "last_delta", "parent", "status", "base",
	"name", "workflow", "phase", "step", "agent", "session", "project", "trigger", "tokens_used", "progress",
}

// Set gives a frontmatter key a value, in the place that the format has for it.
func (r *Revision) Set(key, value string) *Revision {
	if old, ok := r.c.Doc.Front.Get(key); ok && old == value {
		return r
	}
	before := fieldOrder
	if i := slices.Index(fieldOrder, key); i >= 0 {
		before = fieldOrder[:i]
	}
	r.edits = append(r.edits, r.c.Doc.SetField(key, value, before...))
	return r
}

// Drop takes a frontmatter key out.
func (r *Revision) Drop(key string) *Revision {
	if e, ok := r.c.Doc.DropField(key); ok {
		r.edits = append(r.edits, e)
	}
	return r
}

// Bullet appends one entry to the list of a section.
func (r *Revision) Bullet(k Kind, text string) *Revision {
	r.bullets[k] = append(r.bullets[k], text)
	return r
}

// Row appends one row to the table of a section.
func (r *Revision) Row(k Kind, cells ...string) *Revision {
	r.rows[k] = append(r.rows[k], cells)
	return r
}

// Text puts a text in place of all that a section says.
func (r *Revision) Text(k Kind, text string) *Revision {
	literal := doc.Literal(text)
	r.texts[k] = &literal
	return r
}

// List puts a list in place of all that a section says; Next Actions are
// numbered, since their order counts.
func (r *Revision) List(k Kind, entries []string) *Revision {
	marker := "-"
	if k == Next {
		marker = "1."
	}
	text := bulletList(marker, entries)
	r.texts[k] = &text
	return r
}

// Decide adds a decision. With supersedes, the one live decision that holds that
// text is struck through and points to the new one.
func (r *Revision) Decide(what, why, supersedes string) *Revision {
	if supersedes != "" {
		old, err := r.c.decision(supersedes)
		if err != nil {
			r.fail(err)
			return r
		}
		r.edits = append(r.edits, strike(r.c.Doc, old, what))
	}
	return r.Bullet(Decisions, DecisionText(what, why))
}

// DecisionText is a decision as a bullet says it.
func DecisionText(what, why string) string {
	what, why = strings.TrimSpace(what), strings.TrimSpace(why)
	if why == "" {
		return "**" + what + "**"
	}
	return "**" + what + "**: " + why
}

// decision is the one live decision that holds text.
func (c *Checkpoint) decision(text string) (Decision, error) {
	var found []Decision
	for _, d := range c.Decisions() {
		if d.Struck || !containsFold(d.Text, text) {
			continue
		}
		if strings.EqualFold(d.What, text) {
			return d, nil
		}
		found = append(found, d)
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Decision{}, fault.New(fault.NotFound, "%s has no live decision that says %q", c.ID, text).
			WithHint("ckpt show %s --section decisions", c.ID)
	}
	var all []string
	for _, d := range found {
		all = append(all, d.What)
	}
	return Decision{}, fault.New(fault.Usage, "%q fits %d decisions of %s: %s", text, len(found), c.ID, strings.Join(all, "; ")).
		WithHint("give more of the text")
}

// strike crosses a decision out and names what took its place.
func strike(d *doc.Doc, old Decision, by string) doc.Edit {
	raw := d.Slice(old.Span)
	if strings.HasPrefix(strings.TrimSpace(raw), "|") { // a row of a table: its first cell
		cell := strings.SplitN(raw, "|", 3)[1]
		start := old.Span.Start + strings.Index(raw, cell)
		return doc.Replace(doc.Span{Start: start, End: start + len(cell)}, " ~~"+strings.TrimSpace(cell)+"~~ → **"+strings.ReplaceAll(by, "|", `\|`)+"** ")
	}
	first, _, _ := strings.Cut(old.Text, "\n")
	start := old.Span.Start + strings.Index(raw, first)
	end := old.Span.Start + len(strings.TrimRight(raw, " \r\n"))
	text := strings.ReplaceAll(d.Slice(doc.Span{Start: start, End: end}), "\r\n", "\n")
	return doc.Replace(doc.Span{Start: start, End: end}, "~~"+text+"~~ → **"+strings.TrimSpace(by)+"**")
}

// Done takes the one open next action that contains text, or the nth ("#2"),
// out of Next Actions and says so in Play-By-Play. It gives the action's text.
func (r *Revision) Done(text string) (string, error) {
	var open []Action
	for _, a := range r.c.Actions() {
		if !a.Done {
			open = append(open, a)
		}
	}
	a, err := pick(r.c.ID, open, text)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(r.edits, func(e doc.Edit) bool { return e.Span == a.Span }) {
		return "", fault.New(fault.Usage, "%q names a next action that another --done names already", text)
	}
	r.edits = append(r.edits, doc.Replace(a.Span, ""))
	r.Bullet(PlayByPlay, a.Text+" → done")
	return firstLine(a.Text), nil
}

func (r *Revision) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Apply makes the changes and gives the new checkpoint. Where there is nothing
// to change it is the old one.
func (r *Revision) Apply() (*Checkpoint, error) {
	if r.err != nil {
		return nil, r.err
	}
	edits := r.edits
	for _, k := range Kinds() {
		if text := r.texts[k]; text != nil {
			if len(r.bullets[k]) > 0 || len(r.rows[k]) > 0 {
				return nil, fault.New(fault.Usage, "%s is replaced and appended to in one command", k)
			}
			edits = slices.DeleteFunc(slices.Clone(edits), func(e doc.Edit) bool { return r.c.within(k, e.Span) })
			edits = append(edits, r.c.replaceText(k, *text)...)
		}
		if list := r.bullets[k]; len(list) > 0 {
			edits = append(edits, r.c.appendBullets(k, list))
		}
		if rows := r.rows[k]; len(rows) > 0 {
			edits = append(edits, r.c.appendRows(k, rows))
		}
	}
	if len(edits) == 0 {
		return r.c, nil
	}
	return r.c.apply(edits...)
}

func (c *Checkpoint) within(k Kind, s doc.Span) bool {
	p, ok := c.Find(k)
	return ok && p.Extent.Contains(s)
}

func (c *Checkpoint) apply(edits ...doc.Edit) (*Checkpoint, error) {
	d, err := c.Doc.Apply(edits...)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", c.Path, err).WithHint("ckpt edit %s", c.ID)
	}
	return &Checkpoint{Doc: d, Path: c.Path, ID: c.ID}, nil
}

func containsFold(s, sub string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(sub))
}

package checkpoint

import (
	"regexp"
	"strings"

	"example.com/ckpt/internal/core/doc"
)

// Decision is one entry under Decisions: a bullet `- **What**: why`, or a row of
// a table.
type Decision struct {
	What, Why string
	Struck    bool     // superseded: no longer live
	Span      doc.Span // the bullet or the row
	Text      string   // as written, without the bullet's marker
}

var (
	struckText = regexp.MustCompile(`(?s)^~~(.*?)~~`)
	boldLead   = regexp.MustCompile(`(?s)^\*\*(.+?)(:?)\*\*\s*(?::|—|–|-|→)?\s*(.*)$`)
	checkbox   = regexp.MustCompile(`^\[([ xX~-])\]\s+`)
)

// Decisions are all decisions, the struck ones included, in the order of the file.
func (c *Checkpoint) Decisions() []Decision {
	p, ok := c.Find(Decisions)
	if !ok {
		return nil
	}
	var all []Decision
	for _, item := range c.Doc.Items(p.Extent) {
		all = append(all, decision(item.Text, item.Span))
	}
	for _, t := range c.Doc.Tables(p.Extent) {
		for _, row := range t.Rows {
			d := decision(row.Cells[0], row.Span)
			if len(row.Cells) > 1 && d.Why == "" {
				d.Why = row.Cells[1]
			}
			d.Text = strings.Join(row.Cells, " | ")
			all = append(all, d)
		}
	}
	return all
}

func decision(text string, s doc.Span) Decision {
	d := Decision{Span: s, Text: text}
	if m := struckText.FindStringSubmatch(text); m != nil {
		d.Struck, text = true, m[1]
	}
	if m := boldLead.FindStringSubmatch(text); m != nil {
		d.What, d.Why = m[1], m[3]
	} else if what, why, found := strings.Cut(text, ": "); found && !strings.Contains(what, "\n") {
		d.What, d.Why = what, why
	} else {
		d.What = text
	}
	d.What, d.Why = strings.TrimSpace(d.What), strings.TrimSpace(d.Why)
	return d
}

// LiveDecisions is the text of the section without what was superseded.
func (c *Checkpoint) LiveDecisions() string {
	p, ok := c.Find(Decisions)
	if !ok {
		return ""
	}
	var edits []doc.Edit
	for _, d := range c.Decisions() {
		if d.Struck {
			edits = append(edits, doc.Replace(d.Span, ""))
		}
	}
	if len(edits) == 0 {
		return c.Text(Decisions)
	}
	live, err := c.Doc.Apply(edits...)
	if err != nil {
		return c.Text(Decisions)
	}
	rest := &Checkpoint{Doc: live, Path: c.Path, ID: c.ID}
	if _, ok := rest.Find(p.Kind); !ok {
		return ""
	}
	return rest.Text(Decisions)
}

// Action is one entry under Next Actions.
type Action struct {
	Text string // without the marker and the checkbox
	Done bool   // ticked
	Span doc.Span
}

// Actions are the entries under Next Actions, ticked ones included.
func (c *Checkpoint) Actions() []Action {
	p, ok := c.Find(Next)
	if !ok {
		return nil
	}
	var all []Action
	for _, item := range c.Doc.Items(p.Extent) {
		a := Action{Text: item.Text, Span: item.Span}
		if m := checkbox.FindStringSubmatch(a.Text); m != nil {
			a.Done = m[1] == "x" || m[1] == "X"
			a.Text = a.Text[len(m[0]):]
		}
		all = append(all, a)
	}
	return all
}

// FirstAction is the first line of the first open next action; "" where the
// section names none.
func (c *Checkpoint) FirstAction() string {
	actions := c.Actions()
	for _, a := range actions {
		if !a.Done {
			return firstLine(a.Text)
		}
	}
	if len(actions) > 0 {
		return ""
	}
	if text := firstLine(c.Text(Next)); !IsNone(text) {
		return text
	}
	return ""
}

var none = regexp.MustCompile(`^(none|no|nothing|nil|n/?a|not applicable|not any|tbd)?( (noted|noteworthy|notable|yet|so far|recorded|new|learnings?|lessons?|learned|here|identified|captured|specific|particular|in particular|really|found|to (note|report|add|record|share)|at this time|for now))*$`)

// IsNone says whether a text only says that there is nothing to say: "None",
// "None noted.", "n/a", "-" and the like, or nothing at all.
func IsNone(text string) bool {
	plain := strings.ToLower(strings.Trim(strings.TrimSpace(text), "*_`-–—.!()[] \t\n"))
	return none.MatchString(strings.Join(strings.Fields(plain), " "))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

// Artifact is one row of an artifact table: of the Artifact Trail or of a delta.
type Artifact struct {
	File   string // without backticks
	Action string // created, modified, deleted
	Change string
}

// Artifacts are the rows of the Artifact Trail.
func (c *Checkpoint) Artifacts() []Artifact {
	p, ok := c.Find(Artifacts)
	if !ok {
		return nil
	}
	return artifacts(c.Doc, p.Extent)
}

func artifacts(d *doc.Doc, s doc.Span) []Artifact {
	var all []Artifact
	for _, t := range d.Tables(s) {
		for _, row := range t.Rows {
			cell := func(i int) string {
				if i < len(row.Cells) {
					return row.Cells[i]
				}
				return ""
			}
			if file := strings.Trim(cell(0), "`"); file != "" {
				all = append(all, Artifact{File: file, Action: cell(1), Change: cell(2)})
			}
		}
	}
	return all
}

// Breadcrumb is one row of Breadcrumbs.
type Breadcrumb struct{ Type, Reference, Hint string }

// Breadcrumbs are the rows of Breadcrumbs.
func (c *Checkpoint) Breadcrumbs() []Breadcrumb {
	p, ok := c.Find(Breadcrumbs)
	if !ok {
		return nil
	}
	var all []Breadcrumb
	for _, a := range artifacts(c.Doc, p.Extent) { // three columns like any other
		all = append(all, Breadcrumb{a.File, strings.Trim(a.Action, "`"), a.Change})
	}
	return all
}

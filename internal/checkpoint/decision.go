package checkpoint

import (
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// Decision is one entry under Decisions: a bullet `- **What**: why`, or a row of
// a table.
type Decision struct {
	What   string   `json:"what"`
	Why    string   `json:"why,omitempty"`
	Struck bool     `json:"struck"`          // superseded
	Aside  string   `json:"aside,omitempty"` // the subheading above it if that states that it is not decided: "Rejected"
	Span   doc.Span `json:"-"`               // the bullet or the row
	Text   string   `json:"-"`               // as written, without the bullet's marker

	said doc.Span // the span that is struck through when the decision is superseded
	cell bool     // the decision is in a table
}

// Live reports whether the decision is in force.
func (d Decision) Live() bool { return !d.Struck && d.Aside == "" }

// Successors returns the decisions that replaced a superseded one, as written. "~~**A**~~ → **B**,
// → **C**" has two, which only a merge can write.
func (d Decision) Successors() []string {
	line, _, _ := strings.Cut(d.Text, "\n")
	if _, by, ok := strings.Cut(line, "~~ → "); ok && d.Struck {
		return strings.Split(by, ", → ")
	}
	return nil
}

var (
	struckText = text.Regexp(`(?s)^[*_]{0,2}~~(.*?)~~[*_]{0,2}\s*(.*)$`)
	// superseded matches the text after a struck-out decision that marks it as superseded, not as
	// corrected.
	superseded = text.Regexp(`(?i)^($|[(\[:]|→|->|([-–—,]\s*)?(superseded|replaced|obsolete|dropped|withdrawn|reverted)\b)`)
	boldLead   = text.Regexp(`(?s)^\*\*(.+?)(:?)\*\*\s*(?::|—|–|-|→)?\s*(.*)$`)
)

// Decisions returns all decisions in the order of the file, also those that are not
// live.
func (c *Checkpoint) Decisions() []Decision {
	p, ok := c.Find(Decisions)
	if !ok {
		return nil
	}
	var all []Decision
	for _, item := range c.Doc.Items(p.Extent) {
		if !IsNone(item.Text) {
			d := decision(item.Text)
			d.Span, d.said = item.Span, FirstPart(c.Doc, item)
			all = append(all, d)
		}
	}
	for _, t := range c.Doc.Tables(p.Extent) {
		what, why := decisionColumns(t.Header)
		for _, row := range t.Rows {
			if what >= len(row.Cells) || IsNone(row.Cells[what]) {
				continue
			}
			d := decision(row.Cells[what])
			if why < len(row.Cells) && d.Why == "" {
				d.Why = row.Cells[why]
			}
			d.Span, d.said, d.cell, d.Text = row.Span, row.CellSpans[what], true, strings.Join(row.Cells, " | ")
			all = append(all, d)
		}
	}
	slices.SortStableFunc(all, func(a, b Decision) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	if asides := c.Asides(Decisions); len(asides) > 0 {
		for i := range all {
			in, _ := asideOf(asides, all[i].Span)
			all[i].Aside = in.Title
		}
	}
	return all
}

// decisionColumns returns the indexes of a table's columns for the decision and for its reason.
func decisionColumns(header []string) (what, why int) {
	what = column(header, -1, "decision", "decisión", "what", "choice", "item", "topic", "tema")
	if what < 0 {
		what = 0
		if len(header) > 2 && len(header[0]) <= 2 || column(header, -1, "id", "no.", "date", "fecha", "when") == 0 {
			what = min(1, len(header)-1) // the first column has numbers or dates
		}
	}
	return what, column(header, what+1, "why", "rationale", "reason", "reasoning", "because", "razón", "motivo")
}

// column returns the index of the first column whose title is one of names, or the index or.
func column(header []string, or int, names ...string) int {
	for i, title := range header {
		if slices.Contains(names, plainTitle(title)) {
			return i
		}
	}
	return or
}

// decision parses the text of a bullet or a cell. A decision counts as struck if all of it is
// struck out, or if an arrow after it names a successor. In `~~A~~ B: why` the decision was
// corrected and is in force.
func decision(text string) Decision {
	d := Decision{Text: text}
	if m := struckText.FindStringSubmatch(text); m != nil {
		rest, _, _ := strings.Cut(m[2], "\n")
		if superseded.MatchString(rest) {
			d.Struck, text = true, m[1]
		}
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

// LiveDecisions returns the text of Decisions without the decisions that are not live.
func (c *Checkpoint) LiveDecisions() string {
	var struck []doc.Span
	for _, d := range c.Decisions() {
		if d.Struck {
			struck = append(struck, d.Span)
		}
	}
	return c.textWithout(Decisions, struck)
}

// ParseDecision reads 'WHAT: WHY', with WHAT in bold or not.
func ParseDecision(s string) (what, why string) {
	d := decision(strings.TrimSpace(s))
	return d.What, d.Why
}

// DecisionText returns a decision as the text of a bullet. The whole decision is bold, so bold
// inside it is removed.
func DecisionText(what, why string) string {
	what, why = text.OneLine(strings.ReplaceAll(what, "**", "")), strings.TrimSpace(why)
	if why == "" {
		return "**" + what + "**"
	}
	return "**" + what + "**: " + why
}

// Decide adds a decision. With supersedes, it strikes out the one live decision that contains that
// text and names the new decision after it.
func (r *Revision) Decide(what, why, supersedes string) *Revision {
	if supersedes != "" {
		old, err := r.c.decision(supersedes)
		if err != nil {
			r.fail(err)
			return r
		}
		r.edits = append(r.edits, r.c.strike(old, what))
	}
	return r.Bullet(Decisions, DecisionText(what, why))
}

// decision returns the one live decision that contains a text.
func (c *Checkpoint) decision(s string) (Decision, error) {
	var found []Decision
	for _, d := range c.Decisions() {
		if !d.Live() || !containsFold(d.Text, s) {
			continue
		}
		if strings.EqualFold(d.What, s) {
			return d, nil
		}
		found = append(found, d)
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Decision{}, fault.New(fault.NotFound, "%s has no live decision that says %q", c.ID, s).
			WithHint("ckpt show %s --section decisions", c.ID)
	}
	var all []string
	for _, d := range found {
		all = append(all, text.FirstLine(d.What))
	}
	return Decision{}, fault.New(fault.Usage, "%q fits %d decisions of %s: %s", s, len(found), c.ID,
		strings.Join(all, "; ")).
		WithHint("give more of the text")
}

// strike strikes out a decision and names its successor. If a bullet has nested lines, only its
// first part is struck out, as Markdown has no way to strike out a list.
func (c *Checkpoint) strike(old Decision, by string) doc.Edit {
	s := strings.ReplaceAll(c.Doc.Slice(old.said), "~~", "")
	by = "**" + text.OneLine(by) + "**"
	if old.cell {
		by = strings.ReplaceAll(by, "|", `\|`)
	}
	return doc.Replace(old.said, "~~"+s+"~~ → "+by)
}

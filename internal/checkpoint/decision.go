package checkpoint

import (
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// Decision is one entry under Decisions: a bullet `- **What**: why`, or a row of
// a table.
type Decision struct {
	What   string   `json:"what"`            // what was decided
	Why    string   `json:"why,omitempty"`   // the reason
	Struck bool     `json:"struck"`          // the decision is superseded
	Aside  string   `json:"aside,omitempty"` // the subheading that revokes or defers the decision: "Rejected"
	Span   doc.Span `json:"-"`               // the span of the bullet or the row
	Text   string   `json:"-"`               // as written, without the bullet's marker

	Words   doc.Span `json:"-"` // the span that is struck through when the decision is superseded
	InTable bool     `json:"-"` // the decision is in a table
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
	// superseded matches the text after a struck-out decision if that text marks the decision as
	// superseded. Any other text corrects the decision.
	superseded = text.Regexp(`(?i)^($|[(\[:]|→|->|([-–—,]\s*)?(superseded|replaced|obsolete|dropped|withdrawn|reverted)\b)`)
	boldLead   = text.Regexp(`(?s)^\*\*(.+?)(:?)\*\*\s*(?::|—|–|-|→)?\s*(.*)$`)
)

// Decisions returns all decisions, live or not, in the order of the file.
func (c *Checkpoint) Decisions() []Decision {
	p, _ := c.Find(Decisions)
	all := DecisionsIn(c.Doc, p.Extent)
	if asides := c.Asides(Decisions); len(asides) > 0 {
		for i := range all {
			in, _ := AsideOf(asides, all[i].Span)
			all[i].Aside = in.Title
		}
	}
	return all
}

// DecisionsIn returns the decisions in a span, each with an empty Aside, in the order of the file.
func DecisionsIn(file *doc.Doc, s doc.Span) []Decision {
	var all []Decision
	for _, item := range file.Items(s) {
		if !IsNone(item.Text) {
			d := ReadDecision(item.Text)
			d.Span, d.Words = item.Span, FirstPart(file, item)
			all = append(all, d)
		}
	}
	for _, t := range file.Tables(s) {
		what, why := DecisionColumns(t)
		for _, row := range t.Rows {
			if what >= len(row.Cells) || IsNone(row.Cells[what]) {
				continue
			}
			d := ReadDecision(row.Cells[what])
			if why < len(row.Cells) && d.Why == "" {
				d.Why = row.Cells[why]
			}
			d.Span, d.Words, d.InTable, d.Text = row.Span, row.CellSpans[what], true, strings.Join(row.Cells, " | ")
			all = append(all, d)
		}
	}
	slices.SortStableFunc(all, func(a, b Decision) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return all
}

// DecisionColumns returns the indexes of a table's columns for the decision and for its reason.
func DecisionColumns(t doc.Table) (what, why int) {
	header := t.Header
	what = t.Column("decision", "decisión", "what", "choice", "item", "topic", "tema")
	if what < 0 {
		what = 0
		if len(header) > 2 && len(header[0]) <= 2 || t.Column("id", "no.", "date", "fecha", "when") == 0 {
			what = min(1, len(header)-1) // the first column has numbers or dates
		}
	}
	why = t.Column("why", "rationale", "reason", "reasoning", "because", "razón", "motivo")
	if why < 0 {
		why = what + 1
	}
	return what, why
}

// ReadDecision parses the text of a bullet or a cell. A decision counts as struck if all of it is struck out, or if
// text after the struck-out words marks them as superseded, such as an arrow and a successor. In `~~A~~ B: why` the
// decision was corrected and is in force.
func ReadDecision(text string) Decision {
	d := Decision{Text: text}
	if m := struckText.Get().FindStringSubmatch(Lead(text)); m != nil {
		rest, _, _ := strings.Cut(m[2], "\n")
		if superseded.Get().MatchString(rest) {
			d.Struck, text = true, m[1]
		}
	}
	d.What, d.Why = ParseDecision(text)
	return d
}

// ParseDecision reads 'WHAT: WHY', with WHAT in bold or not.
func ParseDecision(s string) (what, why string) {
	s = strings.TrimSpace(s)
	what, why, _ = strings.Cut(s, ": ")
	if m := boldLead.Get().FindStringSubmatch(s); m != nil {
		what, why = m[1], m[3]
	} else if strings.Contains(what, "\n") {
		return s, ""
	}
	return strings.TrimSpace(what), strings.TrimSpace(why)
}

// NewDecision returns the text of a bullet for a decision that is given as 'WHAT: WHY'. WHAT may have several lines.
func NewDecision(s string) string {
	what, why := ParseDecision(s)
	if why == "" {
		what, why = ParseDecision(text.OneLine(s))
	}
	return DecisionText(what, why)
}

// Bullet returns the decision as the text of a bullet, also if it is a row of a table.
func (d Decision) Bullet() string {
	if !d.InTable {
		return d.Text
	}
	written := DecisionText(d.What, d.Why)
	if d.Struck {
		return "~~" + written + "~~"
	}
	return written
}

// DecisionText returns a decision as the text of a bullet. It makes what bold, without bold inside it. It escapes "~~"
// that would strike the decision out. If what is empty, it returns only the reason.
func DecisionText(what, why string) string {
	what, why = text.OneLine(strings.ReplaceAll(what, "**", "")), strings.TrimSpace(why)
	written := strings.TrimSuffix("**"+what+"**: "+why, ": ")
	if what == "" {
		written = why
	}
	if ReadDecision(written).Struck {
		return strings.Replace(written, "~~", `\~~`, 1)
	}
	return written
}

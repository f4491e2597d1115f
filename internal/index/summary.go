package index

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// nothing is the text for what a checkpoint does not have yet.
const nothing = "—"

// listed is a checkpoint as INDEX.md lists it. Its methods read the text on demand, as
// most rows do not change.
type listed struct {
	c        *checkpoint.Checkpoint
	changed  time.Time // the zero time if the checkpoint has no time
	archived bool
}

// field is a line of a summary, with its name and text.
type field struct{ name, text string }

// listing returns the checkpoints of one folder, the last changed first. If several files have one
// id, only the first counts.
func listing(set *checkpoint.Set, archived bool) []listed {
	all := set.Active()
	if archived {
		all = set.Archived()
	}
	list := make([]listed, len(all))
	for i, c := range all {
		list[i] = listed{c, c.Changed(), archived}
	}
	slices.SortStableFunc(list, func(a, b listed) int {
		return cmp.Or(cmp.Compare(a.c.ID, b.c.ID), cmp.Compare(a.c.Path, b.c.Path))
	})
	list = slices.CompactFunc(list, func(a, b listed) bool { return a.c.ID == b.c.ID })
	slices.SortStableFunc(list, func(a, b listed) int { return b.changed.Compare(a.changed) })
	return list
}

// description returns the description of a checkpoint for the table.
func (l listed) description() string {
	const most = 80
	return clip(cmp.Or(text.OneLine(l.c.Field("name")), sentence(l.c.Text(checkpoint.Problem)),
		text.OneLine(l.c.Field("anchor"))), most)
}

// fields returns the fields of the checkpoint's summary.
func (l listed) fields() []field {
	const most = 200
	status := field{"Status", firstLine(l.c.Text(checkpoint.State))}
	if l.archived {
		status = field{"Outcome", cmp.Or(text.OneLine(l.c.Outcome()), status.text)}
	}
	all := []field{{"Problem", sentence(l.c.Text(checkpoint.Problem))}, {"Scope", sentence(l.c.Text(checkpoint.Intent))},
		status}
	for i := range all {
		all[i].text = clip(all[i].text, most)
	}
	return all
}

// field returns the text of the line with a name, or "".
func (l listed) field(name string) string {
	for _, f := range l.fields() {
		if f.name == name {
			return f.text
		}
	}
	return ""
}

// date returns the day of the last change, or "".
func (l listed) date() string { return dayOf(l.changed) }

// dayOf returns the date of a time, or "" for the zero time.
func dayOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// summary returns the section of a checkpoint.
func (l listed) summary(level int) string {
	var b strings.Builder
	b.WriteString(strings.Repeat("#", level) + " " + l.c.ID + "\n")
	for _, f := range l.fields() {
		b.WriteString("\n**" + f.name + "**: " + f.text + "\n")
	}
	return b.String()
}

// row returns the row of a checkpoint in a table.
func (l listed) row(t table) string {
	cells := make([]string, len(t.header))
	for i := range cells {
		switch i {
		case t.id:
			cells[i] = l.c.ID
		case t.description:
			cells[i] = l.description()
		case t.updated:
			cells[i] = l.date()
		}
	}
	return doc.TableRow(cells...)
}

// listItem matches the marker of a list item.
var listItem = text.Regexp(`^\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)`)

// endsParagraph reports whether a line ends the paragraph before it.
func endsParagraph(line string) bool {
	return line == "" || listItem.MatchString(line) || strings.ContainsAny(line[:1], "#|`~>")
}

// sentence returns the first sentence of a text.
func sentence(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if len(lines) > 0 && endsParagraph(line) {
			break
		}
		line = plain(line)
		if line != "" {
			lines = append(lines, line)
		}
	}
	whole := text.OneLine(strings.Join(lines, " "))
	if first, ends := text.Sentence(whole); ends {
		return first
	}
	return opening(whole)
}

// opening returns a line that introduces a list, without its colon.
func opening(line string) string {
	if before, ok := strings.CutSuffix(line, ":"); ok {
		return before + "…"
	}
	return line
}

// firstLine returns the first line of a text that is not empty, without markup.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		line = plain(line)
		if line != "" {
			return opening(text.OneLine(line))
		}
	}
	return ""
}

var lead = text.Regexp("^(?:#{1,6}\\s+|>\\s*|(?:[-*+]|\\d{1,9}[.)])\\s+(?:\\[[ " +
	"xX]\\]\\s+)?|[-*_=]{3,}$|(?:```|~~~).*$|<!--.*$)+")

// plain returns a line without the markup of a heading, a bullet or a quote. It is ""
// for a rule or a fence.
func plain(line string) string { return lead.ReplaceAllString(strings.TrimSpace(line), "") }

// clip shortens a text. It returns a dash for an empty one.
func clip(s string, most int) string { return cmp.Or(text.Shorten(s, most), nothing) }

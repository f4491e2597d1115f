package checkpoint

import (
	"bytes"
	"cmp"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// Delta is a `## Delta:` section: what changed since the creation of the checkpoint or since the
// previous delta. Deltas are not files of their own.
type Delta struct {
	At          time.Time // zero if Stamp is not a time
	Stamp       string    // as written in the heading
	Changed     string    // the text of What Changed
	Artifacts   []Artifact
	Transitions []Transition
	Section     doc.Section
	Parts       []doc.Section // its subsections, with those that the format does not define
}

// Transition is a row of Status Transitions.
type Transition struct {
	Item   string `json:"item"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// deltaTime returns the time in the heading of a delta, and reports whether it is such a heading:
// `## Delta:` with any text, or Delta and a time, but not "Delta encoding".
func deltaTime(s doc.Section) (string, bool) {
	const word = "delta"
	if s.Level != 2 || len(s.Title) < len(word) || !strings.EqualFold(s.Title[:len(word)], word) {
		return "", false
	}
	rest := strings.TrimSpace(s.Title[len(word):])
	if stamp, ok := strings.CutPrefix(rest, ":"); ok || rest == "" {
		return strings.TrimSpace(stamp), true
	}
	stamp := strings.Trim(rest, "-–—() ")
	_, ok := ParseTime(stamp)
	return stamp, ok
}

// Deltas returns the deltas in the order of the file, which is oldest first. The caller
// must not change the slice.
func (c *Checkpoint) Deltas() []Delta {
	c.onceDeltas.Do(func() { c.deltas = findDeltas(c.Doc) })
	return c.deltas
}

func findDeltas(file *doc.Doc) []Delta {
	var all []Delta
	for _, s := range file.Sections() {
		if stamp, ok := deltaTime(s); ok {
			d := Delta{Stamp: stamp, Section: s}
			d.At, _ = ParseTime(stamp)
			all = append(all, d)
			continue
		}
		n := len(all)
		if n == 0 || s.Heading.Start >= all[n-1].Section.Whole.End {
			continue
		}
		d := &all[n-1]
		d.Parts = append(d.Parts, s)
		switch plainTitle(s.Title) {
		case "what changed":
			d.Changed = file.Text(s.Body)
		case "artifacts":
			d.Artifacts = artifacts(file, s.Body)
		case "status transitions":
			for _, a := range artifacts(file, s.Body) {
				d.Transitions = append(d.Transitions, Transition{a.File, a.Action, a.Change})
			}
		}
	}
	return all
}

// DeltaCount returns the number of deltas without parsing them.
func (c *Checkpoint) DeltaCount() int {
	n := 0
	for _, s := range c.Doc.Sections() {
		if _, ok := deltaTime(s); ok {
			n++
		}
	}
	return n
}

// write returns the delta as a section of the format.
func (d Delta) write() string {
	var b strings.Builder
	b.WriteString("## Delta: " + FormatTime(d.At) + "\n\n### What Changed\n\n" + doc.Literal(d.Changed) +
		"\n\n### Artifacts\n\n")
	b.WriteString(doc.TableRow("File", "Action", "Description") + "|------|--------|-------------|\n")
	for _, a := range d.Artifacts {
		b.WriteString(doc.TableRow(Code(a.File), a.Action, a.Change))
	}
	if len(d.Transitions) > 0 {
		b.WriteString("\n### Status Transitions\n\n" + doc.TableRow("Item", "Before", "After") +
			"|------|--------|-------|\n")
		for _, t := range d.Transitions {
			b.WriteString(doc.TableRow(t.Item, t.Before, t.After))
		}
	}
	return b.String()
}

// Code returns a path between backticks, as many as it needs.
func Code(path string) string {
	fence := "`"
	for strings.Contains(path, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + path + " " + fence
	}
	return fence + path + fence
}

// plain returns the text inside a cell that is one code span, or else the cell.
func plain(cell string) string {
	n := len(cell) - len(strings.TrimLeft(cell, "`"))
	fence := cell[:n]
	if n == 0 || len(cell) < 2*n || !strings.HasSuffix(cell, fence) {
		return cell
	}
	inner := cell[n : len(cell)-n]
	if strings.Contains(inner, fence) {
		return cell
	}
	return strings.TrimSpace(inner)
}

// remnant begins the heading above what a fold left of a delta.
const remnant = "From the delta of"

// IsRemnant reports whether a section has what a fold left of a delta. Everything below its heading
// belongs to that delta.
func IsRemnant(s doc.Section) bool { return s.Level == 2 && strings.HasPrefix(s.Title, remnant) }

// DropDeltas removes the headings of the deltas, and the subsections for which spent reports that
// their content was moved elsewhere. Other content of a delta stays where it is, byte for byte,
// below a heading that names the delta.
func (r *Revision) DropDeltas(spent func(part doc.Section) bool) *Revision {
	var cuts []doc.Span
	for _, d := range r.c.Deltas() {
		s := d.Section
		end := r.c.deltaEnd(s)
		if !r.c.ownWords(d, spent) {
			cuts = append(cuts, doc.Span{Start: r.c.separator(s.Heading.Start), End: end})
			continue
		}
		title := "## " + remnant + " " + cmp.Or(d.Stamp, "an unknown day")
		r.edits = append(r.edits, doc.ReplaceSections(s.Heading, title+"\n"))
		for _, part := range d.Parts {
			if spent(part) {
				cuts = append(cuts, doc.Span{Start: part.Heading.Start, End: min(part.Body.End, end)})
			}
		}
	}
	return r.cutAll(cuts)
}

// cutAll removes spans of whole lines.
func (r *Revision) cutAll(cuts []doc.Span) *Revision {
	for i, cut := range cuts {
		if i+1 < len(cuts) && cuts[i+1].Start <= cut.End { // the two spans touch
			cuts[i+1].Start = cut.Start
			continue
		}
		r.edits = append(r.edits, r.c.cut(cut))
	}
	return r
}

// ownWords reports whether a delta has content that is not spent.
func (c *Checkpoint) ownWords(d Delta, spent func(doc.Section) bool) bool {
	for _, part := range d.Parts {
		if !spent(part) {
			return true
		}
	}
	return c.Doc.Content(d.Section.Body).Len() > 0
}

// deltaEnd returns the end of a delta: before the rule in front of the next section.
func (c *Checkpoint) deltaEnd(s doc.Section) int {
	if s.Whole.End == len(c.Doc.Bytes()) {
		return s.Whole.End
	}
	return max(c.separator(s.Whole.End), s.Heading.End)
}

// cut removes whole lines. At the end of the file it also removes the blank line before them. If
// the file had no last line break, it still has none.
func (c *Checkpoint) cut(s doc.Span) doc.Edit {
	src := c.Doc.Bytes()
	if s.End < len(src) {
		if next := src[s.End]; next != '\n' && next != '\r' {
			return doc.Replace(s, c.gapBefore(s.Start))
		}
		return doc.Replace(s, "")
	}
	s.Start = blankBefore(src, s.Start, c.Doc.EOL())
	if s.Len() > 0 && src[s.End-1] != '\n' {
		open := bytes.TrimRight(src[:s.Start], "\r\n")
		s.Start = max(len(open), c.Doc.Front.Span.End)
	}
	return doc.Replace(s, "")
}

// foldedEntry matches the beginning of an entry of Play-By-Play that was a delta: its time.
var foldedEntry = text.Regexp(`^(?:undated|\d{4}-\d{2}-\d{2}\S*)(?: → |$)`)

// Folded parses an entry of Play-By-Play that was a delta, "TIME → what changed → Phase 1: done;
// Phase 2: in progress". It returns what changed, and the items with their new status. It reports
// whether the entry was a delta.
func Folded(entry string) (changed string, moved []Transition, ok bool) {
	line, _, _ := strings.Cut(entry, "\n")
	stamp := foldedEntry.FindString(line)
	if stamp == "" {
		return "", nil, false
	}
	changed = line[len(stamp):]
	at := strings.LastIndex(line, " → ")
	if at < 0 {
		return "", nil, true
	}
	for part := range strings.SplitSeq(line[at+len(" → "):], "; ") {
		i := strings.LastIndex(part, ": ")
		if i < 0 {
			return changed, nil, true
		}
		moved = append(moved, Transition{Item: part[:i], After: part[i+2:]})
	}
	if at >= len(stamp) {
		changed = line[len(stamp):at]
	}
	return changed, moved, true
}

// AppendDelta adds a delta after the last one and sets last_delta. A Completion stays last in the
// file. Extra is Markdown that is added to the delta.
func (r *Revision) AppendDelta(d Delta, extra string) *Revision {
	text := d.write()
	extra = strings.TrimSpace(extra)
	if extra != "" {
		text += "\n" + doc.Below(2, extra) + "\n"
	}
	r.tail = append(r.tail, text)
	return r.Set("last_delta", FormatTime(d.At))
}

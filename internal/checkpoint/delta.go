package checkpoint

import (
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// Delta is a `## Delta:` section: what changed since the creation of the checkpoint or since the
// previous delta. Deltas are not files of their own.
type Delta struct {
	At          time.Time // zero if Stamp is not a time
	Stamp       string    // the time as written in the heading
	Changed     string    // the text of What Changed
	Artifacts   []Artifact
	Transitions []Transition
	Section     doc.Section
	Parts       []doc.Section // all subsections, also those that the format does not define
}

// Transition is a row of Status Transitions.
type Transition struct {
	Item   string `json:"item"`   // what changed its status
	Before string `json:"before"` // the old status
	After  string `json:"after"`  // the new status
}

// deltaTime returns the time in the heading of a delta, as written, and reports whether s is a delta. The
// heading is `## Delta`, alone or with a time, or `## Delta:` with any text, but not "Delta encoding".
func deltaTime(s doc.Section) (string, bool) {
	const word = "delta"
	title := strings.TrimSpace(s.Title) // removes no-break spaces, too
	if s.Level != 2 || len(title) < len(word) || !strings.EqualFold(title[:len(word)], word) {
		return "", false
	}
	rest := strings.TrimSpace(title[len(word):])
	if stamp, ok := strings.CutPrefix(rest, ":"); ok || rest == "" {
		return strings.TrimSpace(stamp), true
	}
	stamp := strings.Trim(rest, "-–—() ")
	_, ok := ParseTime(stamp)
	return stamp, ok
}

// IsDelta reports whether a section is a delta.
func IsDelta(s doc.Section) bool { _, ok := deltaTime(s); return ok }

// IsAppended reports whether a section is a delta, a remnant of one, or a mark. ckpt appends these
// after the sections of the format.
func IsAppended(s doc.Section) bool { return IsDelta(s) || IsRemnant(s) || IsMark(s) }

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
		switch doc.PlainTitle(s.Title) {
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
		if IsDelta(s) {
			n++
		}
	}
	return n
}

// Code returns a path as a code span of Markdown, between as many backticks as it needs.
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

// plain returns a cell of a table. If the whole cell is a code span, it returns the text of the code span.
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

// Remnant is the start of the heading that a fold puts above what remains of a delta.
const Remnant = "From the delta of"

// IsRemnant reports whether a section is what remains of a delta after a fold. Everything below
// its heading belongs to that delta.
func IsRemnant(s doc.Section) bool { return s.Level == 2 && strings.HasPrefix(s.Title, Remnant) }

// foldedEntry matches the time at the start of a Play-By-Play entry that a fold made from a delta.
var foldedEntry = text.Regexp(`^(?:undated|\d{4}-\d{2}-\d{2}\S*)(?: → |$)`)

// Folded parses a Play-By-Play entry that a fold made from a delta: "TIME → what changed → Phase 1: done; Phase 2: in
// progress". It returns what changed, and the items with their new status. It reports false for any other entry.
func Folded(entry string) (changed string, moved []Transition, ok bool) {
	line, _, _ := strings.Cut(entry, "\n")
	stamp := foldedEntry.Get().FindString(line)
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

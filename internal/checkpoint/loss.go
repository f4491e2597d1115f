package checkpoint

import (
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// Loss counts what a change removed from the text of a section.
type Loss struct {
	Kind    Kind
	Lines   int
	Actions int // the number of open next actions with lost lines
}

// Lost returns what a change removed from the Session Intent, the Current State, the Next Actions
// and the Completion. A line that moved is not lost: an action that is done moves to Play-By-Play.
// But a line of the Session Intent is lost even if another section, such as the Problem, has it.
func Lost(before, after *Checkpoint) []Loss {
	var all []Loss
	for _, k := range []Kind{Intent, State, Next, Completion} {
		was, _ := before.Find(k)
		is, _ := after.Find(k)
		if before.Doc.Slice(was.Extent) == after.Doc.Slice(is.Extent) {
			continue
		}
		left := string(after.Doc.Bytes())
		if k == Intent {
			left = after.Doc.Slice(is.Extent)
		}
		kept := map[string]bool{}
		for line := range strings.Lines(left) {
			kept[bareLine(line)] = true
		}
		lost := func(text string) (n int) {
			for line := range strings.Lines(text) {
				if bare := bareLine(line); bare != "" && !kept[bare] {
					n++
				}
			}
			return n
		}
		l := Loss{Kind: k}
		var moved []doc.Span // actions whose text the file still has, even if a row became an item
		if k == Next {
			for a := range after.actions() {
				kept[bareLine(doc.Literal(a.Text))] = true
			}
			for a := range before.actions() {
				if lost(doc.Literal(a.Text)) == 0 {
					moved = append(moved, a.Span)
				} else if !a.Done {
					l.Actions++
				}
			}
		}
		l.Lines = lost(before.Doc.Text(was.Extent, moved...))
		if l.Lines > 0 {
			all = append(all, l)
		}
	}
	return all
}

// bareLine returns a line without the parts that differ between an open action, a ticked one and
// one in Play-By-Play: indentation, marker, checkbox and the word done.
func bareLine(line string) string {
	line = strings.TrimSuffix(EntryText(line), "→ done")
	return strings.TrimRight(strings.TrimSpace(line), " \\")
}

// EntryText returns a line without indentation, the marker of a list and a checkbox.
func EntryText(line string) string {
	line = strings.TrimRight(line, "\r\n")
	line, _ = CutCheckbox(strings.TrimSpace(line[afterMarker(line):]))
	return strings.TrimSpace(line)
}

// LostDeltas returns the deltas that a change removed. A delta was removed if the text of its What Changed is nowhere
// in the file, and fewer deltas than before have its time. If the number is the same, the delta was only reworded.
func LostDeltas(before, after *Checkpoint) []Delta {
	var lost []Delta
	for _, d := range before.Deltas() {
		was, is, heading := string(before.Doc.Bytes()), string(after.Doc.Bytes()), "## Delta: "+d.Stamp
		if strings.Count(is, heading) < strings.Count(was, heading) && !strings.Contains(is, d.Changed) {
			lost = append(lost, d)
		}
	}
	return lost
}

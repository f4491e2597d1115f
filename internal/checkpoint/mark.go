package checkpoint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
)

// Mark is a `## Mark:` section: an open exploration. It has the goal word for word, the state of
// the work when it began, and a scratch text for notes. A report replaces the whole section.
// Headings inside a mark belong to the mark and not to the checkpoint.
type Mark struct {
	At      time.Time
	Goal    string
	Head    string   // the commit of HEAD at the start; "" if there was none
	Dirty   string   // the uncommitted files at the start, as Markdown
	Scratch string   // the findings so far, as Markdown
	Notes   []string // the entries of Scratch
	Section doc.Section
	Body    doc.Span // the text below the heading, without the --- before the next section
}

// MaxScratch is the maximum size of a mark's scratch in characters.
const MaxScratch = 500_000

// markWord is the start of the heading of a mark.
const markWord = "Mark:"

// markTime returns the time in the heading of a mark, and reports whether s is a mark. The heading
// is "Mark:" and a time. "Mark: Twain" is an ordinary section.
func markTime(s doc.Section) (time.Time, bool) {
	if s.Level != 2 || len(s.Title) < len(markWord) || !strings.EqualFold(s.Title[:len(markWord)], markWord) {
		return time.Time{}, false
	}
	return ParseTime(s.Title[len(markWord):])
}

// IsMark reports whether a section is a mark.
func IsMark(s doc.Section) bool { _, ok := markTime(s); return ok }

// Mark returns the open mark. After a merge or an edit by hand there may be several; it returns the
// first.
func (c *Checkpoint) Mark() (Mark, bool) {
	for _, s := range c.Doc.Sections() {
		if at, ok := markTime(s); ok {
			return readMark(c.Doc, s, at), true
		}
	}
	return Mark{}, false
}

// Marks returns the headings of all marks.
func (c *Checkpoint) Marks() []doc.Section {
	var all []doc.Section
	for _, s := range c.Doc.Sections() {
		if IsMark(s) {
			all = append(all, s)
		}
	}
	return all
}

// readMark parses the mark that begins at a heading.
func readMark(d *doc.Doc, s doc.Section, at time.Time) Mark {
	m := Mark{At: at, Section: s, Body: doc.Span{Start: s.Heading.End, End: max(d.EndOf(s), s.Heading.End)}}
	var told []doc.Span
	for _, b := range d.Blocks(m.Body) {
		text := strings.ReplaceAll(d.Slice(b.Span), "\r\n", "\n")
		if b.Kind == doc.Other && strings.HasPrefix(text, ">") {
			m.Goal, told = unquoted(text), append(told, b.Span)
			break
		}
	}
	for _, item := range d.Items(m.Body) {
		name, value, _ := fieldOf(item.Text)
		if len(m.Notes) > 0 {
			name = "" // the line is a note that looks like a field
		}
		switch name {
		case "head":
			m.Head = value
		case "not committed":
			m.Dirty = value
		default:
			m.Notes = append(m.Notes, item.Text)
			continue
		}
		told = append(told, item.Span)
	}
	m.Scratch = d.Text(m.Body, told...)
	return m
}

// quoted returns a text as a block quote, in which headings and fences have no effect on
// the file.
func quoted(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = "> " + line
		if line == "" {
			lines[i] = ">"
		}
	}
	return strings.Join(lines, "\n")
}

// unquoted returns the text of a block quote.
func unquoted(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimPrefix(line, ">"), " ")
	}
	return strings.Join(lines, "\n")
}

// Markdown returns the goal and the scratch. If the scratch is only a list, the newest note comes
// first.
func (m Mark) Markdown() string {
	var list []string
	for _, note := range m.Notes {
		list = append(list, "- "+strings.ReplaceAll(strings.ReplaceAll(note, "\n", "\n  "), "\n  \n", "\n\n"))
	}
	text := m.Scratch
	if text == strings.Join(list, "\n") {
		slices.Reverse(list)
		text = strings.Join(list, "\n")
	}
	if text == "" {
		return quoted(m.Goal)
	}
	return quoted(m.Goal) + "\n\n" + text
}

// Opening returns the section of a new mark: the goal and the state of the work.
func (m Mark) Opening() string {
	goal := strings.ReplaceAll(strings.ReplaceAll(m.Goal, "\r\n", "\n"), "\r", "\n")
	text := "## " + markWord + " " + FormatTime(m.At) + "\n\n" + quoted(goal) + "\n\n"
	for _, field := range [][2]string{{"HEAD", m.Head}, {"Not committed", m.Dirty}} {
		if field[1] != "" {
			text += "- **" + field[0] + "**: " + field[1] + "\n"
		}
	}
	return strings.TrimRight(text, "\n") + "\n"
}

// Reported is the status of a goal after its report.
const Reported = "reported"

// IsReport reports whether a delta replaced a mark.
func (d Delta) IsReport() bool {
	return len(d.Transitions) == 1 && d.Transitions[0].Before == "explored" && d.Transitions[0].After == Reported
}

// DirtyFiles returns up to 20 uncommitted files as Markdown, and the number of the others.
func DirtyFiles(paths []string) string {
	const most = 20
	var named []string
	for _, path := range paths[:min(len(paths), most)] {
		named = append(named, Code(path))
	}
	text := strings.Join(named, ", ")
	if n := len(paths) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

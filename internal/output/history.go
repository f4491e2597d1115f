package output

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// Log prints a line for each version: the commit, the time, the operation and the changes.
func Log(p *Printer, l *revisions.Log) {
	if l.Edited {
		p.remark(l.ID + " has edits that are no version yet (ckpt diff, ckpt save)")
	}
	width := len(strconv.Itoa(max(0, len(l.Changes)-1)))
	var rows [][]styled
	for n, c := range l.Changes {
		what := p.prose(c.Summary(l.ID))
		if words := c.Words(); words != "" {
			what += "  " + p.Dim("("+words+")")
		}
		rows = append(rows, []styled{p.Yellow(c.Short()), p.Plain(fmt.Sprintf("%*s", width+3, fmt.Sprintf("@{%d}", n))),
			p.Dim(p.when(c.Time)), p.Plain(fmt.Sprintf("%-7s", madeBy(c))), what})
	}
	p.table(false, rows...)
	if l.Older > 0 {
		p.remark(text.Count(l.Older, "older version") + " left out (--limit 0 shows all)")
	}
}

// madeBy returns what made a version: an operation, a merge of git or a person.
func madeBy(c revisions.Change) string {
	if c.Op == "" && len(c.Before) > 1 {
		return "merge"
	}
	return cmp.Or(c.Op, "by hand")
}

func (p *Printer) asOf(v revisions.Version) string { return v.Short() + " (" + p.when(v.Time) + ")" }

// Diff prints a summary of the changes, then the changes of each section.
func Diff(p *Printer, c *revisions.Comparison) {
	to := "now"
	if c.To != nil {
		to = p.asOf(*c.To)
	}
	if c.Diff.Empty() && !c.Diff.Spacing {
		p.remark(c.ID + " is the same at " + p.asOf(c.From) + " and " + to + " (ckpt log)")
		return
	}
	p.printf("%s  %s → %s\n", p.Bold(c.ID), p.asOf(c.From), to)
	if words := c.Diff.Words(); words != "" {
		p.printf("%s\n", p.Dim(words))
	}
	printChanges(p, c.Diff)
}

// printChanges prints the texts that changed: + added, - removed, ~ reworded.
func printChanges(p *Printer, d *revisions.Diff) {
	for _, s := range d.Sections {
		p.printf("\n%s\n", p.Bold(s.Title))
		for _, r := range s.Reworded {
			p.printf("%s\n%s\n", p.Red("~ "+indented(r.Before)), p.Green("  → "+indented(r.After)))
		}
		if s.Prose != nil {
			printSide(p, "- ", s.Prose.Before, p.Red)
			printSide(p, "+ ", s.Prose.After, p.Green)
		}
		for _, text := range s.Removed {
			printSide(p, "- ", text, p.Red)
		}
		for _, text := range s.Added {
			printSide(p, "+ ", text, p.Green)
		}
		if s.Reordered {
			p.printf("  %s\n", p.Dim("the rest is in another order"))
		}
	}
	if len(d.Fields) > 0 {
		p.printf("\n%s\n", p.Bold("Frontmatter"))
	}
	for _, f := range d.Fields {
		if f.Before != "" {
			printSide(p, "- ", f.Key+": "+f.Before, p.Red)
		}
		if f.After != "" {
			printSide(p, "+ ", f.Key+": "+f.After, p.Green)
		}
	}
}

func printSide(p *Printer, mark, text string, colour func(string) styled) {
	if text != "" {
		p.printf("%s\n", colour(mark+indented(text)))
	}
}

// indented indents the lines of a text after the first one, below a mark.
func indented(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n  "), "\n  \n", "\n\n")
}

func day(v revisions.Version) string {
	if v.Time.IsZero() {
		return "committed "
	}
	return v.Time.UTC().Format("2006-01-02")
}

// by describes a version: the commit, the author and the day.
func by(v revisions.Version) string {
	if v.Commit == "" {
		return "in edits that are not committed"
	}
	return fmt.Sprintf("in %s by %s, %s: %s", v.Short(), v.Author, day(v), v.Subject)
}

// SessionLog prints a line for each entry of a session's record: the time, the tool, and
// the files or the command.
func SessionLog(p *Printer, l *record.Log) {
	p.printf("%s", p.Bold("Session "+l.ID))
	if l.Agent != "" {
		p.printf(" (%s)", l.Agent)
	}
	p.printf("\n")
	width := 0
	for _, e := range l.Entries {
		width = max(width, min(len(doing(e)), widestTool))
	}
	at := checkpoint.FormatTime
	if p.terminal {
		at = func(t time.Time) string { return t.Local().Format(time.DateTime) }
	}
	for _, e := range slices.Backward(l.Entries) {
		if e.Text != "" {
			p.printf("%s  %s\n", p.Dim(at(e.At)), doing(e))
			p.printf("%s\n", "    "+strings.ReplaceAll(e.Text, "\n", "\n    "))
			continue
		}
		p.table(false, []styled{p.Dim(at(e.At)), p.Plain(fmt.Sprintf("%-*s", width, doing(e))), p.Plain(done(e))})
	}
	if l.Older > 0 {
		p.remark(text.Count(l.Older, "older line") + " left out (--limit 0 shows all)")
	}
	if n := len(l.Others); n > 0 {
		p.remark(text.Count(n, "other session") + " recorded, the newest: ckpt log --session " + l.Others[0].ID)
	}
}

// widestTool is the maximum width of the column for tools: the tools of MCP servers have long names.
const widestTool = 20

// doing returns the tool of an entry or else its event, and "ckpt" for an operation.
func doing(e record.Entry) string {
	if e.Event == record.Operation {
		return "ckpt"
	}
	return cmp.Or(e.Tool, e.Event)
}

// done returns the files and the command of an entry and how the command ended, or an operation with its checkpoint.
func done(e record.Entry) string {
	if e.Event == record.Operation {
		return strings.TrimSpace(e.Tool + " " + e.Checkpoint)
	}
	what := strings.Join(e.Files, ", ")
	if e.More > 0 {
		what += fmt.Sprintf(" and %d more", e.More)
	}
	if e.Command != "" {
		what = strings.TrimSpace(what + " " + e.Command)
	}
	if e.Exit != nil {
		what += fmt.Sprintf(" (exit %d)", *e.Exit)
	}
	if e.Last != "" {
		what += ": " + e.Last
	}
	return text.OneLine(what)
}

// logJSON is the answer of `ckpt log`, the newest version first.
type logJSON struct {
	ID       string       `json:"id"`
	Edited   bool         `json:"edited"`   // the file has edits that no commit has
	Older    int          `json:"older"`    // the number of versions that --limit left out
	Versions []changeJSON `json:"versions"` // the versions, the newest first
}

// versionJSON is a checkpoint as one commit left it.
type versionJSON struct {
	Commit  string      `json:"commit"`
	Time    result.Time `json:"time"`
	Author  string      `json:"author"`
	Email   string      `json:"email"`
	Op      string      `json:"op,omitempty"`   // empty for a commit that ckpt did not make
	Code    string      `json:"code,omitempty"` // the commit of the code that was checked out then
	Subject string      `json:"subject"`
	Path    string      `json:"path"`
	Blob    string      `json:"blob,omitempty"`
	Gone    bool        `json:"gone,omitempty"`    // the commit deleted the checkpoint
	Cut     bool        `json:"cut,omitempty"`     // this clone is shallow, and its history begins here
	Missing bool        `json:"missing,omitempty"` // this clone is partial and lacks the file
}

type changeJSON struct {
	versionJSON
	Version string          `json:"version"`           // the name of the version: ID@{n}
	Words   string          `json:"words"`             // what changed, in words
	Changed *revisions.Diff `json:"changed,omitempty"` // the change from the version before
}

// versionOf returns a version; nil for uncommitted edits.
func versionOf(v *revisions.Version, folder Folder) *versionJSON {
	if v == nil || v.Commit == "" {
		return nil
	}
	return &versionJSON{
		Commit: v.Commit, Time: result.At(v.Time), Author: v.Author, Email: v.Email, Op: v.Op, Subject: v.Subject,
		Code: v.Code, Path: path.Join(folder.Tree, v.Path),
		Blob: v.Blob, Gone: v.Gone(), Cut: v.Cut, Missing: v.Missing,
	}
}

func logOf(l *revisions.Log, folder Folder) logJSON {
	w := logJSON{ID: l.ID, Edited: l.Edited, Older: l.Older, Versions: []changeJSON{}}
	for n, c := range l.Changes {
		name := fmt.Sprintf("%s@{%d}", l.ID, n)
		w.Versions = append(w.Versions, changeJSON{versionJSON: *versionOf(&c.Version, folder), Version: name,
			Words: c.Words(), Changed: c.Diff})
	}
	return w
}

// comparisonJSON is the answer of `ckpt diff`.
type comparisonJSON struct {
	ID      string          `json:"id"`
	From    *versionJSON    `json:"from"`         // the older version
	To      *versionJSON    `json:"to,omitempty"` // absent for the present file
	Words   string          `json:"words"`        // what changed, in words
	Changed *revisions.Diff `json:"changed"`      // the change
}

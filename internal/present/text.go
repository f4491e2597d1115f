package present

import (
	"fmt"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/ledger"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/core/resume"
	"example.com/ckpt/internal/term"
)

// Text is for people. What comes from a file is made harmless first: no escape
// sequence reaches the terminal.
type Text struct {
	Streams term.Streams
	Quiet   bool // no receipts and no remarks

	failed *error // the first write that failed
}

// NewText is the presenter for people.
func NewText(s term.Streams, quiet bool) Text { return Text{s, quiet, new(error)} }

// done is what a method gives back: whether the answer could be written.
func (p Text) done() error {
	if *p.failed != nil {
		return fault.New(fault.Failed, "write the answer: %w", *p.failed)
	}
	return nil
}

func (p Text) printf(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = term.Plain(s)
		}
	}
	if _, err := fmt.Fprintf(p.Streams.Out, format, args...); err != nil && *p.failed == nil {
		*p.failed = err
	}
}

// remark says on standard error what is not the answer.
func (p Text) remark(all ...string) {
	if p.Quiet {
		return
	}
	for _, text := range all {
		fmt.Fprintf(p.Streams.Err, "ckpt: %s\n", term.Plain(text))
	}
}

func (p Text) hint(command string) {
	if !p.Quiet {
		fmt.Fprintf(p.Streams.Err, "hint: %s\n", term.Plain(command))
	}
}

// Receipt says in a line what was done, and in which commit.
func (p Text) Receipt(r *report.Receipt) error {
	style := p.pen()
	name := r.Op
	if r.ID != "" {
		name += " " + r.ID
	}
	switch {
	case p.Quiet:
	case r.Unchanged:
		p.printf("%s: unchanged\n", name)
	case r.DryRun:
		p.printf("%s", r.Diff)
	default:
		how := r.Pending
		if r.Commit != "" {
			how = r.Commit[:7]
			if r.Detached {
				how = "detached HEAD " + how
			}
		}
		p.printf("%s: %s %s\n", style.Bold(name), shorten(firstLine(r.Summary), 80), style.Dim("["+how+"]"))
		if r.Op == "new" || r.Op == "archive" || r.Op == "reopen" {
			p.printf("  %s\n", r.Path)
		}
		if r.Op == "setup" || r.Op == "unsetup" {
			p.printf("  %s\n", strings.Join(r.Files, "\n  "))
		}
		p.exploration(r.Exploration)
	}
	p.remark(r.Remarks...)
	return p.done()
}

// exploration says what mark and rewind have to say, in the words of the tools that
// agents know.
func (p Text) exploration(e *report.Exploration) {
	switch {
	case e == nil || e.Started.IsZero(): // files only
	case e.Ended.IsZero():
		p.printf("Checkpoint created.\nGoal: %s\nRun your investigation, then call rewind with a concise report.\n", e.Goal)
	case e.Report != "":
		p.printf("Rewind requested.\nReport captured for context replacement.\n")
	}
}

// Status shows what is being worked on.
func (p Text) Status(o *report.Overview) error {
	p.entries(o)
	if len(o.Entries) == 0 {
		p.remark("no checkpoint is active (ckpt new NAME --problem TEXT)")
	}
	p.remark(o.Warnings...)
	return p.done()
}

// Incomplete shows the runs that never completed.
func (p Text) Incomplete(o *report.Overview) error {
	p.entries(o)
	if len(o.Entries) == 0 {
		p.remark("no run is incomplete")
	}
	p.remark(o.Warnings...)
	return p.done()
}

// entries is a few lines a checkpoint.
func (p Text) entries(o *report.Overview) {
	style := p.pen()
	for i, e := range o.Entries {
		if i > 0 {
			p.printf("\n")
		}
		p.printf("%s %s  %s\n", symbol(e.Status), style.Bold(e.ID), style.Dim(strings.Join(facts(e), ", ")))
		if e.Unreadable != "" {
			p.printf("    %s: %s\n", e.Path, style.Red(e.Unreadable))
			continue
		}
		if e.Problem != "" {
			p.printf("    %s\n", e.Problem)
		}
		if e.Next != "" {
			p.printf("    next: %s\n", e.Next)
		}
		if e.Unfinished != "" {
			p.printf("    %s (ckpt resume %s)\n", e.Unfinished, e.ID)
		}
		if !e.Marked.IsZero() {
			p.printf("    exploring since %s: %s (ckpt rewind REPORT)\n", minute(e.Marked), shorten(e.Goal, 100))
		}
	}
}

func symbol(status string) string {
	switch status {
	case string(checkpoint.Current):
		return "●"
	case string(checkpoint.Active):
		return "○"
	case string(checkpoint.Archived):
		return "◉"
	}
	return "✗"
}

func facts(e report.Entry) []string {
	all := []string{e.Status}
	if !e.Changed.IsZero() {
		all = append(all, "changed "+minute(e.Changed))
	}
	if e.Deltas > 0 {
		all = append(all, plural(e.Deltas, "delta"))
	}
	if e.Parent != "" {
		all = append(all, "fork of "+e.Parent)
	}
	if where := e.Run.Where(); where != "" {
		all = append(all, where)
	}
	switch {
	case e.Edited && e.Unreadable != "":
		all = append(all, "edits not committed")
	case e.Edited:
		all = append(all, "edits not committed (ckpt save)")
	}
	return all
}

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + "Z" }

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// List is a line a checkpoint.
func (p Text) List(o *report.Overview) error {
	style := p.pen()
	width := 0
	for _, e := range o.Entries {
		width = max(width, len(e.ID))
	}
	for _, e := range o.Entries {
		said := e.Problem
		switch {
		case e.Unreadable != "":
			said = e.Path + ": " + e.Unreadable
		case e.Outcome != "":
			said = e.Outcome
		}
		if where := e.Run.Where(); where != "" && e.Unreadable == "" {
			said = "[" + where + "] " + said
		}
		changed := "                 "
		if !e.Changed.IsZero() {
			changed = minute(e.Changed)
		}
		if p.Streams.OutIsTerminal() {
			said = shorten(said, p.Streams.Width()-width-34)
		}
		p.printf("%s%s  %-10s  %s  %s\n", style.Bold(e.ID), strings.Repeat(" ", width-len(e.ID)), e.Status, style.Dim(changed), said)
	}
	if len(o.Entries) == 0 {
		p.remark("no checkpoint to list (ckpt new NAME begins one, ckpt list --all shows archived ones)")
	}
	p.remark(o.Warnings...)
	return p.done()
}

// shorten cuts s to n runes at most; n below 10 leaves 10.
func shorten(s string, n int) string {
	runes := []rune(s)
	if n = max(n, 10); len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}

// Brief prints the brief as the Markdown that it is.
func (p Text) Brief(r *resume.Rendering) error {
	if r == nil {
		return p.done()
	}
	text := r.Text
	if p.Streams.OutIsTerminal() {
		text = term.Plain(text)
	}
	_, err := fmt.Fprint(p.Streams.Out, text)
	p.remark(r.Brief.Warnings...)
	if r.Log != "" {
		p.remark(r.Log)
	}
	if !r.Complete {
		p.remark(fmt.Sprintf("the brief of %s is incomplete: what must be kept needs %s, the limit is %s", r.Brief.ID, r.Needs, r.Limit))
		p.hint(r.Command())
	}
	return err
}

// Checkpoint prints the file, or what one section says: the very bytes in a pipe,
// harmless ones on a terminal.
func (p Text) Checkpoint(c *checkpoint.Checkpoint, only *checkpoint.Kind) error {
	text := string(c.Doc.Bytes())
	if only != nil {
		if text = c.Text(*only); text != "" {
			text += "\n"
		} else {
			p.remark(only.String() + " says nothing in " + c.ID)
		}
	}
	if p.Streams.OutIsTerminal() {
		text = term.Plain(text)
	}
	_, err := fmt.Fprint(p.Streams.Out, text)
	return err
}

// Learnings are grouped by the checkpoint that they came from.
func (p Text) Learnings(learnings []ledger.Learning) error {
	style := p.pen()
	for i, l := range learnings {
		if i == 0 || l.ID != learnings[i-1].ID || l.Date != learnings[i-1].Date {
			if i > 0 {
				p.printf("\n")
			}
			if title := strings.Trim(l.Date+" — "+l.ID, " —"); title != "" {
				p.printf("%s\n", style.Bold(title))
			}
		}
		p.printf("- %s\n", l.Text)
	}
	if len(learnings) == 0 {
		p.remark("no such learning")
	}
	return p.done()
}

// Version says which ckpt this is.
func (p Text) Version(version, commit, goVersion string) error {
	p.printf("ckpt %s (format %s%s, %s)\n", version, checkpoint.SpecVersion, prefixed(", commit ", commit), goVersion)
	return p.done()
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

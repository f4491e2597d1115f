package output

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/result"
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
		if p.Streams.ErrIsTerminal() {
			text = p.hang(text, len("ckpt: "), len("ckpt: "))
		}
		fmt.Fprintf(p.Streams.Err, "ckpt: %s\n", term.Plain(text))
	}
}

func (p Text) hint(command string) {
	if !p.Quiet {
		fmt.Fprintf(p.Streams.Err, "hint: %s\n", term.Plain(command))
	}
}

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + "Z" }

// shorten cuts s to n runes at most; n below 10 leaves 10.
func shorten(s string, n int) string {
	runes := []rune(s)
	if n = max(n, 10); len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}

// Brief prints the brief as the Markdown that it is.
func (p Text) Brief(r *brief.Rendering) error {
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
func (p Text) Checkpoint(c *checkpoint.Checkpoint, only *checkpoint.Section) error {
	text := string(c.Doc.Bytes())
	if only != nil {
		if text = c.Doc.Text(only.Extent); text != "" {
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
func (p Text) Learnings(learnings []learnings.Learning) error {
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
		on := ""
		if len(l.On) > 0 {
			on = " (on " + l.On[0] + ")"
		}
		p.printf("- %s%s\n", l.Text, on)
	}
	if len(learnings) == 0 {
		p.remark("no such learning")
	}
	return p.done()
}

// Version prints which ckpt this is, and which git it runs.
func (p Text) Version(v result.Build) error {
	p.printf("ckpt %s (format %s%s, %s)\n", v.Ckpt, v.Spec, prefixed(", commit ", v.Commit), v.Go)
	p.printf("git %s (ckpt needs %s or newer)\n", cmp.Or(v.Git, "not found"), v.OldestGit)
	return p.done()
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

package plan

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
)

// A run is in the section ## Plan of its checkpoint: a line with the plan file and the times,
// a table of the steps, and below it the outputs of steps, each in a ### section. Only these
// are edited, so other text in the section stays.

const (
	sectionTitle = "Plan"
	outputTitle  = "Output of "
)

var columns = []string{"ID", "Step", "Status", "Depends", "Time", "Took", "Tokens", "Definition", "Remark"}

// Section returns the section of a new run.
func (r *Run) Section() string { return "## " + sectionTitle + "\n\n" + r.head() + "\n" + r.table() }

func (r *Run) head() string {
	text := "Run of " + checkpoint.Code(r.File) + ", begun " + checkpoint.FormatTime(r.Begun)
	if !r.Ended.IsZero() {
		text += ", complete " + checkpoint.FormatTime(r.Ended)
	}
	return text + ".\n"
}

// table returns the table of the steps.
func (r *Run) table() string {
	var b strings.Builder
	b.WriteString(doc.TableRow(columns...))
	for _, c := range columns {
		b.WriteString("|" + strings.Repeat("-", len(c)+2))
	}
	b.WriteString("|\n")
	for i := range r.Steps {
		s := &r.Steps[i]
		at, took, tokens := "", "", ""
		if !s.At.IsZero() {
			at = checkpoint.FormatTime(s.At)
		}
		if s.Status.Done() && !s.At.IsZero() || s.Took > 0 {
			took = Span(s.Took)
		}
		if s.Tokens > 0 {
			tokens = strconv.Itoa(s.Tokens)
		}
		b.WriteString(doc.TableRow(s.ID, s.Title, string(s.Status), strings.Join(s.Needs, ", "), at, took, tokens,
			s.Definition, s.Remark))
	}
	return b.String()
}

// Span formats a duration to the tenth of a second, or to the millisecond if it is below a second.
func Span(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// board is the part of a checkpoint that contains a run.
type board struct {
	section doc.Section
	head    doc.Span // the line above the table
	table   doc.Table
}

// Read returns the run of a checkpoint; nil if it has none. If the table of steps is not valid, the error has the kind
// [fault.Invalid] and names the line.
func Read(c *checkpoint.Checkpoint) (*Run, error) {
	b := find(c)
	if b == nil {
		return nil, nil
	}
	run := &Run{ID: c.ID, Name: c.Field("workflow")}
	file, begun, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(c.Doc.Slice(b.head), "Run of ")), ", begun ")
	run.File = strings.TrimSpace(strings.Trim(file, "`"))
	begun, ended, _ := strings.Cut(strings.TrimSuffix(begun, "."), ", complete ")
	run.Begun, _ = checkpoint.ParseTime(begun)
	run.Ended, _ = checkpoint.ParseTime(ended)
	at := map[string]int{}
	for i, title := range b.table.Header {
		at[title] = i
	}
	for _, row := range b.table.Rows {
		cell := func(title string) string {
			if i, ok := at[title]; ok && i < len(row.Cells) {
				return row.Cells[i]
			}
			return ""
		}
		s := Row{ID: cell("ID"), Title: cell("Step"), Status: Status(cell("Status")), Definition: cell("Definition"),
			Remark: cell("Remark")}
		bad := func(what string) error {
			return fault.New(fault.Invalid, "%s, line %d: %s", c.Path, c.Doc.Line(row.Span.Start), what).
				WithHint("ckpt edit %s", c.ID)
		}
		if !idPattern.Get().MatchString(s.ID) {
			return nil, bad("a step of the plan has no id")
		}
		if first, _ := run.Find(s.ID); first != nil {
			return nil, bad("step " + s.ID + " is repeated")
		}
		if !slices.Contains(statuses, s.Status) {
			return nil, bad("step " + s.ID + " has no status (" + statusNames + ")")
		}
		s.Needs = strings.FieldsFunc(cell("Depends"), func(r rune) bool { return r == ',' || r == ' ' })
		s.At, _ = checkpoint.ParseTime(cell("Time"))
		s.Took, _ = time.ParseDuration(cell("Took"))
		s.Tokens, _ = strconv.Atoi(cell("Tokens"))
		run.Steps = append(run.Steps, s)
	}
	return run, nil
}

// find returns the board of a checkpoint, or nil. It recognizes the title and the first line that
// Section writes.
func find(c *checkpoint.Checkpoint) *board {
	for _, s := range c.Doc.Sections() {
		if s.Level != 2 || s.Title != sectionTitle {
			continue
		}
		body := c.Doc.Content(s.Body)
		tables := c.Doc.Tables(body)
		blocks := c.Doc.Blocks(body)
		if len(tables) == 0 || len(blocks) == 0 {
			continue
		}
		head := blocks[0].Span
		if strings.HasPrefix(c.Doc.Slice(head), "Run of ") && slices.Contains(tables[0].Header, "ID") {
			return &board{section: s, head: head, table: tables[0]}
		}
	}
	return nil
}

// Outputs returns the outputs of steps in a checkpoint, by the id of the step.
func Outputs(c *checkpoint.Checkpoint) map[string]string {
	outputs := map[string]string{}
	b := find(c)
	if b == nil {
		return outputs
	}
	for _, s := range c.Doc.Sections() {
		id, ours := strings.CutPrefix(s.Title, outputTitle)
		if !ours || !b.section.Whole.Contains(s.Heading) {
			continue
		}
		text := c.Doc.Text(s.Body)
		if begin := strings.Index(text, "```"); begin >= 0 {
			_, text, _ = strings.Cut(text[begin:], "\n")
			text = strings.TrimRight(strings.TrimRight(text, "`"), "\n")
		}
		outputs[id] = text
	}
	return outputs
}

// Revise replaces the run in a checkpoint and the sections of the given outputs. Outputs maps the id of a step to a
// text of [Output] or [Withheld]. An empty text removes the section of the step.
func (r *Run) Revise(rev *revise.Revision, c *checkpoint.Checkpoint, outputs map[string]string) error {
	b := find(c)
	if b == nil {
		return fault.New(fault.Invalid, "%s has lost its section %q", c.ID, sectionTitle).
			WithHint("ckpt undo, or ckpt plan run --restart")
	}
	edit := func(s doc.Span, text string) {
		if c.Doc.Slice(s) != text {
			rev.Splice(doc.Replace(s, text))
		}
	}
	head := r.head()
	if !strings.HasSuffix(c.Doc.Slice(b.head), "\n") {
		head = strings.TrimSuffix(head, "\n")
	}
	edit(b.head, head)
	edit(b.table.Span, r.table())
	b.outputs(rev, c, outputs)
	return nil
}

// outputs replaces the output sections of steps, and appends a section for a step that has none.
func (b *board) outputs(rev *revise.Revision, c *checkpoint.Checkpoint, outputs map[string]string) {
	written := map[string]bool{}
	end := c.Doc.Content(b.section.Body).End
	for _, s := range c.Doc.Sections() {
		if s.Heading.Start < b.section.Heading.End || s.Heading.Start >= b.section.Whole.End {
			continue
		}
		content := c.Doc.Content(doc.Span{Start: s.Heading.End, End: s.Body.End})
		end = max(end, s.Heading.End, content.End)
		id, ours := strings.CutPrefix(s.Title, outputTitle)
		text, wanted := outputs[id]
		if !ours || !wanted || written[id] {
			continue
		}
		written[id] = true
		whole := doc.Span{Start: s.Heading.Start, End: max(s.Heading.End, content.End)}
		if text != "" {
			text = "### " + s.Title + "\n\n" + text
		}
		rev.Splice(doc.ReplaceSections(whole, text))
	}
	var more strings.Builder
	for _, id := range slices.Sorted(maps.Keys(outputs)) {
		if !written[id] && outputs[id] != "" {
			more.WriteString("\n### " + outputTitle + id + "\n\n" + outputs[id])
		}
	}
	if more.Len() > 0 {
		text := more.String()
		if src := c.Doc.Bytes(); end > 0 && src[end-1] != '\n' {
			text = "\n" + text
		}
		rev.Splice(doc.ReplaceSections(doc.Span{Start: end, End: end}, text))
	}
}

// The maximum size of an output in a checkpoint. Of a longer output only the end is stored.
const (
	mostBytes = 2000
	mostLines = 30
)

// Output returns the section for the output of a step, with all of text or its end. Size is the length of the whole
// output in bytes. Cut is the length of the beginning that text lacks. Text must not have control characters or
// secrets.
func Output(text string, size, cut int64) string {
	text = strings.TrimRight(text, " \t\r\n")
	if text == "" && size == 0 {
		return ""
	}
	if text == "" {
		return fmt.Sprintf("%d bytes that are no text.\n", size)
	}
	head := ""
	if end := tail(text); end != text || cut > 0 {
		head, text = fmt.Sprintf("The end of %d bytes.\n\n", size), end
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return head + fence + "text\n" + text + "\n" + fence + "\n"
}

// Withheld returns the section for an output that is left out.
func Withheld(why string) string { return "Kept out: " + why + ".\n" }

// tail returns the last lines of a text, or the end of its last line.
func tail(text string) string {
	if over := len(text) - mostBytes; over > 0 {
		text = text[over:]
		if i := strings.IndexByte(text, '\n'); i >= 0 && i < len(text)-1 {
			text = text[i+1:]
		}
		for len(text) > 0 && !utf8.RuneStart(text[0]) {
			text = text[1:]
		}
	}
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-mostLines):], "\n")
}

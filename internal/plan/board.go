package plan

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
)

// A run is kept in a section of its own, ## Plan: a line that names plan file and
// beginning, a table of the steps, and below it what steps have said, a ### section
// each. It is edited row and section by section, so what people write there stays.

const (
	sectionTitle = "Plan"
	outputTitle  = "Output of "
)

var columns = []string{"ID", "Step", "Status", "Depends", "Time", "Took", "Tokens", "Definition", "Remark"}

// Section is the section that a run begins with.
func (r *Run) Section() string {
	return "## " + sectionTitle + "\n\n" + r.head() + "\n" + r.table()
}

func (r *Run) head() string {
	text := "Run of " + checkpoint.Code(r.File) + ", begun " + checkpoint.FormatTime(r.Begun)
	if !r.Ended.IsZero() {
		text += ", complete " + checkpoint.FormatTime(r.Ended)
	}
	return text + ".\n"
}

// table is the table of the steps.
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
		b.WriteString(doc.TableRow(s.ID, s.Title, string(s.Status), strings.Join(s.Needs, ", "), at, took, tokens, s.Definition, s.Remark))
	}
	return b.String()
}

// Span is a duration as people read it: to the tenth of a second, or finer where it
// is short.
func Span(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// board is where a run stands in a file.
type board struct {
	section doc.Section
	head    doc.Span // the line above the table
	table   doc.Table
}

// Read is the run that a checkpoint keeps; nil where it keeps none. A table that
// cannot be read is a [fault.Invalid] that names the line.
func Read(c *checkpoint.Checkpoint) (*Run, error) {
	b, run, err := read(c)
	if b == nil {
		return nil, err
	}
	return run, err
}

func read(c *checkpoint.Checkpoint) (*board, *Run, error) {
	b := find(c)
	if b == nil {
		return nil, nil, nil
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
		s := Row{ID: cell("ID"), Title: cell("Step"), Status: Status(cell("Status")), Definition: cell("Definition"), Remark: cell("Remark")}
		bad := func(what string) error {
			return fault.New(fault.Invalid, "%s, line %d: %s", c.Path, c.Doc.Line(row.Span.Start), what).WithHint("ckpt edit %s", c.ID)
		}
		if !isID(s.ID) {
			return b, nil, bad("a step of the plan has no id")
		}
		if first, _ := run.Find(s.ID); first != nil {
			return b, nil, bad("step " + s.ID + " stands twice")
		}
		if !slices.Contains(statuses[:], s.Status) {
			return b, nil, bad("step " + s.ID + " has no status: pending, running, completed, failed, skipped")
		}
		s.Needs = strings.FieldsFunc(cell("Depends"), func(r rune) bool { return r == ',' || r == ' ' })
		s.At, _ = checkpoint.ParseTime(cell("Time"))
		s.Took, _ = time.ParseDuration(cell("Took"))
		s.Tokens, _ = strconv.Atoi(cell("Tokens"))
		run.Steps = append(run.Steps, s)
	}
	return b, run, nil
}

// find is the section that a run is kept in: one called Plan that begins as ours do.
func find(c *checkpoint.Checkpoint) *board {
	for _, s := range c.Doc.Sections() {
		if s.Level != 2 || s.Title != sectionTitle {
			continue
		}
		body := c.Doc.Content(s.Body)
		tables := c.Doc.Tables(body)
		blocks := c.Doc.Blocks(body)
		if len(tables) == 0 || len(blocks) == 0 || !strings.HasPrefix(c.Doc.Slice(blocks[0].Span), "Run of ") || !slices.Contains(tables[0].Header, "ID") {
			continue
		}
		return &board{s, blocks[0].Span, tables[0]}
	}
	return nil
}

// Said is what the steps of a run have said, as far as the file holds it.
func Said(c *checkpoint.Checkpoint) map[string]string {
	b := find(c)
	said := map[string]string{}
	if b == nil {
		return said
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
		said[id] = text
	}
	return said
}

// Revise puts the run into the file in place of the one it keeps; what a step has
// said, as [Output] writes it, goes below the table, in place of what it said
// before. An empty output takes an old one away.
func (r *Run) Revise(rev *checkpoint.Revision, c *checkpoint.Checkpoint, outputs map[string]string) error {
	b, _, err := read(c)
	if b == nil {
		return fault.New(fault.Invalid, "%s has lost its section %q", c.ID, sectionTitle).WithHint("ckpt undo, or ckpt plan run --restart")
	}
	if err != nil {
		return err
	}
	edit := func(s doc.Span, text string) {
		if c.Doc.Slice(s) != text {
			rev.Splice(doc.Replace(s, text))
		}
	}
	edit(b.head, strings.TrimSuffix(r.head(), "\n")+lineBreak(c.Doc.Slice(b.head)))
	edit(b.table.Span, r.table())
	b.outputs(rev, c, outputs)
	return nil
}

func lineBreak(text string) string {
	if strings.HasSuffix(text, "\n") {
		return "\n"
	}
	return ""
}

// outputs replaces the sections of outputs that are there and appends the others.
func (b *board) outputs(rev *checkpoint.Revision, c *checkpoint.Checkpoint, outputs map[string]string) {
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
	for _, id := range sorted(outputs) {
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

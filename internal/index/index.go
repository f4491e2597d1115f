// Package index writes INDEX.md, the list of the checkpoints of a folder, and updates one that
// people may have edited.
//
// An edit replaces whole lines and checks its own result; everything else stays byte for byte. No
// function here returns an error: a file that cannot be edited is returned unchanged.
package index

import (
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// New returns the INDEX.md of active/ or archive/: a table and a summary of each
// checkpoint, the last changed first.
func New(set *checkpoint.Set, archived bool) []byte {
	var b strings.Builder
	b.WriteString("# " + map[bool]string{false: "Active", true: "Archived"}[archived] + " Checkpoints\n\n")
	list := listing(set, archived)
	b.WriteString(newTable(list) + "\n---\n")
	for i, l := range list {
		if i > 0 {
			b.WriteString("\n---\n")
		}
		b.WriteString("\n" + l.summary(2))
	}
	if len(list) == 0 {
		b.WriteString("\n" + emptyText(archived))
	}
	return []byte(b.String())
}

func newTable(list []listed) string {
	t := table{header: []string{"Checkpoint", "Description", "Last Updated"}, description: 1, updated: 2}
	text := doc.TableRow(t.header...) + "|------------|-------------|--------------|\n"
	for _, l := range list {
		text += l.row(t)
	}
	return text
}

func emptyText(archived bool) string {
	return "*No " + map[bool]string{false: "active", true: "archived"}[archived] + " checkpoints.*\n"
}

// index is a parsed INDEX.md.
type index struct {
	doc.Page
	tables    []table
	summaries []summary
	empty     []doc.Span // the paragraphs that there are no checkpoints
}

// table is a table with a column for checkpoints. The index of a missing column is -1.
type table struct {
	header                   []string
	id, description, updated int
	rows                     []row
	end                      int // the offset after the last row
}

type row struct {
	id    string
	span  doc.Span
	cells []doc.Span // the spans of the cells, without white space around them
}

// summary is the section of one checkpoint.
type summary struct {
	id      string
	section doc.Section
	fields  []doc.Span // the lines `**Name**: text`
}

// readIndex parses an INDEX.md. A heading belongs to a checkpoint if known has its first word, or
// if that word has the form of an id, chk-…, and fields follow the heading.
func readIndex(src []byte, known map[string]bool) (index, bool) {
	p, ok := doc.ParsePage(src)
	if !ok {
		return index{}, false
	}
	ix := index{Page: p}
	whole := p.Body()
	for _, t := range p.Tables(whole) {
		if read, ok := ix.table(t); ok {
			ix.tables = append(ix.tables, read)
			for _, r := range read.rows {
				known[r.id] = true
			}
		}
	}
	for _, s := range p.Sections() {
		id := headingID(s.Title)
		fields := ix.fields(s.Body)
		looksLikeOne := strings.HasPrefix(id, "chk-") && len(fields) > 0
		if id != "" && (known[id] || looksLikeOne) {
			ix.summaries = append(ix.summaries, summary{id, s, fields})
		}
	}
	for _, b := range p.Blocks(whole) {
		if b.Kind == doc.Paragraph && saysNone.MatchString(p.Slice(b.Span)) {
			ix.empty = append(ix.empty, b.Span)
		}
	}
	return ix, true
}

// saysNone matches `*No active checkpoints.*`, optionally with one more sentence on the same line.
var saysNone = text.Regexp(`(?i)^\s*[*_(]*no (?:active |archived |current |open )?checkpoints(?: yet)?[^\w\n][^\n]*\s*$`)

// table parses a table. If the table does not list checkpoints, ok is false.
func (ix index) table(t doc.Table) (table, bool) {
	read := table{
		header:      t.Header,
		id:          t.Column("checkpoint", "checkpoints", "id", "checkpoint id"),
		description: t.Column("description"),
		updated:     t.Column("last updated", "updated", "last update", "last change", "last changed", "changed"),
	}
	if read.id < 0 {
		return table{}, false
	}
	read.end = ix.LineEnd(ix.LineEnd(t.Span.Start)) // after the header and the delimiter row
	for _, r := range t.Rows {
		if !strings.Contains(ix.Slice(r.Span), "|") {
			continue // a line of text below the table
		}
		read.end = r.Span.End
		if read.id < len(r.CellSpans) {
			if id := idOf(ix.Slice(r.CellSpans[read.id])); id != "" {
				read.rows = append(read.rows, row{id, r.Span, r.CellSpans})
			}
		}
	}
	return read, true
}

var link = text.Regexp(`^\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?$`)

// idOf returns the id in a cell or in the word of a heading, without markup around it,
// or "".
func idOf(text string) string {
	text = strings.Trim(strings.TrimSpace(text), "*`:,")
	if m := link.FindStringSubmatch(text); m != nil {
		text = strings.Trim(m[1], "*` ")
	}
	text = strings.TrimSuffix(text, ".md")
	if checkpoint.CheckID(text) != nil {
		return ""
	}
	return text
}

// headingID returns the id with which a heading begins, alone or before a separator, or
// "".
func headingID(title string) string {
	word, rest, more := strings.Cut(strings.TrimSpace(title), " ")
	if more && !strings.HasSuffix(word, ":") &&
		!strings.ContainsRune("—–-:(|[·", []rune(strings.TrimSpace(rest) + " ")[0]) {
		return ""
	}
	return idOf(word)
}

var fieldLine = text.Regexp(`^\s*(?:[-*+]\s+)?\*\*(Problem|Scope|Status|Outcome):?\*\*\s*:?\s*(.*?)\s*$`)

// fields returns the lines in s that are fields of a summary.
func (ix index) fields(s doc.Span) []doc.Span {
	var all []doc.Span
	for _, b := range ix.Blocks(s) {
		if b.Kind != doc.Paragraph && b.Kind != doc.List {
			continue
		}
		for at := b.Span.Start; at < b.Span.End; at = ix.LineEnd(at) {
			line := doc.Span{Start: at, End: ix.LineEnd(at)}
			if fieldLine.MatchString(ix.Slice(line)) {
				all = append(all, line)
			}
		}
	}
	return all
}

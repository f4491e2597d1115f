package brief

import (
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// piece is what is shown or left out as a whole: an entry of a list, a row of a
// table, a paragraph. All its parts are whole lines.
type piece struct {
	before string // blank lines, headings and the head of a table, up to the piece
	text   string
	head   string // of the table that it is a row of
	entry  bool   // of a list or a table
}

// cut takes a text apart. The pieces, one behind the other, are the text again,
// with a line break at its end.
func cut(text string) []piece {
	if text == "" {
		return nil
	}
	src := text + "\n"
	d, err := doc.Parse([]byte("\n" + src)) // a rule at the start is no frontmatter
	if err != nil {
		return []piece{{text: src}}
	}
	var pieces []piece
	at := 0
	add := func(s doc.Span, head doc.Span, entry bool) {
		start, end := lineOf(src, s.Start-1), lineBehind(src, s.End-1)
		if start < at || end <= start {
			return
		}
		p := piece{before: src[at:start], text: src[start:end], entry: entry}
		if head.Len() > 0 {
			p.head = src[head.Start-1 : head.End-1]
		}
		pieces = append(pieces, p)
		at = end
	}
	for _, b := range d.Blocks(d.Body()) {
		switch tables := d.Tables(b.Span); {
		case b.Kind == doc.List:
			for _, item := range d.Items(b.Span) {
				add(item.Span, doc.Span{}, true)
			}
		case len(tables) == 1 && tables[0].Span.Start == b.Span.Start && len(tables[0].Rows) > 0:
			rows := tables[0].Rows
			for _, row := range rows {
				add(row.Span, doc.Span{Start: tables[0].Span.Start, End: rows[0].Span.Start}, true)
			}
		default:
			add(b.Span, doc.Span{}, false)
		}
	}
	if at < len(src) { // a heading with nothing below it, or blank lines
		if strings.TrimSpace(src[at:]) == "" && len(pieces) > 0 {
			pieces[len(pieces)-1].text += src[at:]
		} else {
			pieces = append(pieces, piece{text: src[at:]})
		}
	}
	return pieces
}

func lineOf(s string, at int) int { return strings.LastIndexByte(s[:at], '\n') + 1 }

// lineBehind is where the line begins behind the one that ends a span at at.
func lineBehind(s string, at int) int {
	if at > 0 && s[at-1] == '\n' {
		return at
	}
	if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s)
}

// entries is how many of the pieces are entries.
func entries(pieces []piece) int {
	n := 0
	for _, p := range pieces {
		if p.entry {
			n++
		}
	}
	return n
}

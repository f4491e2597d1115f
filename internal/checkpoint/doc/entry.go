package doc

import (
	"bytes"
	"slices"
	"sort"
	"strings"
)

// Entry is an item of a list or a row of a table.
type Entry struct {
	Span Span // all its lines, nested ones included, without blank lines behind

	// Of an item.
	Marker string // "-", "*", "3."
	Start  int    // of the text, behind the marker
	Text   string // without the marker; further lines without their indent

	// Of a row.
	Cells     []string // trimmed; `\|` read as |
	CellSpans []Span   // of the cells, without the white space around them
}

// Content is the span of s without blank lines around it and without the rules
// that separate it from what follows; empty where nothing is said. A heading in s
// says something.
func (d *Doc) Content(s Span) Span { return d.content(s, d.Blocks(s)) }

// content is Content for those who have the blocks of s.
func (d *Doc) content(s Span, blocks []Block) Span {
	for len(blocks) > 0 && blocks[len(blocks)-1].Kind == Rule {
		blocks = blocks[:len(blocks)-1]
	}
	c := Span{s.Start, s.Start}
	if len(blocks) > 0 {
		c = Span{blocks[0].Span.Start, blocks[len(blocks)-1].Span.End}
	}
	if headings := d.headings(s); len(headings) > 0 {
		first, last := headings[0].Heading, headings[len(headings)-1].Heading
		if c.Len() == 0 {
			return Span{first.Start, last.End}
		}
		c = Span{min(c.Start, first.Start), max(c.End, last.End)}
	}
	return c
}

// headings are the headings that lie in s.
func (d *Doc) headings(s Span) []Section {
	all := d.Sections()
	i := sort.Search(len(all), func(i int) bool { return all[i].Heading.Start >= s.Start })
	j := i
	for j < len(all) && all[j].Heading.End <= s.End {
		j++
	}
	return all[i:j:j]
}

// Text is what s says: its content without the comments that stand alone, which
// only guide whoever fills the section in.
func (d *Doc) Text(s Span) string { return d.TextWithout(s) }

// TextWithout is the text of s without the spans in cut.
func (d *Doc) TextWithout(s Span, cut ...Span) string {
	blocks := d.Blocks(s)
	c := d.content(s, blocks)
	for _, block := range blocks {
		if block.Kind == Comment && c.Contains(block.Span) {
			cut = append(cut, block.Span)
		}
	}
	slices.SortFunc(cut, func(a, b Span) int { return a.Start - b.Start })
	var b strings.Builder
	b.Grow(c.Len())
	at := c.Start
	for _, hole := range cut {
		if hole.Start >= at && hole.End <= c.End {
			b.Write(d.src[at:hole.Start])
			at = hole.End
		}
	}
	b.Write(d.src[at:max(c.End, at)])
	return trimBlankLines(strings.ReplaceAll(b.String(), "\r\n", "\n"))
}

// trimBlankLines takes the blank lines around text and the white space behind it.
func trimBlankLines(text string) string {
	text = strings.TrimRight(text, " \t\r\n")
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || !isBlank([]byte(line)) {
			return text
		}
		text = rest
	}
}

// Items are the entries of all lists that stand in s.
func (d *Doc) Items(s Span) []Entry {
	var items []Entry
	for _, b := range d.Blocks(s) {
		for i, start := range b.items {
			end := b.Span.End
			if i+1 < len(b.items) {
				end = b.items[i+1]
			}
			items = append(items, d.item(Span{start, trimBlank(d.src, start, end)}))
		}
	}
	return items
}

func (d *Doc) item(s Span) Entry {
	first := bytes.TrimRight(d.src[s.Start:min(lineEnd(d.src, s.Start), s.End)], " \t\r\n")
	indent := len(first) - len(bytes.TrimLeft(first, " "))
	marker := indent + 1
	for marker < len(first) && '0' <= first[marker-1] && first[marker-1] <= '9' {
		marker++ // the digits of a number, then its dot
	}
	text := len(first) - len(bytes.TrimLeft(first[marker:], " \t"))
	margin := text
	if text == len(first) || text > marker+4 { // nothing on the line, or code
		margin = marker + 1
	}
	item := Entry{Span: s, Marker: string(first[indent:marker]), Start: s.Start + text}
	item.Text = string(first[text:])
	if at := lineEnd(d.src, s.Start); at < s.End {
		lines := []string{item.Text}
		for at < s.End {
			end := lineEnd(d.src, at)
			lines = append(lines, string(unindent(bytes.TrimRight(d.src[at:end], " \r\n"), margin)))
			at = end
		}
		item.Text = strings.Join(lines, "\n")
	}
	if text == len(first) { // the marker stands alone, the text below it
		item.Text = trimBlankLines(item.Text)
		item.Start = s.End - len(bytes.TrimLeft(d.src[item.Start:s.End], " \t\r\n"))
	}
	return item
}

// unindent takes white space n columns wide from the start of line.
func unindent(line []byte, n int) []byte {
	for n > 0 && len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
		if n--; line[0] == '\t' {
			n -= 3
		}
		line = line[1:]
	}
	return line
}

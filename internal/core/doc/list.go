package doc

import (
	"bytes"
	"sort"
	"strings"
)

// Item is one entry of a list that stands at the top level of a section.
type Item struct {
	Span   Span   // all its lines, nested ones included, without blank lines behind
	Marker string // "-", "*", "3."
	Text   string // without the marker; further lines without their indent
}

// Blocks are the top-level blocks that lie wholly in s, in order.
func (d *Doc) Blocks(s Span) []Block {
	all := d.body().blocks
	i := sort.Search(len(all), func(i int) bool { return all[i].Span.Start >= s.Start })
	j := i
	for j < len(all) && all[j].Span.End <= s.End {
		j++
	}
	return all[i:j:j]
}

// Content is the span of s without blank lines around it and without the rules
// that separate it from what follows; empty where nothing is said.
func (d *Doc) Content(s Span) Span {
	blocks := d.Blocks(s)
	for len(blocks) > 0 && blocks[len(blocks)-1].Kind == Rule {
		blocks = blocks[:len(blocks)-1]
	}
	if len(blocks) == 0 {
		return Span{s.Start, s.Start}
	}
	return Span{blocks[0].Span.Start, blocks[len(blocks)-1].Span.End}
}

// Text is what s says: its content without the comments that stand alone, which
// only guide whoever fills the section in.
func (d *Doc) Text(s Span) string {
	c := d.Content(s)
	var b strings.Builder
	at := c.Start
	for _, block := range d.Blocks(c) {
		if block.Kind == Comment {
			b.Write(d.src[at:block.Span.Start])
			at = block.Span.End
		}
	}
	b.Write(d.src[at:max(c.End, at)])
	return strings.ReplaceAll(strings.Trim(b.String(), "\r\n"), "\r\n", "\n")
}

// Items are the entries of all lists that stand in s.
func (d *Doc) Items(s Span) []Item {
	var items []Item
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

func (d *Doc) item(s Span) Item {
	first := bytes.TrimRight(d.src[s.Start:lineEnd(d.src, s.Start)], "\r\n")
	indent := len(first) - len(bytes.TrimLeft(first, " "))
	marker, text, _ := bytes.Cut(first[indent:], []byte(" "))
	item := Item{Span: s, Marker: string(marker)}
	lines := []string{string(bytes.TrimSpace(text))}
	margin := indent + len(marker) + 1
	for at := lineEnd(d.src, s.Start); at < s.End; {
		end := lineEnd(d.src, at)
		lines = append(lines, string(unindent(bytes.TrimRight(d.src[at:end], " \r\n"), margin)))
		at = end
	}
	item.Text = strings.Join(lines, "\n")
	return item
}

// unindent takes up to n spaces from the start of line.
func unindent(line []byte, n int) []byte {
	for n > 0 && len(line) > 0 && line[0] == ' ' {
		line, n = line[1:], n-1
	}
	return line
}

// trimBlank is end without the blank lines before it.
func trimBlank(src []byte, start, end int) int {
	for end > start {
		line := lineStart(src, end-1)
		if line < start || len(bytes.TrimSpace(src[line:end])) > 0 {
			break
		}
		end = line
	}
	return end
}

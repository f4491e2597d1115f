package doc

import "strings"

// Section is a heading and what follows it. Headings in a code fence, a comment, a quote or a list
// item do not count.
type Section struct {
	Level   int    // 1 to 6
	Title   string // the heading's text, as written
	Heading Span   // the heading's lines with the line break
	Body    Span   // the text up to the next heading of any level
	Whole   Span   // heading, body and all sections of a deeper level
}

// PlainTitle returns a title in lower case, without markup and no-break spaces around it.
func PlainTitle(title string) string { return strings.ToLower(strings.Trim(title, "*_`: \t\u00a0")) }

// Kind is the kind of a block.
type Kind int

const (
	Other     Kind = iota // a code fence, a quote, indented code or HTML
	Paragraph             // tables are paragraphs, too: see [Doc.Tables]
	List
	Comment // an HTML comment with nothing after it
	Rule    // a thematic break
)

// Block is a top-level block: a paragraph, a list, a code fence. Its span ends with its last line
// that is not blank.
type Block struct {
	Kind  Kind
	Span  Span
	items []int // for a list, the starts of its items
}

// body is the parsed part of the file below the frontmatter.
type body struct {
	sections []Section
	blocks   []Block
}

// closeSections sets the end of each body to the next heading, and the end of each whole section to
// the next heading that is not deeper, in one pass from the end of the file.
func closeSections(sections []Section, end int) {
	var next [7]int // by level, the start of the next heading that is not deeper
	for l := range next {
		next[l] = end
	}
	body := end
	for i := len(sections) - 1; i >= 0; i-- {
		s := &sections[i]
		s.Body = Span{s.Heading.End, max(body, s.Heading.End)}
		s.Whole = Span{s.Heading.Start, max(next[s.Level], s.Heading.End)}
		body = s.Heading.Start
		for l := s.Level; l < len(next); l++ {
			next[l] = s.Heading.Start
		}
	}
}

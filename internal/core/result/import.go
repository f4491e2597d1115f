package result

import "fmt"

// Import is what became of the files that were to be imported.
type Import struct {
	*Receipt
	Sources []Imported
}

// Imported is what became of one source.
type Imported struct {
	File    string // as it was named
	Place          // of a store's row
	Form    string // "notes", "checkpoint", "memory bank", "learnings", "stored"
	ID      string // of the checkpoint; "" for learnings
	Path    string // what was written, as a slash path from the repository's root
	Next    string // the first next action; "" where none was found
	Lines   int    // that are not blank
	Shares  []Share
	Same    bool   // it was imported before: nothing was done, and ID is that of then
	Bad     string // why it was passed over
	Remarks []string
}

// Place is where a row of a store stands. The zero value is a file as a whole.
type Place struct {
	Line int // on which it begins
	Row  int // which it is of a list, from 1; 0 for rows that follow each other
}

// In names the place in a file: "rows.jsonl:2", "rows.json:1 (row 2)".
func (p Place) In(file string) string {
	switch {
	case p.Row > 0:
		return fmt.Sprintf("%s:%d (row %d)", file, p.Line, p.Row)
	case p.Line > 0:
		return fmt.Sprintf("%s:%d", file, p.Line)
	}
	return file
}

// Number is what tells a row from the others of its store: two of a list may be on one line.
func (p Place) Number() int {
	if p.Row > 0 {
		return p.Row
	}
	return p.Line
}

// Share is how many lines of a source went to one section.
type Share struct {
	Section  string
	Lines    int
	Imported bool     // the section for what belongs to none of the format's
	From     []Origin // the headings that they were below, in the order of the source
}

// Origin is a heading of a source, or a label, and how many lines with it and below it
// went to a section.
type Origin struct {
	Heading string // "" for text below no heading
	Lines   int
}

// Add adds lines from below a heading.
func (s *Share) Add(from Origin, lines int) {
	s.Lines += lines
	if n := len(s.From) - 1; n >= 0 && s.From[n].Heading == from.Heading {
		s.From[n].Lines += lines
	} else if lines > 0 {
		s.From = append(s.From, Origin{from.Heading, lines})
	}
}

// Left is how many lines of a source belong to no section of the format.
func (s Imported) Left() int {
	n := 0
	for _, share := range s.Shares {
		if share.Imported {
			n += share.Lines
		}
	}
	return n
}

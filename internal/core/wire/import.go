package wire

import "example.com/ckpt/internal/core/result"

// Import is the answer of `ckpt import`: the receipt of the one operation, and what
// became of each source.
type Import struct {
	Receipt
	Sources []Imported `json:"sources"`
}

// Imported is what became of one source.
type Imported struct {
	File     string   `json:"file"`
	Line     int      `json:"line,omitempty"` // of a store
	Row      int      `json:"row,omitempty"`  // of its list
	Form     string   `json:"form,omitempty"`
	ID       string   `json:"id,omitempty"`
	Path     string   `json:"path,omitempty"`
	Lines    int      `json:"lines"`    // that are not blank
	Imported int      `json:"imported"` // of them, in no section of the format
	Sections []Share  `json:"sections"`
	Same     bool     `json:"same,omitempty"` // it was imported before
	Skipped  string   `json:"skipped,omitempty"`
	Remarks  []string `json:"remarks,omitempty"`
	Next     string   `json:"next,omitempty"` // the first next action
}

// Share is how many lines of a source went to one section.
type Share struct {
	Section string `json:"section"`
	Lines   int    `json:"lines"`
	From    []From `json:"from,omitempty"`
}

// From is a heading of the source, or a label, and how many of its lines went there.
type From struct {
	Heading string `json:"heading"`
	Lines   int    `json:"lines"`
}

// FromImport is the answer that holds an import.
func FromImport(r *result.Import) Import {
	w := Import{Receipt: FromReceipt(r.Receipt), Sources: make([]Imported, 0, len(r.Sources))}
	w.Head = head("import")
	for _, s := range r.Sources {
		one := Imported{s.File, s.Line, s.Row, s.Form, s.ID, s.Path, s.Lines, s.Left(), []Share{}, s.Same, s.Bad, s.Remarks, s.Next}
		for _, share := range s.Shares {
			section := Share{Section: share.Section, Lines: share.Lines}
			for _, from := range share.From {
				section.From = append(section.From, From(from))
			}
			one.Sections = append(one.Sections, section)
		}
		w.Sources = append(w.Sources, one)
	}
	return w
}

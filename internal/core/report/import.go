package report

// Import is what became of the files that were to be imported.
type Import struct {
	*Receipt
	Sources []Imported
}

// Imported is what became of one source.
type Imported struct {
	File    string // as it was named
	Line    int    // of a store, on which it stands; 0 for a file as a whole
	Form    string // "notes", "checkpoint", "memory bank", "learnings", "stored"
	ID      string // of the checkpoint; "" for learnings
	Path    string // what was written, as a slash path from the repository's root
	Lines   int    // that are not blank
	Shares  []Share
	Same    bool   // it was imported before: nothing was done, and ID is that of then
	Bad     string // why it was passed over
	Remarks []string
}

// Share is how many lines of a source went to one section.
type Share struct {
	Section  string
	Lines    int
	Imported bool // the section for what belongs to none of the format's
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

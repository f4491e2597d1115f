package wire

import "example.com/ckpt/internal/core/result"

// Trails is the answer of `ckpt validate --artifacts`.
type Trails struct {
	Head
	Checkpoints []Trail `json:"checkpoints"`
}

// Trail says how far one artifact trail agrees with git.
type Trail struct {
	ID        string   `json:"id"`
	Path      string   `json:"path"`
	Base      string   `json:"base,omitempty"`
	Recall    float64  `json:"recall"`
	Precision float64  `json:"precision"`
	Files     int      `json:"files"` // that changed, says git
	Found     int      `json:"found"` // of them, in the trail
	Rows      int      `json:"rows"`  // of the trail that git can judge
	Right     int      `json:"right"` // of them
	Missing   []Row    `json:"missing"`
	Wrong     []Row    `json:"wrong"`
	Remarks   []string `json:"remarks,omitempty"`
}

// Row is a file that a trail lacks, or should not have.
type Row struct {
	File   string `json:"file"`
	Action string `json:"action"`
	Why    string `json:"why,omitempty"`
}

// FromTrails is the answer that holds trails against git.
func FromTrails(all []result.Trail) Trails {
	w := Trails{Head: head("artifacts"), Checkpoints: []Trail{}}
	for _, t := range all {
		w.Checkpoints = append(w.Checkpoints, Trail{
			t.ID, t.Path, t.Base, t.Recall(), t.Precision(), t.Files, t.Found, t.Rows, t.Right, rows(t.Missing), rows(t.Wrong), t.Remarks,
		})
	}
	return w
}

func rows(all []result.Row) []Row {
	list := make([]Row, len(all))
	for i, r := range all {
		list[i] = Row(r)
	}
	return list
}

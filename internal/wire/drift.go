package wire

import "example.com/ckpt/internal/drift"

// Drift is the answer of `ckpt drift`.
type Drift struct {
	Head
	ID         string         `json:"id"`
	Path       string         `json:"path"`
	Base       string         `json:"base,omitempty"` // the commit that changes are counted from
	References []Reference    `json:"references"`
	Counts     map[string]int `json:"counts"` // by verdict
	Remarks    []string       `json:"remarks,omitempty"`
}

// Reference is something that a checkpoint names.
type Reference struct {
	Path    string  `json:"path,omitempty"`
	Symbol  string  `json:"symbol,omitempty"`
	Verdict string  `json:"verdict"`
	Commits int     `json:"commits,omitempty"` // that changed it since base
	To      string  `json:"to,omitempty"`
	Commit  string  `json:"commit,omitempty"` // that moved or deleted it
	Date    string  `json:"date,omitempty"`
	Note    string  `json:"note,omitempty"`
	NamedBy []Namer `json:"named_by"`
}

// Namer is a part of the checkpoint that names something.
type Namer struct {
	Source string `json:"source"` // breadcrumb, artifact, next action
	Number int    `json:"number,omitempty"`
}

// FromDrift is the answer that holds a report.
func FromDrift(r *drift.Report) Drift {
	w := Drift{Head: head("drift"), ID: r.ID, Path: r.Path, Base: r.Base, References: []Reference{}, Counts: map[string]int{}, Remarks: r.Remarks}
	for _, f := range r.Findings {
		ref := Reference{Path: f.Path, Symbol: f.Symbol, Verdict: string(f.Verdict), Commits: f.Commits, To: f.To, Commit: f.Commit, Date: f.Date, Note: f.Note, NamedBy: []Namer{}}
		for _, p := range f.Places {
			ref.NamedBy = append(ref.NamedBy, Namer{string(p.Source), p.Number})
		}
		w.References = append(w.References, ref)
		w.Counts[ref.Verdict]++
	}
	return w
}

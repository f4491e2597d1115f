package wire

import "example.com/ckpt/internal/core/report"

// Resolved is what resolve has made of one file.
type Resolved struct {
	Path string `json:"path"`
	ID   string `json:"id,omitempty"`
	How  string `json:"how"`
	Left []Spot `json:"left"` // for a person
}

// Spot is a place that is left for a person.
type Spot struct {
	Line    int    `json:"line,omitempty"`
	Section string `json:"section,omitempty"`
	What    string `json:"what"`
}

func resolved(r *report.Resolution) []Resolved {
	if r == nil {
		return nil
	}
	var all []Resolved
	for _, f := range r.Files {
		one := Resolved{f.Path, f.ID, f.How, []Spot{}}
		for _, s := range f.Left {
			one.Left = append(one.Left, Spot{s.Line, s.Section, s.What})
		}
		all = append(all, one)
	}
	return all
}

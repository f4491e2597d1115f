package wire

import "example.com/ckpt/internal/core/result"

// Resolved is what resolve has made of one file.
type Resolved struct {
	Path string `json:"path"`
	ID   string `json:"id,omitempty"`
	How  string `json:"how"`
	Left []Spot `json:"left"` // for a person

	Choices []Choice `json:"choices,omitempty"` // texts that both sides replaced
}

// Choice is a text that both sides of a merge replaced. The one that does not stand is kept
// below its delta.
type Choice struct {
	Section string `json:"section"`
	Stands  string `json:"stands"` // ours, theirs or both
	Ours    string `json:"ours"`
	Theirs  string `json:"theirs"`
}

// Spot is a place that is left for a person.
type Spot struct {
	Line    int    `json:"line,omitempty"`
	Section string `json:"section,omitempty"`
	What    string `json:"what"`
}

func resolved(r *result.Resolution) []Resolved {
	if r == nil {
		return nil
	}
	var all []Resolved
	for _, f := range r.Files {
		one := Resolved{Path: f.Path, ID: f.ID, How: f.How, Left: []Spot{}}
		for _, s := range f.Left {
			one.Left = append(one.Left, Spot{s.Line, s.Section, s.What})
		}
		for _, c := range f.Choices {
			one.Choices = append(one.Choices, Choice{c.Section, c.Stands, c.Ours, c.Theirs})
		}
		all = append(all, one)
	}
	return all
}

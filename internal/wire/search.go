package wire

import "example.com/ckpt/internal/search"

// Search is the answer of `ckpt search`.
type Search struct {
	Head
	Terms    []string `json:"terms"` // words and phrases
	Hits     []Hit    `json:"hits"`
	Total    int      `json:"total"` // hits without --limit
	Files    int      `json:"files"` // in which they are
	Warnings []string `json:"warnings,omitempty"`
}

// Hit is a line that holds something of what was looked for.
type Hit struct {
	Path    string   `json:"path"`
	Line    int      `json:"line"`
	ID      string   `json:"id,omitempty"`
	Status  string   `json:"status,omitempty"` // current, active, archived, unreadable; none in LEARNINGS.md
	Changed string   `json:"changed,omitempty"`
	Kind    string   `json:"kind"`
	Section string   `json:"section,omitempty"`
	Near    string   `json:"near"` // how near the terms are: passage, section, file
	Text    string   `json:"text"`
	Marks   [][2]int `json:"marks"` // byte ranges of the text
	Before  []string `json:"before,omitempty"`
	After   []string `json:"after,omitempty"`

	Branches []string `json:"branches,omitempty"` // that have the file, where the one checked out lacks it
	Worktree string   `json:"worktree,omitempty"` // the folder that has the first of them checked out
}

// FromSearch is the answer that holds what was found.
func FromSearch(terms []string, r *search.Result) Search {
	w := Search{head("search"), terms, make([]Hit, 0, r.Shown), r.Hits, r.In, r.Warnings}
	for _, f := range r.Files {
		for _, h := range f.Hits {
			hit := Hit{
				f.Path, h.Line, f.ID, f.Status, stamp(f.Changed), h.Kind.String(), h.Section, f.Closeness.String(),
				h.Text, make([][2]int, len(h.Marks)), h.Before, h.After, branchesOf(f.On), worktreeOf(f.On),
			}
			if h.ID != "" {
				hit.ID = h.ID
			}
			for i, m := range h.Marks {
				hit.Marks[i] = [2]int{m.Start, m.End}
			}
			w.Hits = append(w.Hits, hit)
		}
	}
	return w
}

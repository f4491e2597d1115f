package result

// Resolution is what resolve has made of a merge.
type Resolution struct {
	Files []Resolved // by path
}

// Left says how many places are left for a person.
func (r *Resolution) Left() int {
	n := 0
	for _, f := range r.Files {
		n += len(f.Left)
	}
	return n
}

// Resolved is one file.
type Resolved struct {
	Path string // slash path from the repository's root
	ID   string // the checkpoint; "" where the file is none
	How  string // what it is made of, in words
	Left []Spot // where a person has to choose

	Choices []Choice // the texts that both sides replaced
}

// Choice is a text that both sides replaced.
type Choice struct {
	Section      string // its title
	Ours, Theirs string
	Stands       string // "ours", "theirs" or "both"
}

// Spot is a place in a file.
type Spot struct {
	Line    int    // from 1; 0 for the whole file
	Section string // its title; "" for none
	What    string // what is to be done there
}

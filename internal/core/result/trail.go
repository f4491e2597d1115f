package result

// Trail says how far an artifact trail agrees with git.
type Trail struct {
	ID      string // the checkpoint
	Path    string // its file, as a slash path from the repository's root
	Base    string // the commit from which git counted, in full; "" for the working tree only
	Files   int    // that changed, says git
	Found   int    // of them, in the trail
	Rows    int    // of the trail that git can judge
	Right   int    // of them
	Missing []Row
	Wrong   []Row
	Remarks []string
}

// Row is a file that the trail lacks, or has and should not have.
type Row struct{ File, Action, Why string }

// Recall is the share of changed files that the trail has; 1 where none changed.
func (t *Trail) Recall() float64 { return share(t.Found, t.Files) }

// Precision is the share of rows that are right; 1 where there is none.
func (t *Trail) Precision() float64 { return share(t.Right, t.Rows) }

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

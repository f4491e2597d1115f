package report

import "time"

// Entry is one checkpoint as a listing shows it.
type Entry struct {
	ID         string
	Path       string // slash path from the repository's root
	Status     string // current, active, archived, unreadable
	Problem    string // its first sentence
	Next       string // the first next action
	Outcome    string // of an archived one
	Parent     string
	Anchor     string
	Created    time.Time
	Changed    time.Time // the last delta, else the creation
	Deltas     int
	Edited     bool      // the file holds edits that no commit has
	Unreadable string    // why it cannot be read
	Goal       string    // of the exploration under way, on one line
	Marked     time.Time // since when; zero for none
}

// Overview is checkpoints as status and list show them.
type Overview struct {
	Entries  []Entry
	Warnings []string // two currents, unreadable files
}

package result

import (
	"cmp"
	"strings"
	"time"
)

// Entry is one checkpoint as a listing shows it.
type Entry struct {
	ID            string
	Path          string // slash path from the repository's root
	Status        string // current, active, archived, unreadable
	Problem       string // its first sentence
	Next          string // the first next action
	Outcome       string // of an archived one
	Parent        string
	Anchor        string
	Created       time.Time
	Changed       time.Time // by a delta, a commit or an edit
	Told          time.Time // the last delta, else the creation
	Deltas        int
	Edited        bool      // the file holds edits that no commit has
	Unreadable    string    // why it cannot be read
	MarkedCurrent bool      // its file says current, whichever one counts
	Goal          string    // of the exploration under way, on one line
	Marked        time.Time // since when; zero for none
	Run           Run
	Replaced      []string // sections of which a merge replaced a text, until somebody goes on
	Unfinished    string   // why its run is not complete, where that was asked

	On    *Location // the branches that have it, where the one checked out lacks it; nil for one that is here
	Newer *Location // the branches that have a newer version of one that is here; nil for none
}

// Run is what run of what a checkpoint belongs to, as its file says; "" for what it
// does not say.
type Run struct {
	Name, Workflow, Phase, Step, Agent, Session, Trigger, Progress string
}

// Overview is checkpoints as status and list show them.
type Overview struct {
	Of       string // whose checkpoints were asked for: "of agent claude"; "" for anybody's
	Entries  []*Entry
	Warnings []string // two currents, unreadable files
	Others   Others   // what is on other branches only, where that was asked
}

// Where is the place in the run, in words on one line: "ship, Phase 3 - Implementation,
// 45%".
func (r Run) Where() string {
	phase := r.Phase
	if phase != "" && !strings.HasPrefix(strings.ToLower(phase), "phase") {
		phase = "phase " + phase
	}
	var words []string
	for _, word := range []string{r.Workflow, cmp.Or(r.Step, phase), r.Progress} {
		if word = strings.Join(strings.Fields(word), " "); word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

package result

import (
	"cmp"
	"strings"
)

// ShortStatus is the answer of `ckpt status --short`: what a shell prompt shows.
type ShortStatus struct {
	ID     string `json:"id"`             // the current checkpoint; empty if none is current
	Next   string `json:"next,omitempty"` // its first next action
	Edited bool   `json:"edited"`         // the file has edits that no commit has
}

// Overview is the answer of `ckpt status` and `ckpt list`.
type Overview struct {
	// The filter of the request in words: "of agent claude"; empty for all checkpoints.
	Of       string       `json:"-"`
	Current  string       `json:"current,omitempty"`      // the id of the current checkpoint
	AlsoIn   []string     `json:"also_current,omitempty"` // the folders of other worktrees in which it is current, too
	Entries  List[*Entry] `json:"checkpoints"`            // the requested checkpoints
	Warnings []string     `json:"warnings,omitempty"`     // such as two current checkpoints, unreadable files
	Ref      string       `json:"ref,omitempty"`          // for status in ref mode: the ref that has the checkpoints
	Folder   string       `json:"folder,omitempty"`       // for status in ref mode: the folder of their files
}

// Entry is one checkpoint of an overview.
type Entry struct {
	ID         string `json:"id"`
	Path       string `json:"path"`              // the path from the repository's root
	Status     string `json:"status"`            // current, active, archived, unreadable
	Problem    string `json:"problem,omitempty"` // the first sentence of the Problem
	Next       string `json:"next,omitempty"`    // the first next action
	Outcome    string `json:"outcome,omitempty"` // the outcome of an archived checkpoint
	Parent     string `json:"parent,omitempty"`
	Anchor     string `json:"anchor,omitempty"`
	Created    Time   `json:"created,omitzero"`
	Changed    Time   `json:"changed,omitzero"`     // the time of the last delta, commit or edit
	Deltas     int    `json:"deltas"`               // the number of deltas
	Edited     bool   `json:"edited,omitempty"`     // the file has uncommitted edits
	Elsewhere  bool   `json:"-"`                    // Branch is known and is not the one that is checked out
	Unreadable string `json:"unreadable,omitempty"` // why it cannot be read
	Mark       *Mark  `json:"mark,omitempty"`       // the open mark
	Run
	Unfinished string `json:"unfinished,omitempty"` // why its run is incomplete, if that was requested
	Branch     string `json:"branch,omitempty"`     // the branch it belongs to

	MarkedCurrent bool     `json:"-"` // its file is marked as current, even if another checkpoint is current
	OddStatus     string   `json:"-"` // the status in its file if it is neither current nor active
	Replaced      []string `json:"-"` // sections whose text a merge replaced since the last delta
}

// Mark is an open exploration.
type Mark struct {
	Goal string `json:"goal"`      // the goal on one line
	At   Time   `json:"startedAt"` // when it began
}

// Run describes the run that a checkpoint belongs to, from its frontmatter.
type Run struct {
	Name     string `json:"name,omitempty"` // a name that people gave it
	Workflow string `json:"workflow,omitempty"`
	Phase    string `json:"phase,omitempty"`
	Step     string `json:"step,omitempty"` // the step of the workflow
	Agent    string `json:"agent,omitempty"`
	Session  string `json:"session,omitempty"`
	Trigger  string `json:"trigger,omitempty"`  // why the last delta was written: "phase"
	Progress string `json:"progress,omitempty"` // how far it is: "45%", "3/5"
}

// Where returns the place in the run on one line: "ship, Phase 3 - Implementation, 45%".
func (r Run) Where() string {
	phase := r.Phase
	if phase != "" && !strings.HasPrefix(strings.ToLower(phase), "phase") {
		phase = "phase " + phase
	}
	var words []string
	for _, word := range []string{r.Workflow, cmp.Or(r.Step, phase), r.Progress} {
		word = strings.Join(strings.Fields(word), " ")
		if word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

func (o *Overview) complete() {
	for _, e := range o.Entries {
		if e.Status == "current" && o.Current == "" {
			o.Current = e.ID
		}
	}
}

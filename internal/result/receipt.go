package result

import "fmt"

// Receipt describes what a changing command did.
type Receipt struct {
	Op          string       `json:"op"`                  // the operation: "delta"
	ID          string       `json:"id,omitempty"`        // the checkpoint that it changed
	Summary     string       `json:"summary"`             // one line, as in the subject of the commit
	Path        string       `json:"path,omitempty"`      // the path of the checkpoint from the repository's root
	Files       List[string] `json:"files"`               // all changed files
	Unchanged   bool         `json:"unchanged"`           // nothing had to change, so no commit was made
	DryRun      bool         `json:"dry_run"`             // nothing was written
	IsCommitted bool         `json:"committed"`           // a commit has the change
	Published   *bool        `json:"published,omitempty"` // in own mode: whether the branch has the commit
	Commit      string       `json:"commit,omitempty"`    // the full hash, preferably of the branch's commit; may be empty
	Pending     string       `json:"pending,omitempty"`   // why the change is safe but not published
	Next        string       `json:"next,omitempty"`      // for done: the first next action that is left
	Diff        string       `json:"diff,omitempty"`      // the change as a unified diff, for a dry run
	Remarks     []string     `json:"remarks,omitempty"`

	Exploration *Exploration `json:"details,omitempty"` // set by mark and rewind
	*Resolution              // set by resolve
	Replaced    []Replaced   `json:"replaced,omitempty"` // the texts that the change removed
	Granted     []Grant      `json:"granted,omitempty"`  // set by setup
}

func (r *Receipt) complete() { r.IsCommitted = r.Commit != "" }

// Grant is what an agent may run without asking after setup.
type Grant struct {
	Agent    string   `json:"agent"`           // the agent: "claude"
	Path     string   `json:"path"`            // the file with the permissions
	Commands []string `json:"commands"`        // commands of ckpt: "note"
	Tools    []string `json:"tools,omitempty"` // tools of ckpt mcp
}

// Replaced describes a text that a change removed from a section.
type Replaced struct {
	Section string `json:"section"`           // the section's name in flags: "current-state"
	Title   string `json:"-"`                 // "Current State"
	Lines   int    `json:"lines"`             // the number of lines that it had
	Actions int    `json:"actions,omitempty"` // for Next Actions, the number of open ones
	Show    string `json:"show,omitempty"`    // the command that shows the text; empty if no version has it
}

// Exploration describes the exploration that mark began or rewind ended. Its JSON has the names that other tools use.
type Exploration struct {
	Goal    string `json:"goal,omitempty"`     // the goal; empty after the exploration has ended
	Report  string `json:"report,omitempty"`   // the report with the findings
	Rewound *bool  `json:"rewound,omitempty"`  // false if the exploration was given up
	Started Time   `json:"startedAt,omitzero"` // when mark began it
	Ended   Time   `json:"rewoundAt,omitzero"` // when rewind ended it
}

// Resolution describes how resolve resolved a merge.
type Resolution struct {
	Files []Resolved `json:"resolved,omitempty"` // the files that resolve merged, sorted by path
}

// Left returns the number of places that are left for the user.
func (r *Resolution) Left() int {
	n := 0
	for _, f := range r.Files {
		n += len(f.Left)
	}
	return n
}

// Resolved is one file of a merge.
type Resolved struct {
	Path string     `json:"path"` // the path from the repository's root
	ID   string     `json:"id,omitempty"`
	How  string     `json:"how"`  // which versions it contains
	Left List[Spot] `json:"left"` // the places where the user has to choose
}

// Spot is a place in a file that the user has to resolve.
type Spot struct {
	Line    int    `json:"line,omitempty"`    // the line, from 1; 0 for the whole file
	Section string `json:"section,omitempty"` // the title of the section
	What    string `json:"what"`              // what to do there
}

// Import is the answer of `ckpt import`: the receipt of the operation, and the result for each source.
type Import struct {
	*Receipt
	Sources List[Imported] `json:"sources"` // the result for each source
}

func (r *Import) complete() {
	if r.Receipt != nil {
		r.Receipt.complete()
	}
	for i := range r.Sources {
		r.Sources[i].Unplaced = r.Sources[i].Left()
	}
}

// Imported is the result for one source.
type Imported struct {
	File     string      `json:"file"` // the name as the user gave it
	Place                // for a row of a store, its place
	Form     string      `json:"form,omitempty"` // "notes", "checkpoint", "memory bank", "learnings", "stored"
	ID       string      `json:"id,omitempty"`   // the id of the checkpoint; empty for learnings
	Path     string      `json:"path,omitempty"` // the written file, as a path from the repository's root
	Lines    int         `json:"lines"`          // the number of lines that are not blank
	Unplaced int         `json:"imported"`       // the number of lines that no section of the format fits
	Shares   List[Share] `json:"sections"`       // how many lines went to which section
	Same     bool        `json:"same,omitempty"` // it was imported before, as the checkpoint with this id
	Remarks  []string    `json:"remarks,omitempty"`
	Next     string      `json:"next,omitempty"` // the first next action
}

// Place is where a row of a store begins. The zero value means a whole file, not a row.
type Place struct {
	Line int `json:"line,omitempty"`
	Row  int `json:"row,omitempty"` // its number in a list, from 1; 0 if each row has a line of its own
}

// In returns the place with its file: "rows.jsonl:2", "rows.json:1 (row 2)".
func (p Place) In(file string) string {
	switch {
	case p.Row > 0:
		return fmt.Sprintf("%s:%d (row %d)", file, p.Line, p.Row)
	case p.Line > 0:
		return fmt.Sprintf("%s:%d", file, p.Line)
	}
	return file
}

// Number returns the number of the row or, in a file without rows, the line. It is unique in a file.
func (p Place) Number() int {
	if p.Row > 0 {
		return p.Row
	}
	return p.Line
}

// Share is the number of lines that an import wrote to one section.
type Share struct {
	Section  string `json:"section"` // the title of the section
	Lines    int    `json:"lines"`   // the number of lines
	Imported bool   `json:"-"`       // the section is not one of the format
}

// Left returns the number of lines outside the sections of the format.
func (s Imported) Left() int {
	n := 0
	for _, share := range s.Shares {
		if share.Imported {
			n += share.Lines
		}
	}
	return n
}

// Operations is the answer of `ckpt undo --list`, the newest operation first.
type Operations struct {
	Operations List[Operation] `json:"operations"` // the operations
}

// Operation is one command that changed something.
type Operation struct {
	Commit    string `json:"commit"`              // the full hash; empty if no commit has it
	Time      Time   `json:"time"`                // when it was made
	Op        string `json:"op"`                  // the name: "delta"
	ID        string `json:"id,omitempty"`        // the checkpoint that it changed, if it is only one
	Subject   string `json:"subject"`             // the subject of its commit
	Undone    bool   `json:"undone"`              // it was undone
	Redone    bool   `json:"redone,omitempty"`    // a redo restored it: the next undo undoes that redo
	Elsewhere string `json:"elsewhere,omitempty"` // the worktree, agent or session that made it, if undo leaves it to them
}

// Save is a version of a checkpoint in the schema of an executor. Its values have the types with
// which they were saved. A value that was not saved is nil.
type Save struct {
	ID          string `json:"id" jsonschema:"for checkpoint_load and checkpoint_resume"` // "chk-auth@{2}"
	Step        any    `json:"stepNumber,omitempty"`
	Created     any    `json:"createdAt,omitempty"`
	Description any    `json:"description,omitempty"`
	Trigger     any    `json:"triggerType,omitempty"`
	Took        any    `json:"durationMs,omitempty"`
	Commit      string `json:"commit"`
	Op          string `json:"op,omitempty" jsonschema:"the operation that made it: new, delta, plan"`
}

// Sync is the answer of `ckpt sync`: what the clone and a remote exchanged of the checkpoint ref.
type Sync struct {
	Branch   string `json:"branch"`   // the name of the ref: "checkpoints"
	Upstream string `json:"upstream"` // "origin/checkpoints"
	Received int    `json:"received"` // the number of received commits
	Sent     int    `json:"sent"`     // the number of sent commits
	Merged   bool   `json:"merged"`   // both sides had new commits; the merge is among those sent
	DryRun   bool   `json:"dry_run"`  // nothing was sent

	Rounds int `json:"rounds"` // how many times it fetched and pushed

	Remarks []string `json:"remarks,omitempty"`
}

// Migration is the answer of `ckpt migrate`: what changed, or would change without DryRun.
type Migration struct {
	To          string   `json:"to"`        // "ref" or "own"
	Ref         string   `json:"ref"`       // the ref of the checkpoints
	Unchanged   bool     `json:"unchanged"` // there was nothing to move
	DryRun      bool     `json:"dry_run"`
	Checkpoints int      `json:"checkpoints"`      // how many checkpoints there are, active or archived
	Files       int      `json:"files"`            // how many files the branch lost or got
	Commit      string   `json:"commit,omitempty"` // the full hash of the commit on the branch
	Remarks     []string `json:"remarks,omitempty"`
}

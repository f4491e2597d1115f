package wire

import "example.com/ckpt/internal/core/result"

// Operations is the answer of `ckpt undo --list`, the newest first.
type Operations struct {
	Head
	Operations []Operation `json:"operations"`
}

// Operation is one command that changed something.
type Operation struct {
	Commit  string `json:"commit"`
	Time    string `json:"time"`
	Op      string `json:"op"`
	ID      string `json:"id,omitempty"`
	Subject string `json:"subject"`
	Undone  bool   `json:"undone"`

	Blocked     string `json:"blocked,omitempty"`     // why undo cannot take it back
	Uncommitted string `json:"uncommitted,omitempty"` // "stage" or "off" where no commit has it
}

// FromOperations is the answer that holds operations.
func FromOperations(all []result.Operation) Operations {
	w := Operations{head("operations"), []Operation{}}
	for _, o := range all {
		w.Operations = append(w.Operations, Operation{o.Commit, stamp(o.Time), o.Op, o.ID, o.Subject, o.Undone, o.Blocked, o.Uncommitted})
	}
	return w
}

package report

import "time"

// Operation is one command that changed something, as history holds it.
type Operation struct {
	Commit  string // full hash; "" where no commit has it
	Time    time.Time
	Op      string // "delta"
	ID      string // the checkpoint, "" where it was about none or several
	Subject string // of its commit
	Undone  bool   // a later undo took it back

	Uncommitted string // where no commit has it: "stage" or "off"
}

package result

import "time"

// Operation is one command that changed something, as history holds it.
type Operation struct {
	Commit  string // full hash; "" where no commit has it
	Time    time.Time
	Op      string // "delta"
	ID      string // the checkpoint, "" where it was about none or several
	Subject string // of its commit
	Undone  bool   // a later undo took it back
	Blocked string // why undo cannot take it back; "" where it can, or it counts no more

	Uncommitted string // where no commit has it: "stage" or "off"
}

package result

import "time"

// Exploration is what mark and rewind say of it besides their receipts.
type Exploration struct {
	Goal     string
	Started  time.Time
	Report   string    // what was found; "" while it is under way, and where it was given up
	Ended    time.Time // zero while it is under way
	Snapshot string    // the ref that holds the files as they were; "" for none
	Saved    string    // the ref that holds the files as rewind found them; "" for none
}

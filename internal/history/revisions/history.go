// Package revisions describes the versions of one checkpoint, and what each changed, section
// by section.
//
// It compares versions as package merge does: entry by entry (a decision, a list item, a
// table row), in any order and without regard to white space.
package revisions

import "time"

// Version is a checkpoint as one commit left it.
type Version struct {
	Commit  string    // in full
	Time    time.Time // of the committer
	Author  string
	Email   string
	Subject string // of the commit
	Op      string // the operation of ckpt, such as "delta"; empty for any other commit
	Path    string // slash path relative to the checkpoints folder
	Blob    string // the file's name in git; empty if this commit deleted the checkpoint
	Before  []Side // what it came from: one for a change, more for a merge, none for a new file

	Pending string // the pending ref that has it; empty if it is in history
	Cut     bool   // this clone is shallow, and its history begins here
	Missing bool   // the file is not in this clone, which is partial
}

// OpTrailer is the trailer that names the operation of a commit.
const OpTrailer = "Checkpoint-Op"

// IDTrailer is the trailer of a commit that names a checkpoint that it changed.
const IDTrailer = "Checkpoint"

// Side is a file that a version came from.
type Side struct{ Path, Blob string }

// Gone reports whether the commit deleted the checkpoint.
func (v Version) Gone() bool { return v.Blob == "" }

// Short returns the abbreviated name of the commit.
func (v Version) Short() string { return v.Commit[:min(7, len(v.Commit))] }

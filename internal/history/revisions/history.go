// Package revisions describes the versions of one checkpoint, and what each changed, section
// by section.
//
// It compares versions as package merge does: entry by entry (a decision, a list item, a
// table row), in any order and without regard to white space.
package revisions

import "time"

// Version is a checkpoint after one commit.
type Version struct {
	Commit  string    // the full hash
	Time    time.Time // the committer's time
	Author  string
	Email   string
	Subject string // the commit's subject
	Op      string // the operation of ckpt, such as "delta"; empty for any other commit
	Code    string // the commit of the code that was checked out; empty if Commit is not on the checkpoint ref
	Path    string // slash path relative to the checkpoints folder
	Blob    string // the blob of the file; empty if this commit deleted the checkpoint
	Before  []Side // the files from which it was made: one for a change, more for a merge, none for a new file

	Cut     bool // this clone is shallow, and its history begins at Commit
	Missing bool // this clone is partial and lacks the file

	TakesBack bool // the commit makes or publishes an undo, redo or restore
}

// OpTrailer is the trailer that names the operation of a commit.
const OpTrailer = "Checkpoint-Op"

// IDTrailer is the trailer of a commit that names a checkpoint that it changed.
const IDTrailer = "Checkpoint"

// CodeTrailer is the trailer of a commit on the checkpoint ref that names the commit of the code
// that was checked out.
const CodeTrailer = "Checkpoint-Head"

// Side is a file from which a version was made.
type Side struct{ Path, Blob string }

// Gone reports whether the commit deleted the checkpoint.
func (v Version) Gone() bool { return v.Blob == "" }

// Short returns the abbreviated hash of the commit.
func (v Version) Short() string { return v.Commit[:min(7, len(v.Commit))] }

// Package revisions is what became of one checkpoint: its versions, and what each
// changed, section by section.
//
// Two versions are compared as package merge compares them: a decision, a list
// item, a table row is one thing, wherever it stands, and white space does not count.
package revisions

import "time"

// Version is a checkpoint as one commit left it.
type Version struct {
	Commit  string    // in full
	Time    time.Time // of the committer
	Author  string
	Email   string
	Subject string // of the commit
	Op      string // the operation of ckpt that it is: "delta"; "" for a commit by other means
	Path    string // slash path relative to the checkpoints folder
	Blob    string // the file's name in git; "" where this commit took the checkpoint away
	Before  []Side // what it was: one for a change, more for a merge, none where it appears

	Pending string // the ref where it waits to land; "" for one that is in history
	Cut     bool   // what was before is not in this clone, which is shallow
	Missing bool   // the file is not in this clone, which is partial
}

// OpTrailer is the trailer of a commit that names the operation of ckpt that it is.
const OpTrailer = "Checkpoint-Op"

// IDTrailer is the trailer of a commit that names a checkpoint that it changed.
const IDTrailer = "Checkpoint"

// Side is a file that a version came from.
type Side struct{ Path, Blob string }

// Gone reports whether the commit deleted the checkpoint.
func (v Version) Gone() bool { return v.Blob == "" }

// Short returns the abbreviated name of the commit.
func (v Version) Short() string { return v.Commit[:min(7, len(v.Commit))] }

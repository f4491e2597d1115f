package disk

import (
	"slices"
	"strings"
)

// End is how an operation was meant to end. If its process is killed, End determines whether
// the next command completes the operation or reverts it: it reverts one that was to make a
// commit and did not.
type End string

// The ends of operations.
const (
	ToFiles  End = "files"  // the files are written
	ToMerge  End = "merge"  // the files without conflicts after a merge are written and staged
	ToCommit End = "commit" // the files are written and committed
	ToSave   End = "save"   // the wanted content is committed, and the files are not written
	toMove   End = "move"   // the branch is at another commit; see ToMove
)

var ends = []End{ToFiles, ToMerge, ToCommit, ToSave}

// ToMove returns the end of an operation that moves the branch from one commit to another.
func ToMove(from, to string) End { return toMove + End(":"+from+":"+to) }

// Move returns the two commits of an end that ToMove made.
func (e End) Move() (from, to string, ok bool) {
	part := strings.Split(string(e), ":")
	if len(part) != 3 || End(part[0]) != toMove {
		return "", "", false
	}
	return part[1], part[2], true
}

// known reports whether this version of ckpt writes the given end.
func (e End) known() bool {
	_, _, move := e.Move()
	return move || slices.Contains(ends, e)
}

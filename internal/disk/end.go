package disk

import (
	"slices"
	"strings"
)

// End is how an operation was to end, which tells whoever finds its journal what
// to do: forward, or back where a commit was wanted and is not there.
type End string

// The ends.
const (
	ToFiles  End = "files"  // with its files
	ToIndex  End = "index"  // with its files in the index
	ToMerge  End = "merge"  // with those in the index that are whole, in place of what a merge left there
	ToCommit End = "commit" // with a commit of its files
	ToSave   End = "save"   // with a commit of files that were as wanted already: they are not to be touched
	toMove   End = "move"   // with the branch at another commit: see ToMove
)

var ends = []End{ToFiles, ToIndex, ToMerge, ToCommit, ToSave}

// ToMove returns the end of an operation that moves the branch from one commit to another.
func ToMove(from, to string) End { return toMove + End(":"+from+":"+to) }

// Move returns the commits of an end that ToMove made.
func (e End) Move() (from, to string, ok bool) {
	part := strings.Split(string(e), ":")
	if len(part) != 3 || End(part[0]) != toMove {
		return "", "", false
	}
	return part[1], part[2], true
}

// known reports whether this version of ckpt writes such an end.
func (e End) known() bool {
	_, _, move := e.Move()
	return move || slices.Contains(ends, e)
}

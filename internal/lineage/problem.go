package lineage

import (
	"fmt"
	"strings"
)

// Kind is what is wrong with a place in the lineage.
type Kind int

// The kinds of problem.
const (
	MissingParent Kind = iota // names a parent that no file has; shown as a root
	SelfParent                // names itself; shown as a root
	Cycle                     // its ancestors lead back to it; the entry to the cycle is shown as a root
	Duplicate                 // another file has the same id
)

// String is the kind as JSON and findings name it: "missing-parent".
func (k Kind) String() string {
	return [...]string{"missing-parent", "self-parent", "cycle", "duplicate-id"}[k]
}

// Problem is something wrong with the place of one checkpoint. It is shown, and
// keeps nothing from being shown.
type Problem struct {
	Kind Kind

	// Names are what the problem is about. MissingParent: the parent's id, and the
	// path of an unreadable file that may be it. SelfParent: the id. Cycle: the
	// ids from the entry down, each the parent of the next, the entry again at the
	// end. Duplicate: the paths of all files with the id; children hang below the
	// first.
	Names []string
}

// String says what is wrong, as a remark behind the checkpoint's name.
func (p Problem) String() string {
	switch p.Kind {
	case MissingParent:
		if len(p.Names) > 1 {
			return fmt.Sprintf("parent %q cannot be read (%s)", p.Names[0], p.Names[1])
		}
		return fmt.Sprintf("parent %q does not exist", p.Names[0])
	case SelfParent:
		return "names itself as its parent"
	case Cycle:
		return "cycle: " + strings.Join(p.Names, " → ")
	}
	return "the same id in " + strings.Join(p.Names, ", ")
}

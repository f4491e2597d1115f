package settings

// State says how a piece stands in a file.
type State string

// The states. Edited is a text of ours that somebody has changed since: it is theirs
// now, and is left alone.
const (
	Absent  State = "absent"
	Present State = "present"
	Stale   State = "stale"
	Edited  State = "edited"
)

// Piece is one thing that ties an agent to ckpt: its hooks, its instructions or its
// skill, each in one file. A nil src is a file that is not there, a nil answer one
// that is not to be there.
type Piece interface {
	Where() string                           // slash path, from the repository's root or whole
	Top() string                             // the folder above it that is never ours to remove
	What() string                            // "hooks"
	State(src []byte) (State, string, error) // and what there is to say of it
	Add(src []byte) ([]byte, error)          // puts the piece in; twice is once
	Drop(src []byte) ([]byte, error)         // takes it out: the bytes from before Add
}

// place is where a piece is and what it is called.
type place struct{ top, where, what string }

// Where implements [Piece], as do the methods below.
func (p place) Where() string { return p.where }

func (p place) Top() string { return p.top }

func (p place) What() string { return p.what }

package walk

// finding is what ckpt does although it promises otherwise.
type finding string

const (
	undoMarksAnother finding = "ref: after an undo not the same checkpoint is current as before the operation, if the one " +
		"that the branch chose last has been archived or deleted"
)

// known are the findings that walks have made and that are still to be fixed: a walk goes on past them.
// Each is removed from here together with its fix, and then every walk insists on the promise.
var known = map[finding]bool{
	undoMarksAnother: true,
}

func (w *walk) known(f finding) bool { return known[f] }

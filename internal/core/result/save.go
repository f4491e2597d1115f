package result

// Save is a version of a checkpoint as an executor lists its checkpoints. Its values are
// as they were saved, which may be of any kind; nil where the save has none.
type Save struct {
	ID                                        string // "chk-auth@{2}"
	Commit, Op                                string
	Step, Created, Description, Trigger, Took any
}

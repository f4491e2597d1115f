package workspace

import "example.com/ckpt/internal/history/revisions"

// The trailers of an operation's commit.
const (
	TrailerID     = revisions.IDTrailer
	TrailerOp     = revisions.OpTrailer
	TrailerUndoes = "Checkpoint-Undoes"
	TrailerPassed = "Checkpoint-Passed" // names an operation that an undo skipped, because it was undone already

	// TrailerCurrent names the checkpoint that was current before an operation chose another one.
	TrailerCurrent = "Checkpoint-Current"
)

// The operations that are treated in a special way.
const (
	OpUndo    = "undo"    // reverts operations
	OpRedo    = "redo"    // reverts an undo
	OpRestore = "restore" // replaces a checkpoint by a former version
	OpSave    = "save"    // commits edits by hand
	OpResolve = "resolve" // merges checkpoints that git left in conflict
	OpDoctor  = "doctor"  // keeps a copy of the file that it replaces
	OpImport  = "import"  // makes a checkpoint current only if it imports just one
	OpInit    = "init"    // saves no checkpoint
	OpMigrate = "migrate" // changes whether checkpoints are published on branches
)

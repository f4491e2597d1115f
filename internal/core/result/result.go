// Package result is what ckpt has to say: findings of a check and the receipt
// of a change.
package result

// Severity orders findings: an error breaks a promise of the format, a warning
// makes a checkpoint less useful, advice is a rule of thumb.
type Severity int

// The severities, worst first.
const (
	Error Severity = iota
	Warning
	Advice
)

// String is the severity as text and JSON name it.
func (s Severity) String() string { return [...]string{"error", "warning", "advice"}[s] }

// Finding is one thing that a check found.
type Finding struct {
	Code     string // stable: "CK101"
	Severity Severity
	Path     string // slash path, relative to the checkpoints folder
	Line     int    // from 1; 0 where it concerns the whole file
	ID       string // the checkpoint, where it is known
	Commit   string // the commit that brought it, where history was looked at
	Message  string // what is wrong, on which object
	Fix      string // what to do
}

// Report is the findings of one check, in the order of files and lines.
type Report struct {
	Checked  int    // how many files were looked at
	Counted  string // what Checked counts where it is not files: "version"
	Findings []Finding
	Remarks  []string // what could not be looked at
}

// Count says how many findings have severity s.
func (r *Report) Count(s Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// Receipt says what a changing command did.
type Receipt struct {
	Op        string   // "delta"
	ID        string   // the checkpoint it was done to
	Summary   string   // one line, as in the commit's subject
	Path      string   // the checkpoint's file, as a slash path from the repository's root
	Files     []string // every file that changed, likewise
	Unchanged bool     // nothing had to change: no commit
	DryRun    bool     // nothing was written
	Commit    string   // full hash; empty where there is none
	Detached  bool     // the commit is on no branch
	Pending   string   // why the change is safe and not committed; empty where it is committed
	Diff      string   // for a dry run, the change as a unified diff
	Remarks   []string // what the user should know besides
	Replaced  []Replaced

	Granted []Grant // of setup: what agents may run without asking

	Exploration *Exploration // of mark and rewind; else nil
	Resolution  *Resolution  // of resolve; else nil
}

// Grant is what one agent may run without asking after setup.
type Grant struct {
	Agent    string   // "claude"
	Path     string   // the file with the permissions
	Commands []string // of ckpt: "note"
	Tools    []string // of ckpt mcp
}

// Replaced is text of a section that a change took out of the file.
type Replaced struct {
	Section string // "current-state", as flags and JSON name it
	Title   string // "Current State"
	Lines   int    // how many lines are no longer in the file
	Actions int    // of Next Actions: how many open actions that is
	Show    string // the command that shows them; empty where nothing has kept them
}

// Committed says whether the change is in a commit.
func (r *Receipt) Committed() bool { return r.Commit != "" }

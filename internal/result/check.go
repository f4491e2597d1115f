package result

import "slices"

// Severity orders findings. An error is a violation of the format. A warning is about a defect
// that makes a checkpoint less useful. Advice is a rule of thumb.
type Severity int

// The severities, worst first.
const (
	Error Severity = iota
	Warning
	Advice
)

// String returns the name of the severity.
func (s Severity) String() string { return [...]string{"error", "warning", "advice"}[s] }

// MarshalText implements [encoding.TextMarshaler].
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Finding is one problem that a check found.
type Finding struct {
	Code     string   `json:"code"`             // a stable code: "CK101"
	Severity Severity `json:"severity"`         // error, warning or advice
	Path     string   `json:"path"`             // the file; in an answer, its path from the repository's root
	Line     int      `json:"line,omitempty"`   // the line, from 1; 0 if the finding concerns the whole file
	ID       string   `json:"id,omitempty"`     // the id of the checkpoint, if it is known
	Message  string   `json:"message"`          // what is wrong with which object
	Fix      string   `json:"fix,omitempty"`    // what to do
	Commit   string   `json:"commit,omitempty"` // the commit that added it, if history was checked
}

// Report has the findings of one check, in the order of files and lines.
type Report struct {
	Checked  int           `json:"checked"`           // the number of checked files
	Errors   int           `json:"errors"`            // the number of findings that are errors
	Warnings int           `json:"warnings"`          // the number of findings that are warnings
	Advice   int           `json:"advice"`            // the number of findings that are advice
	Findings List[Finding] `json:"findings"`          // the findings, in the order of files and lines
	Remarks  []string      `json:"remarks,omitempty"` // what could not be checked

	Counted string `json:"-"` // what Checked counts instead of files, such as "version"
}

func (r *Report) complete() {
	r.Errors = r.Count(Error)
	r.Warnings = r.Count(Warning)
	r.Advice = r.Count(Advice)
}

// Count returns the number of findings with severity s.
func (r *Report) Count(s Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// Diagnosis is the answer of `ckpt doctor`: facts about a repository, and its problems.
type Diagnosis struct {
	Healthy  bool          `json:"healthy"`  // no problem is left
	Facts    List[Fact]    `json:"facts"`    // facts about the repository
	Problems List[Problem] `json:"ailments"` // its problems
}

// Fact describes a part of the installation.
type Fact struct {
	Name  string `json:"name"`  // the name: "git"
	Value string `json:"value"` // its value
}

// Problem is a problem of the repository.
type Problem struct {
	Code  string `json:"code"`          // a stable code: "two-currents"
	What  string `json:"what"`          // what is wrong
	Fix   string `json:"fix,omitempty"` // what to do if doctor cannot fix it
	Fixed bool   `json:"mended"`        // doctor --fix has fixed it
}

// AddFact adds a fact, unless its value is empty.
func (d *Diagnosis) AddFact(name, value string) {
	if value != "" {
		d.Facts = append(d.Facts, Fact{name, value})
	}
}

// AddProblem adds a problem that is not fixed.
func (d *Diagnosis) AddProblem(code, what, fix string) {
	d.Problems = append(d.Problems, Problem{Code: code, What: what, Fix: fix})
}

func (d *Diagnosis) complete() { d.Healthy = d.Open() == 0 }

// Open returns the number of problems that are not fixed.
func (d *Diagnosis) Open() int {
	n := 0
	for _, a := range d.Problems {
		if !a.Fixed {
			n++
		}
	}
	return n
}

// Agents is the answer of `ckpt setup --list` and `--check`.
type Agents struct {
	All     bool        `json:"complete"` // at least one agent is set up, and nothing is missing
	Entries List[Agent] `json:"agents"`   // the agents
}

func (a *Agents) complete() {
	a.All = a.Complete()
	for i := range a.Entries {
		a.Entries[i].All = a.Entries[i].Complete()
	}
}

// Complete reports whether at least one agent is set up, and nothing is missing.
func (a *Agents) Complete() bool {
	return len(a.Entries) > 0 && !slices.ContainsFunc(a.Entries, func(e Agent) bool { return !e.Complete() })
}

// Agent is a coding agent in one scope.
type Agent struct {
	Name   string      `json:"name"` // as setup takes it: "claude"
	Title  string      `json:"title"`
	Scope  string      `json:"scope,omitempty"`  // "project", "user" or "local"; empty if it is not set up
	All    bool        `json:"complete"`         // it is set up, and nothing is missing
	Pieces List[Piece] `json:"pieces"`           // the parts of its setup
	Remark string      `json:"remark,omitempty"` // why there is nothing to set up
}

// Piece is one part of the setup of an agent.
type Piece struct {
	What  string `json:"what"`           // the name: "hooks"
	Path  string `json:"path"`           // the path from the repository's root, or an absolute path
	State string `json:"state"`          // present, edited, stale or absent
	Says  string `json:"says,omitempty"` // a remark about it
}

// Complete reports whether the agent is set up and each piece is present, or was edited by the
// user.
func (a *Agent) Complete() bool {
	return a.Scope != "" && !slices.ContainsFunc(a.Pieces, func(p Piece) bool {
		return p.State != "present" && p.State != "edited"
	})
}

// SetUp reports whether the agent calls ckpt: its first piece is not absent.
func (a *Agent) SetUp() bool { return len(a.Pieces) > 0 && a.Pieces[0].State != "absent" }

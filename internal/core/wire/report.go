package wire

import (
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/learnings"
	"example.com/ckpt/internal/core/result"
)

// Receipt is the answer of a command that changes something.
type Receipt struct {
	Head
	Op        string   `json:"op"`
	ID        string   `json:"id,omitempty"`
	Summary   string   `json:"summary"`
	Path      string   `json:"path,omitempty"`
	Files     []string `json:"files"`
	Unchanged bool     `json:"unchanged"`
	DryRun    bool     `json:"dry_run"`
	Committed bool     `json:"committed"`
	Commit    string   `json:"commit,omitempty"`
	Detached  bool     `json:"detached,omitempty"`
	Pending   string   `json:"pending,omitempty"`
	Diff      string   `json:"diff,omitempty"`
	Remarks   []string `json:"remarks,omitempty"`
	Details   *Details `json:"details,omitempty"` // of mark and rewind

	Resolved []Resolved `json:"resolved,omitempty"` // of resolve
	Replaced []Replaced `json:"replaced,omitempty"`
	Granted  []Grant    `json:"granted,omitempty"` // of setup
}

// Grant is what one agent may run without asking.
type Grant struct {
	Agent    string   `json:"agent"`
	Path     string   `json:"path"`
	Commands []string `json:"commands"`
	Tools    []string `json:"tools,omitempty"`
}

// Replaced is text of a section that a change took out of the file.
type Replaced struct {
	Section string `json:"section"`
	Lines   int    `json:"lines"`
	Actions int    `json:"actions,omitempty"` // of next-actions: how many open ones
	Show    string `json:"show,omitempty"`    // the command that shows them
}

// FromReceipt is the answer that holds a receipt.
func FromReceipt(r *result.Receipt) Receipt {
	return Receipt{
		head("receipt"), r.Op, r.ID, r.Summary, r.Path, list(r.Files), r.Unchanged, r.DryRun,
		r.Committed(), r.Commit, r.Detached, r.Pending, r.Diff, r.Remarks, details(r.Exploration),
		resolved(r.Resolution), replaced(r.Replaced), granted(r.Granted),
	}
}

func granted(all []result.Grant) []Grant {
	var w []Grant
	for _, g := range all {
		w = append(w, Grant(g))
	}
	return w
}

func replaced(all []result.Replaced) []Replaced {
	var w []Replaced
	for _, r := range all {
		w = append(w, Replaced{r.Section, r.Lines, r.Actions, r.Show})
	}
	return w
}

// Overview is the answer of status and list.
type Overview struct {
	Head
	Current     string   `json:"current,omitempty"`
	Checkpoints []Entry  `json:"checkpoints"`
	Warnings    []string `json:"warnings,omitempty"`
	Others      *Others  `json:"other_branches,omitempty"` // what is on other branches only
}

// Others counts what is on other branches only.
type Others struct {
	Checkpoints int `json:"checkpoints"`
	Learnings   int `json:"learnings"`
	Unread      int `json:"branches_not_read,omitempty"`
}

func othersOf(o *result.Overview) *Others {
	if o.Others == (result.Others{}) {
		return nil
	}
	return &Others{o.Others.Checkpoints, o.Others.Learnings, o.Others.Unread}
}

// Entry is one checkpoint of an overview.
type Entry struct {
	ID         string `json:"id"`
	Path       string `json:"path"`
	Status     string `json:"status"`
	Problem    string `json:"problem,omitempty"`
	Next       string `json:"next,omitempty"`
	Outcome    string `json:"outcome,omitempty"`
	Parent     string `json:"parent,omitempty"`
	Anchor     string `json:"anchor,omitempty"`
	Created    string `json:"created,omitempty"`
	Changed    string `json:"changed,omitempty"`
	Deltas     int    `json:"deltas"`
	Edited     bool   `json:"edited,omitempty"`
	Unreadable string `json:"unreadable,omitempty"`
	Mark       *Mark  `json:"mark,omitempty"` // an exploration under way
	Run
	Unfinished string `json:"unfinished,omitempty"` // why its run is not complete: status --incomplete

	Branches []string `json:"branches,omitempty"` // that have it, where the one checked out lacks it
	Worktree string   `json:"worktree,omitempty"` // the folder that has the first of them checked out
	NewerOn  []string `json:"newer_on,omitempty"` // branches that have a newer version of one that is here
}

// Run is what run of what a checkpoint belongs to.
type Run struct {
	Name     string `json:"name,omitempty"`
	Workflow string `json:"workflow,omitempty"`
	Phase    string `json:"phase,omitempty"`
	Step     string `json:"step,omitempty"`
	Agent    string `json:"agent,omitempty"`
	Session  string `json:"session,omitempty"`
	Trigger  string `json:"trigger,omitempty"`
	Progress string `json:"progress,omitempty"`
}

// FromOverview is the answer of kind "status" or "list".
func FromOverview(kind string, o *result.Overview) Overview {
	w := Overview{head(kind), currentOf(o), make([]Entry, 0, len(o.Entries)), o.Warnings, othersOf(o)}
	for _, e := range o.Entries {
		w.Checkpoints = append(w.Checkpoints, Entry{
			e.ID, e.Path, e.Status, e.Problem, e.Next, e.Outcome, e.Parent, e.Anchor,
			stamp(e.Created), stamp(e.Changed), e.Deltas, e.Edited, e.Unreadable, markOf(e), Run(e.Run), e.Unfinished,
			branchesOf(e.On), worktreeOf(e.On), branchesOf(e.Newer),
		})
	}
	return w
}

// currentOf is the id of the current checkpoint of an overview, "" for none.
func currentOf(o *result.Overview) string {
	for _, e := range o.Entries {
		if e.Status == string(checkpoint.Current) && e.On == nil {
			return e.ID
		}
	}
	return ""
}

func branchesOf(l *result.Location) []string {
	if l == nil {
		return nil
	}
	return l.Branches
}

func worktreeOf(l *result.Location) string {
	if l == nil {
		return ""
	}
	return l.Worktree
}

func markOf(e *result.Entry) *Mark {
	if e.Marked.IsZero() {
		return nil
	}
	return &Mark{e.Goal, stamp(e.Marked)}
}

// Report is the answer of a check.
type Report struct {
	Head
	Checked  int       `json:"checked"`
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Advice   int       `json:"advice"`
	Findings []Finding `json:"findings"`
	Remarks  []string  `json:"remarks,omitempty"`
}

// Finding is one thing that a check found.
type Finding struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Path     string `json:"path"`
	Line     int    `json:"line,omitempty"`
	ID       string `json:"id,omitempty"`
	Message  string `json:"message"`
	Fix      string `json:"fix,omitempty"`
	Commit   string `json:"commit,omitempty"`
}

// FromReport is the answer that holds the findings of a check.
func FromReport(r *result.Report) Report {
	return Report{head("report"), r.Checked, r.Count(result.Error), r.Count(result.Warning), r.Count(result.Advice), findings(r.Findings), r.Remarks}
}

func findings(all []result.Finding) []Finding {
	w := []Finding{}
	for _, f := range all {
		w = append(w, Finding{f.Code, f.Severity.String(), f.Path, f.Line, f.ID, f.Message, f.Fix, f.Commit})
	}
	return w
}

// Learnings is the answer of `ckpt learnings`.
type Learnings struct {
	Head
	Learnings []Learning `json:"learnings"`
}

// Learning is one learning.
type Learning struct {
	Date string `json:"date,omitempty"`
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`

	Branches []string `json:"branches,omitempty"` // that have it, where the one checked out lacks it
}

// FromLearnings is the answer that holds learnings.
func FromLearnings(learnings []learnings.Learning) Learnings {
	w := Learnings{head("learnings"), []Learning{}}
	for _, l := range learnings {
		w.Learnings = append(w.Learnings, Learning{l.Date, l.ID, l.Text, l.On})
	}
	return w
}

// list is a slice that JSON writes as [] where it is nil.
func list(all []string) []string {
	if all == nil {
		return []string{}
	}
	return all
}

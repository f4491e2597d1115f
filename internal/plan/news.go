package plan

import "time"

// News is something that happened while a plan was run.
type News struct {
	Kind    NewsKind
	ID      string    // the checkpoint of the run
	File    string    // the plan file
	Done    int       // how many steps are completed or skipped
	Total   int       // how many there are
	Step    *Step     // which one it is about; nil for the run
	Number  int       // of the step, from 1
	Attempt int       // from 1
	Result  Result    // of a step that has ended
	Text    string    // of a note
	Commit  string    // that records it
	Pending string    // why it is in no commit
	Running []Ongoing // the steps that run
	Took    time.Duration
	Err     string // why the run ended before it was complete
}

// Ongoing is a step that runs.
type Ongoing struct {
	Number int
	Title  string
	For    time.Duration
}

// NewsKind is a kind of news.
type NewsKind string

// The kinds.
const (
	RunBegun   NewsKind = "begun"    // the checkpoint of the run was made
	RunResumed NewsKind = "resumed"  // a run goes on
	RunNote    NewsKind = "note"     // something to know
	StepBegun  NewsKind = "started"  // a step was started
	StepAgain  NewsKind = "retry"    // it failed and is tried again
	StepEnded  NewsKind = "ended"    // it is completed or has failed, and that is on record
	Still      NewsKind = "running"  // time passes
	WouldRun   NewsKind = "would"    // a dry run: this step would be run
	RunEnded   NewsKind = "finished" // nothing more comes
)

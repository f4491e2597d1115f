package planner

import (
	"encoding/json"
	"path/filepath"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
)

// PlanNote is what a running plan notes in the git folder, for the process that comes
// after it if it is killed: which steps were running, and which had ended and were
// not on record yet. It is this working tree's own and no history.
type PlanNote struct {
	Begun   time.Time              // of the run that it is about
	Running map[string]int         // steps that run, or were about to, and their process groups
	Ended   map[string]plan.Result // steps that have ended and are not on record
}

// PlanFolder holds the files about a run; an id is a name of a folder, too.
func (p *Planner) PlanFolder(id string) string {
	return filepath.Join(p.Repo.JournalDir(), "plans", id)
}

func (p *Planner) planFile(id, name string) string { return filepath.Join(p.PlanFolder(id), name) }

// PlanLock is the file that whoever runs a plan holds locked.
func (p *Planner) PlanLock(id string) string { return p.planFile(id, "lock") }

// PlanSteps is the file that every step that runs holds open and locked.
func (p *Planner) PlanSteps(id string) string { return p.planFile(id, "steps") }

// PlanNote is what was noted of a run; empty where nothing was, or of another run.
func (p *Planner) PlanNote(run *plan.Run) (PlanNote, error) {
	note := PlanNote{Begun: run.Begun, Running: map[string]int{}, Ended: map[string]plan.Result{}}
	src, err := disk.ReadFile(p.planFile(run.ID, "note.json"))
	if err != nil || src == nil {
		return note, err
	}
	var was PlanNote
	if json.Unmarshal(src, &was) != nil || !was.Begun.Equal(run.Begun.Truncate(time.Second)) {
		return note, nil // of a run that is no more, or half written when the power went
	}
	for step, group := range was.Running {
		note.Running[step] = group
	}
	for step, res := range was.Ended {
		note.Ended[step] = res
	}
	return note, nil
}

// WritePlanNote notes it; an empty one is removed.
func (p *Planner) WritePlanNote(id string, note PlanNote) error {
	if len(note.Running)+len(note.Ended) == 0 {
		return disk.Remove(p.planFile(id, "note.json"))
	}
	note.Begun = note.Begun.Truncate(time.Second).UTC()
	src, err := json.Marshal(note)
	if err != nil {
		return fault.New(fault.Failed, "note what runs: %w", err)
	}
	return disk.WriteFile(p.planFile(id, "note.json"), src, false)
}

// PlanPath is a plan file that a person typed as a run names it: a slash path from the
// repository's root, or a whole one where it is outside.
func (p *Planner) PlanPath(typed string) string {
	name := typed
	if !filepath.IsAbs(name) {
		name = "./" + name
	}
	if inside := p.FromHere(name); inside != name {
		return inside
	}
	full, err := filepath.Abs(filepath.Join(p.Dir, typed))
	if err != nil || filepath.IsAbs(typed) {
		full = typed
	}
	return filepath.ToSlash(full)
}

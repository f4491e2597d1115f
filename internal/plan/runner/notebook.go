package runner

import (
	"sync"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
	"example.com/ckpt/internal/workspace"
)

// notebook is what a run notes in the git folder. A step writes down itself that it is
// completed, so that it need not wait while the end of another one is recorded.
type notebook struct {
	p  *workspace.Workspace
	id string // of the run

	mu   sync.Mutex
	note planner.PlanNote
}

// openNotebook reads what was noted of a run, and takes away what a kill has left half
// written. The caller holds the lock of the run.
func openNotebook(p *workspace.Workspace, at *plan.Run) (*notebook, error) {
	disk.Sweep(planner.New(p).PlanFolder(at.ID))
	note, err := planner.New(p).PlanNote(at)
	return &notebook{p: p, id: at.ID, note: note}, err
}

// running notes that a step is about to run, in a process group.
func (b *notebook) running(step string, group int) error {
	return b.change(func(n *planner.PlanNote) { n.Running[step] = group })
}

// ended notes that a step has ended, for the case that it cannot be recorded.
func (b *notebook) ended(step string, res plan.Result) error {
	return b.change(func(n *planner.PlanNote) {
		delete(n.Running, step)
		n.Ended[step] = res
	})
}

// recorded forgets a step: its end is on record, which is what counts if this fails.
func (b *notebook) recorded(step string) {
	_ = b.change(func(n *planner.PlanNote) { delete(n.Ended, step) })
}

// clean forgets all.
func (b *notebook) clean() error {
	return b.change(func(n *planner.PlanNote) {
		clear(n.Running)
		clear(n.Ended)
	})
}

func (b *notebook) change(edit func(*planner.PlanNote)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	edit(&b.note)
	return planner.New(b.p).WritePlanNote(b.id, b.note)
}

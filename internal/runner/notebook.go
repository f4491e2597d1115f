package runner

import (
	"sync"

	"example.com/ckpt/internal/core/plan"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/project"
)

// notebook is what a run notes in the git folder. A step writes down itself that it is
// completed, so that it need not wait while the end of another one is recorded.
type notebook struct {
	p  *project.Project
	id string // of the run

	mu   sync.Mutex
	note project.PlanNote
}

// openNotebook reads what was noted of a run, and takes away what a kill has left half
// written. The caller holds the lock of the run.
func openNotebook(p *project.Project, at *plan.Run) (*notebook, error) {
	disk.Sweep(p.PlanFolder(at.ID))
	note, err := p.PlanNote(at)
	return &notebook{p: p, id: at.ID, note: note}, err
}

// running notes that a step is about to run, in a process group.
func (b *notebook) running(step string, group int) error {
	return b.change(func(n *project.PlanNote) { n.Running[step] = group })
}

// ended notes that a step has ended, for the case that it cannot be recorded.
func (b *notebook) ended(step string, res plan.Result) error {
	return b.change(func(n *project.PlanNote) {
		delete(n.Running, step)
		n.Ended[step] = res
	})
}

// recorded forgets a step: its end is on record, which is what counts if this fails.
func (b *notebook) recorded(step string) {
	_ = b.change(func(n *project.PlanNote) { delete(n.Ended, step) })
}

// clean forgets all.
func (b *notebook) clean() error {
	return b.change(func(n *project.PlanNote) {
		clear(n.Running)
		clear(n.Ended)
	})
}

func (b *notebook) change(edit func(*project.PlanNote)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	edit(&b.note)
	return b.p.WritePlanNote(b.id, b.note)
}

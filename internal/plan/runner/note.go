package runner

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"sync"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
)

// note is the state of a run that its checkpoint does not have yet: the running steps, and the
// results that are not recorded. It is a file in the git folder, so that the next run finds it if
// ckpt is killed. The end of a step is written to it at once, even while another step is being
// recorded.
type note struct {
	Begun   time.Time              // the beginning of the run: the note of an earlier run is ignored
	Running map[string]int         // the process groups of steps
	Ended   map[string]plan.Result // the results of steps that are not recorded

	file string
	mu   sync.Mutex
}

// readNote reads the note of a run in a folder.
func readNote(dir string, run *plan.Run) (*note, error) {
	n := &note{
		Begun:   run.Begun.Truncate(time.Second).UTC(),
		Running: map[string]int{},
		Ended:   map[string]plan.Result{},
		file:    filepath.Join(dir, "note.json"),
	}
	src, err := disk.ReadFile(n.file)
	if err != nil || src == nil {
		return n, err
	}
	var was note
	// Otherwise it is incomplete, or belongs to another run.
	if json.Unmarshal(src, &was) == nil && was.Begun.Equal(n.Begun) {
		maps.Copy(n.Running, was.Running)
		maps.Copy(n.Ended, was.Ended)
	}
	return n, nil
}

// running writes to the note that a step is about to run in a process group.
func (n *note) running(step string, group int) error {
	return n.change(func() { n.Running[step] = group })
}

// ended writes the result of a step to the note.
func (n *note) ended(step string, res plan.Result) error {
	return n.change(func() {
		delete(n.Running, step)
		n.Ended[step] = res
	})
}

// recorded removes a step from the note after its end is recorded. An error is ignored, since the
// checkpoint has the result.
func (n *note) recorded(step string) {
	_ = n.change(func() { delete(n.Ended, step) })
}

// clear removes all steps from the note.
func (n *note) clear() error {
	return n.change(func() {
		clear(n.Running)
		clear(n.Ended)
	})
}

func (n *note) change(edit func()) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	edit()
	if len(n.Running)+len(n.Ended) == 0 {
		return disk.Remove(n.file)
	}
	src, err := json.Marshal(n)
	if err != nil {
		return fault.New(fault.Failed, "note the running steps: %w", err)
	}
	return disk.WriteFile(n.file, src, false)
}

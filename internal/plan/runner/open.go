package runner

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
)

// lock keeps a second ckpt from working on the run. It also shows whether steps of a killed ckpt
// are still running.
type lock struct {
	run   *disk.Lock
	steps *os.File // inherited by every step; nil on a system without such locks
}

// open finds or begins the run, takes its lock, and recovers what a killed ckpt has left.
func (r *run) open(ctx context.Context) error {
	at, err := r.records.Find(ctx, r.of)
	if err != nil {
		return err
	}
	if err := r.checkWaiting(at); err != nil {
		return err
	}
	found := at != nil
	if !found {
		at, err = r.begin(ctx, false)
		if err != nil {
			return err
		}
	}
	r.at = at
	if err := r.acquire(ctx); err != nil {
		return err
	}
	err = r.prepare(ctx, found)
	if err != nil {
		r.close()
	}
	return err
}

// prepare prepares the run and its note for the first step.
func (r *run) prepare(ctx context.Context, found bool) error {
	var err error
	if found && !r.options.Restart {
		return r.resume(ctx)
	}
	if found {
		r.at, err = r.begin(ctx, true)
		if err != nil {
			return err
		}
	}
	err = r.openNote()
	if err == nil && found {
		err = r.note.clear()
	}
	return err
}

// openNote reads the note of the run, and removes temporary files that a killed ckpt left.
func (r *run) openNote() error {
	_ = disk.Sweep(r.dir())
	var err error
	r.note, err = readNote(r.dir(), r.at)
	return err
}

// dir returns the folder with the files of the run.
func (r *run) dir() string { return filepath.Join(r.state, r.at.ID) }

func (r *run) close() {
	disk.Release(r.lock.steps) // also releases it for a server that a step has started on purpose
	if r.lock.run != nil {
		r.lock.run.Unlock()
	}
}

// checkWaiting refuses a run whose first step is for an agent or a person, so that nothing is
// written.
func (r *run) checkWaiting(at *plan.Run) error {
	if at == nil || r.options.Restart {
		at = plan.Begin(r.of, time.Time{})
	}
	r.at, _ = at.Adopt(r.of)
	r.over = done(r.at)
	if r.next() >= 0 || r.at.Complete() {
		return nil
	}
	return r.byHand()
}

func (r *run) begin(ctx context.Context, restart bool) (*plan.Run, error) {
	receipt, at, err := r.records.Begin(ctx, planner.BeginRequest{Plan: r.of, Restart: restart})
	if err != nil {
		return nil, err
	}
	r.at = at
	r.news(plan.News{Kind: plan.RunBegun, Commit: receipt.Commit, Pending: receipt.Pending})
	return at, nil
}

// acquire takes the lock of the run, and that of its steps.
func (r *run) acquire(ctx context.Context) error {
	held, err := disk.Acquire(ctx, filepath.Join(r.dir(), "lock"), disk.Exclusive, 0)
	if fault.KindOf(err) == fault.Busy {
		return fault.New(fault.Busy, "another ckpt is running this plan: %s", r.at.ID).WithHint("try again when it has ended")
	}
	if err != nil {
		return err
	}
	r.lock.run = held
	r.lock.steps, err = r.acquireSteps(ctx)
	if err != nil {
		r.close()
	}
	return err
}

// acquireSteps takes the lock that steps inherit. If a process has it, ckpt was killed and a step
// may still run: acquireSteps ends the groups of the steps in the note. A process that still has
// the lock after that has left the group of its step on purpose, as a server does: it continues to
// run, and the steps of this run get a new file.
func (r *run) acquireSteps(ctx context.Context) (*os.File, error) {
	file := filepath.Join(r.dir(), "steps")
	f, err := disk.Inheritable(file)
	if fault.KindOf(err) != fault.Busy {
		return f, err
	}
	left, err := readNote(r.dir(), r.at)
	if err != nil {
		return nil, err
	}
	for _, step := range slices.Sorted(maps.Keys(left.Running)) {
		r.say("step %s of the run that was killed still runs: it is ended", step)
		endGroup(left.Running[step], patience)
	}
	for end := time.Now().Add(patience); ctx.Err() == nil && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		f, err := disk.Inheritable(file)
		if fault.KindOf(err) != fault.Busy {
			return f, err
		}
	}
	if ctx.Err() != nil {
		return nil, fault.New(fault.Busy, "a program that a killed run of %s has started still runs", r.at.ID).
			WithHint("try again")
	}
	r.say("a program that the killed run has started in the background still runs")
	if err := disk.Remove(file); err != nil {
		return nil, err
	}
	return disk.Inheritable(file)
}

// resume continues an earlier run: it adopts changes of the plan, records the ends that a killed
// ckpt could not record, and reports which steps run again.
func (r *run) resume(ctx context.Context) error {
	changes, err := r.records.Adopt(ctx, r.at.ID, r.of)
	if err != nil {
		return err
	}
	id := r.at.ID
	r.at, err = r.records.Find(ctx, r.of)
	if err == nil && r.at == nil {
		err = fault.New(fault.NotFound, "%s is gone", id).WithHint("ckpt undelete %s, or ckpt plan run %s", id, r.of.File)
	}
	if err != nil {
		return err
	}
	if err := r.openNote(); err != nil {
		return err
	}
	for _, text := range changes {
		r.say("%s", text)
	}
	interrupted := maps.Clone(r.note.Running)
	for i := range r.of.Steps {
		s := &r.of.Steps[i]
		row, _ := r.at.Find(s.ID)
		res, ended := r.note.Ended[s.ID]
		// The step is done, or an undo reverted a step that it depends on.
		if !ended || row.Status.Done() || len(r.at.Waits(row)) > 0 {
			continue
		}
		r.say("step %s had %s when the last run ended and was not on record", s.ID, res.Status)
		r.results = map[int]plan.Result{i: res}
		if err := r.recordEnd(i); err != nil {
			return err
		}
	}
	for i := range r.at.Steps {
		row := &r.at.Steps[i]
		_, ran := interrupted[row.ID]
		switch {
		case row.Status.Done():
		case ran:
			r.say("step %d was running when the last run ended: it is run again", i+1)
		case row.Status == plan.Running:
			r.say("step %d was begun by hand, and its result was not recorded: it is run", i+1)
		}
	}
	if err := r.note.clear(); err != nil {
		return err
	}
	first := slices.IndexFunc(r.at.Steps, func(row plan.Row) bool { return !row.Status.Done() })
	if first >= 0 {
		r.news(plan.News{Kind: plan.RunResumed, Number: first + 1, Step: &r.of.Steps[first]})
	}
	return nil
}

// rehearse reports which steps would run, and changes nothing.
func (r *run) rehearse(ctx context.Context) error {
	at, err := r.records.Find(ctx, r.of)
	if err != nil {
		return err
	}
	if at == nil || r.options.Restart {
		at = plan.Begin(r.of, time.Time{})
	}
	var changes []string
	r.at, changes = at.Adopt(r.of)
	for _, text := range changes {
		r.say("%s", text)
	}
	r.over = done(r.at)
	for i := r.next(); i >= 0; i = r.next() {
		r.news(plan.News{Kind: plan.WouldRun, Step: &r.of.Steps[i], Number: i + 1})
		r.at.Steps[i].Status, r.over[i] = plan.Completed, true
	}
	if r.at.Complete() {
		return nil
	}
	return r.byHand()
}

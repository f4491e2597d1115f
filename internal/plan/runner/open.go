package runner

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
)

// lock prevents two processes from working on the same run. It also prevents a run from starting
// while a step of a killed ckpt still runs.
type lock struct {
	run   *disk.Lock
	steps *os.File // every step inherits this lock; nil on a system without such locks
}

// open finds or begins the run, and takes its locks.
func (r *run) open(ctx context.Context) error {
	at, err := r.records.Find(ctx, r.of)
	if err != nil {
		return err
	}
	r.foresee(at)
	if r.next() < 0 && !r.at.Complete() {
		return r.byHand() // nothing has been written yet
	}
	found := at != nil
	if found {
		r.at = at
	} else if err := r.begin(ctx, false); err != nil {
		return err
	}
	if err := r.acquire(ctx); err != nil {
		return err
	}
	switch {
	case !found:
	case r.options.Restart:
		err = r.begin(ctx, true)
	default:
		err = r.resume(ctx)
	}
	if err != nil {
		r.close()
	}
	return err
}

// dir returns the folder with the files of the run.
func (r *run) dir() string { return filepath.Join(r.state, r.at.ID) }

func (r *run) close() {
	disk.Release(r.lock.steps) // else a server that a step has started would keep the lock
	if r.lock.run != nil {
		r.lock.run.Unlock()
	}
}

// foresee sets r.at to the state in which the run would begin, and returns the changes of the plan. At is
// an earlier run, or nil.
func (r *run) foresee(at *plan.Run) (changes []string) {
	if at == nil || r.options.Restart {
		at = plan.Begin(r.of, time.Time{})
	}
	r.at, changes = at.Adopt(r.of)
	r.over = done(r.at)
	return changes
}

func (r *run) begin(ctx context.Context, restart bool) error {
	receipt, at, err := r.records.Begin(ctx, planner.BeginRequest{Plan: r.of, Restart: restart})
	if err != nil {
		return err
	}
	r.at = at
	r.news(plan.News{Kind: plan.RunBegun, Commit: receipt.Commit, Pending: receipt.Pending})
	return nil
}

// acquire takes both locks of the run.
func (r *run) acquire(ctx context.Context) error {
	held, err := disk.Acquire(ctx, filepath.Join(r.dir(), "lock"), disk.Exclusive, 0)
	if fault.KindOf(err) == fault.Busy {
		return fault.New(fault.Busy, "another ckpt is running this plan: %s", r.at.ID).WithHint("try again when it has ended")
	}
	if err != nil {
		return err
	}
	r.lock.run = held
	steps := filepath.Join(r.dir(), "steps")
	r.lock.steps, err = disk.Inheritable(steps)
	if fault.KindOf(err) == fault.Busy {
		err = fault.New(fault.Busy, "a step of a killed run of %s still runs", r.at.ID).
			WithHint("wait until it has ended, or end it: fuser -k %q", steps)
	}
	if err != nil {
		r.close()
	}
	return err
}

// resume continues an earlier run. It adopts and reports the changes of the plan.
func (r *run) resume(ctx context.Context) error {
	at, changes, err := r.records.Adopt(ctx, r.at.ID, r.of)
	if err != nil {
		return err
	}
	r.at = at
	for _, text := range changes {
		r.say("%s", text)
	}
	for i, row := range r.at.Steps {
		if row.Status == plan.Running && r.of.Steps[i].Runs() {
			r.say("step %d was begun by hand, and its result was not recorded: it is run", i+1)
		}
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
	for _, text := range r.foresee(at) {
		r.say("%s", text)
	}
	for i := r.next(); i >= 0; i = r.next() {
		r.news(plan.News{Kind: plan.WouldRun, Step: &r.of.Steps[i], Number: i + 1})
		r.at.Steps[i].Status, r.over[i] = plan.Completed, true
	}
	if r.at.Complete() {
		return nil
	}
	return r.byHand()
}

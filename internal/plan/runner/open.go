package runner

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
)

// lock keeps a second runner away from a run, and knows whether steps outlive one.
type lock struct {
	held  *disk.Lock
	steps *os.File // held by every step that runs; nil where that is not known
}

// open finds the run, or begins it, takes its lock, and settles what a killed one has
// left behind.
func (r *run) open(ctx context.Context) error {
	at, err := planner.New(r.p).PlanRun(ctx, r.of)
	if err != nil {
		return err
	}
	if err := r.waits(at); err != nil {
		return err
	}
	fresh := at == nil
	if fresh {
		if at, err = r.begin(ctx, planner.Resume); err != nil {
			return err
		}
	}
	r.at = at
	if err := r.take(ctx); err != nil {
		return err
	}
	switch {
	case r.o.Mode == planner.Restart && !fresh:
		if r.at, err = r.begin(ctx, planner.Restart); err == nil {
			if r.note, err = openNotebook(r.p, r.at); err == nil {
				err = r.note.clean()
			}
		}
	case fresh:
		r.note, err = openNotebook(r.p, r.at)
	default:
		err = r.resume(ctx)
	}
	if err != nil {
		r.close()
		return err
	}
	return nil
}

func (r *run) close() {
	disk.Release(r.lock.steps) // a server that a step has left running on purpose may hold it
	if r.lock.held != nil {
		r.lock.held.Unlock()
	}
}

// waits says whether a step for an agent or a person is to be done before anything can be
// run: then nothing is written.
func (r *run) waits(at *plan.Run) error {
	if at == nil || r.o.Mode == planner.Restart {
		at = plan.Begin(r.of, time.Time{})
	}
	if _, todo := plan.NewState(r.of, at, 1).Next(plan.Event{Kind: plan.Begun}); todo[0].End == plan.Waiting {
		return r.byHand(todo[0].Step)
	}
	return nil
}

// byHand is the end of a run that waits for a step without a command.
func (r *run) byHand(step int) error {
	id := r.of.Steps[step].ID
	return fault.New(fault.Usage, "step %s of %s has no action: it is for an agent or a person", id, r.of.File).
		WithHint("ckpt plan start %s --plan %s, and when it is done ckpt plan done %s --plan %s; then ckpt plan run %s", id, r.of.File, id, r.of.File, r.of.File)
}

func (r *run) begin(ctx context.Context, mode planner.PlanMode) (*plan.Run, error) {
	receipt, at, err := planner.New(r.p).PlanBegin(ctx, planner.PlanRequest{Plan: r.of, Mode: mode})
	if err != nil {
		return nil, err
	}
	r.at = at
	r.news(plan.News{Kind: plan.RunBegun, Commit: receipt.Commit, Pending: receipt.Pending})
	return at, nil
}

// take takes the lock of the run. Where a runner was killed, steps of it may still run:
// they are ended first.
func (r *run) take(ctx context.Context) error {
	held, err := disk.Acquire(ctx, planner.New(r.p).PlanLock(r.at.ID), disk.Exclusive, 0)
	if fault.KindOf(err) == fault.Busy {
		return fault.New(fault.Busy, "another ckpt is running this plan: %s", r.at.ID).WithHint("try again when it has ended")
	}
	if err != nil {
		return err
	}
	r.lock.held = held
	if r.lock.steps, err = r.alone(ctx); err != nil {
		r.close()
	}
	return err
}

// alone ends what is left of the steps of a killed runner, and gives what the steps of
// this one are to hold. What has left the process group of its step is a server, which
// may stay.
func (r *run) alone(ctx context.Context) (*os.File, error) {
	file := planner.New(r.p).PlanSteps(r.at.ID)
	f, err := disk.Inheritable(file)
	if err == nil || fault.KindOf(err) != fault.Busy {
		return f, err
	}
	note, err := planner.New(r.p).PlanNote(r.at)
	if err != nil {
		return nil, err
	}
	for _, step := range slices.Sorted(maps.Keys(note.Running)) {
		r.say("step %s of the run that was killed still runs: it is ended", step)
		endGroup(note.Running[step], patience)
	}
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		f, err := disk.Inheritable(file)
		if err == nil || fault.KindOf(err) != fault.Busy {
			return f, err
		}
		if ctx.Err() != nil || time.Now().After(end) {
			break
		}
	}
	if len(note.Running) == 0 || ctx.Err() != nil {
		return nil, fault.New(fault.Busy, "a program that a killed run of %s has started still runs", r.at.ID).WithHint("end it, then try again: it holds %s open", file)
	}
	r.say("a program that the killed run has started in the background still runs")
	if err := disk.Remove(file); err != nil {
		return nil, err
	}
	return disk.Inheritable(file)
}

// resume brings a run that is there to where it can go on, and says what is so.
func (r *run) resume(ctx context.Context) error {
	began := time.Now()
	said, err := planner.New(r.p).PlanAdopt(ctx, r.at.ID, r.of)
	if err != nil {
		return err
	}
	id := r.at.ID
	if r.at, err = planner.New(r.p).PlanRun(ctx, r.of); err == nil && r.at == nil {
		err = fault.New(fault.NotFound, "%s is gone", id).WithHint("ckpt undelete %s, or ckpt plan run %s", id, r.of.File)
	}
	if err != nil {
		return err
	}
	if r.note, err = openNotebook(r.p, r.at); err != nil {
		return err
	}
	was := r.note.note
	for _, text := range said {
		r.say("%s", text)
	}
	for i := range r.of.Steps { // what has ended and is not on record
		s := &r.of.Steps[i]
		res, ended := was.Ended[s.ID]
		if row, _ := r.at.Find(s.ID); !ended || row.Status.Done() {
			continue
		}
		if len(r.at.Waits(mustFind(r.at, s.ID))) > 0 {
			continue // undone meanwhile: it is run in its turn
		}
		r.say("step %s had %s when the last run ended and was not on record", s.ID, res.Status)
		r.results = map[int]plan.Result{i: res}
		if err := r.record(i); err != nil {
			return err
		}
	}
	for i := range r.at.Steps {
		row := &r.at.Steps[i]
		switch _, noted := was.Running[row.ID]; {
		case row.Status.Done():
		case noted:
			r.say("step %d was running when the last run ended: it is run again", i+1)
		case row.Status == plan.Running:
			r.say("step %d was begun by hand, and nobody has said how it ended: it is run", i+1)
		}
	}
	if err := r.note.clean(); err != nil {
		return err
	}
	if ready := r.at.Ready(); len(ready) > 0 || !r.at.Complete() {
		n := plan.News{Kind: plan.RunResumed, Number: firstOpen(r.at)}
		n.Step = &r.of.Steps[n.Number-1]
		planner.New(r.p).PlanResumed(r.at, began)
		r.news(n)
	}
	return nil
}

func mustFind(at *plan.Run, id string) *plan.Row {
	row, _ := at.Find(id)
	return row
}

// firstOpen is the number of the first step that is not done.
func firstOpen(at *plan.Run) int {
	return 1 + slices.IndexFunc(at.Steps, func(s plan.Row) bool { return !s.Status.Done() })
}

// rehearse says what would be run, and changes nothing.
func (r *run) rehearse(ctx context.Context) error {
	at, err := planner.New(r.p).PlanRun(ctx, r.of)
	if err != nil {
		return err
	}
	if at == nil || r.o.Mode == planner.Restart {
		at = plan.Begin(r.of, time.Time{})
	}
	at, said := at.Adopt(r.of)
	r.at = at
	for _, text := range said {
		r.say("%s", text)
	}
	for state, todo := plan.NewState(r.of, at, 1).Next(plan.Event{Kind: plan.Begun}); ; {
		next := plan.Event{}
		for _, a := range todo {
			if a.End == plan.Waiting {
				return r.byHand(a.Step)
			}
			if a.Kind == plan.Finish {
				return nil
			}
			if a.Kind == plan.Start {
				r.news(plan.News{Kind: plan.WouldRun, Step: &r.of.Steps[a.Step], Number: a.Step + 1})
				next = plan.Event{Kind: plan.StepSucceeded, Step: a.Step}
			}
		}
		state, todo = state.Next(next)
	}
}

func (r *run) say(format string, args ...any) {
	r.news(plan.News{Kind: plan.RunNote, Text: fmt.Sprintf(format, args...)})
}

// news tells something, with where the run stands.
func (r *run) news(n plan.News) {
	n.File = r.of.File
	n.Total = len(r.of.Steps)
	if r.at != nil {
		n.ID, n.Done = r.at.ID, r.at.Done()
	}
	r.tell(n)
}

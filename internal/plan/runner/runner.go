// Package runner runs the steps of a plan as child processes. It records the end of each step
// before it starts steps that depend on it.
//
// The package promises that a step that is recorded as completed never runs again, even if ckpt is killed at any
// moment, and that no step runs twice at the same time. Two locks in the git folder ensure the latter. One lock
// keeps a second ckpt from running the same plan. Each step inherits the other lock: if ckpt was killed and a step
// still runs, the next run refuses to start.
package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
)

// Options are the options of a run.
type Options struct {
	Jobs    int      // the number of steps that may run at once; at least 1
	Restart bool     // begin again: no step counts as done
	Env     []string // the environment of the steps
}

// Run runs a plan until it is complete, a step fails, or ctx ends, and reports the events to tell. It continues an
// earlier run if there is one. If a step fails, Run returns an error of kind fault.Failed.
func Run(ctx context.Context, w *workspace.Workspace, of *plan.Plan, o Options, tell func(plan.News)) error {
	r := &run{
		of:      of,
		options: o,
		tell:    tell,
		records: planner.New(w),
		reopen: func(ctx context.Context) (records, error) {
			w, err := workspace.Open(ctx, w.Settings)
			if err != nil {
				return nil, err
			}
			return planner.New(w), nil
		},
		now:    w.Now,
		root:   w.Repo.Root(),
		folder: w.Prefix,
		state:  filepath.Join(w.Repo.StateDir(), "plans"),
	}
	if w.DryRun {
		return r.rehearse(ctx)
	}
	return r.run(ctx)
}

// records stores the progress of a run in its checkpoint; see [planner.Planner].
type records interface {
	Find(ctx context.Context, of *plan.Plan) (*plan.Run, error)
	Begin(ctx context.Context, req planner.BeginRequest) (*result.Receipt, *plan.Run, error)
	Adopt(ctx context.Context, id string, of *plan.Plan) (run *plan.Run, changes []string, err error)
	End(ctx context.Context, id string, of *plan.Plan, step string, res plan.Result) (*result.Receipt, *plan.Run, error)
	Complete(ctx context.Context, id string, took time.Duration) (*result.Receipt, error)
	Message(ctx context.Context, message string) string
}

// run is a run of a plan by this process.
type run struct {
	of      *plan.Plan
	options Options
	tell    func(plan.News)
	records records
	reopen  func(context.Context) (records, error)
	now     func() time.Time
	root    string // the root of the repository
	folder  string // the checkpoints folder
	state   string // the folder for the files of runs

	record  context.Context // the context for recording: an interrupt does not end it
	at      *plan.Run       // the run as it is recorded
	lock    lock
	begun   time.Time
	started map[int]time.Time   // the running steps, by number from 0
	results map[int]plan.Result // the results of steps that have ended, over all attempts
	over    map[int]bool        // by number from 0: the step is done, or has failed in this process
	halted  bool                // no more steps are started
	ended   chan stepEnd
	failed  error // the error of the first step that failed
	broken  error // why the run cannot continue
}

// stepEnd is how a step's command ended.
type stepEnd struct {
	step int
	lost bool // the command was interrupted
	res  plan.Result
}

// run opens the run and carries it out.
func (r *run) run(ctx context.Context) error {
	ctx, stop := untilHangup(ctx)
	defer stop()
	r.record = context.WithoutCancel(ctx)
	r.begun = r.now()
	if err := r.open(ctx); err != nil {
		return err
	}
	defer r.close()
	if r.at.Complete() && !r.at.Ended.IsZero() {
		r.say("all %d steps are done already, says %s; --restart begins anew", len(r.at.Steps), r.at.ID)
		return nil
	}
	return r.loop(ctx)
}

// loop starts steps as soon as they can start and records their ends, until none runs and none can start.
func (r *run) loop(ctx context.Context) error {
	r.started = map[int]time.Time{}
	r.results = map[int]plan.Result{}
	r.ended = make(chan stepEnd)
	r.over = done(r.at)
	interrupt := ctx.Done()
	for {
		for i := r.next(); i >= 0; i = r.next() {
			r.started[i] = r.now()
			r.start(ctx, i, 1)
		}
		if len(r.started) == 0 {
			return r.finish(ctx)
		}
		select {
		case e := <-r.ended:
			r.end(ctx, e)
		case <-interrupt:
			interrupt = nil // handle the interrupt once; the ends of the steps follow
			r.halted = true
		}
	}
}

// done returns the numbers, from 0, of the steps that are done.
func done(at *plan.Run) map[int]bool {
	all := map[int]bool{}
	for i, row := range at.Steps {
		all[i] = row.Status.Done()
	}
	return all
}

// next returns the number, from 0, of the first step that can be started, or -1 if none can. It skips
// steps that an agent, or another step, has recorded as done while the plan runs.
func (r *run) next() int {
	if r.halted || len(r.started) >= max(r.options.Jobs, 1) {
		return -1
	}
	for i := range r.of.Steps {
		row, _ := r.at.Find(r.of.Steps[i].ID)
		_, runs := r.started[i]
		switch {
		case r.over[i], runs:
		case row != nil && row.Status.Done():
			r.say("step %d is %s already", i+1, row.Status)
			r.over[i] = true
		case r.of.Steps[i].Runs() && (row == nil || len(r.at.Waits(row)) == 0):
			return i
		}
	}
	return -1
}

// end records the end of a step, or tries the step again.
func (r *run) end(ctx context.Context, e stepEnd) {
	r.results[e.step] = e.res
	if e.lost { // the end is not recorded, so the next run repeats the step
		delete(r.started, e.step)
		r.halted = true // the interrupt itself may be noticed later
		return
	}
	isFailure := e.res.Status == plan.Failed
	if isFailure && e.res.Attempts <= r.of.Steps[e.step].Retries && !r.halted {
		r.start(ctx, e.step, e.res.Attempts+1)
		return
	}
	r.over[e.step] = true
	r.halted = r.halted || isFailure
	if err := r.recordEnd(e.step); err != nil {
		r.halted = true // steps that depend on this one must not start
		if r.broken == nil {
			r.broken = r.unrecorded(e.step, err)
		}
	}
}

// finish reports the end of the run, and returns its error.
func (r *run) finish(ctx context.Context) error {
	last := plan.News{Kind: plan.RunEnded, Took: r.now().Sub(r.begun)}
	err := r.broken
	switch {
	case err != nil:
	case r.failed != nil:
		err = r.failed
	case r.at.Complete():
		err = r.complete(&last)
	case !r.halted:
		err = r.byHand()
	case ctx.Err() != nil:
		err = fault.New(fault.Failed, "interrupted").WithHint("ckpt plan run %s goes on where it was", r.of.File)
	}
	if err != nil {
		last.Err = err.Error()
	}
	r.news(last)
	return err
}

// complete records that all steps are done.
func (r *run) complete(last *plan.News) error {
	if err := r.renew(); err != nil {
		return err
	}
	receipt, err := r.records.Complete(r.record, r.at.ID, last.Took)
	if err == nil {
		last.Commit, last.Pending = receipt.Commit, receipt.Pending
	}
	return err
}

// byHand returns the error of a run that waits for a step without a command.
func (r *run) byHand() error {
	first := slices.IndexFunc(r.at.Steps, func(row plan.Row) bool {
		return !row.Status.Done() && len(r.at.Waits(&row)) == 0
	})
	id, file := r.at.Steps[first].ID, r.of.File
	start := "ckpt plan start " + id + " --plan " + file + ", and "
	if r.at.Steps[first].Status == plan.Running {
		start = ""
	}
	return fault.New(fault.Usage, "step %s of %s has no action: it is for an agent or a person", id, file).
		WithHint("%swhen it is done ckpt plan done %s --plan %s; then ckpt plan run %s", start, id, file, file)
}

// renew opens the repository again, because a step may have changed git's configuration, packed its
// objects, or switched the branch.
func (r *run) renew() error {
	records, err := r.reopen(r.record)
	if err == nil {
		r.records = records
	}
	return err
}

func (r *run) say(format string, args ...any) {
	r.news(plan.News{Kind: plan.RunNote, Text: fmt.Sprintf(format, args...)})
}

// news reports an event, with the progress of the run.
func (r *run) news(n plan.News) {
	n.File = r.of.File
	n.Total = len(r.of.Steps)
	if r.at != nil {
		n.ID = r.at.ID
		n.Done = r.at.Done()
	}
	r.tell(n)
}

// Package runner runs the steps of a plan as child processes and records the end of each one
// before a step that depends on it starts.
//
// [plan.State] decides on the next actions; this package carries them out and reports the events.
// It promises that a step that is recorded as completed never runs again, whenever ckpt was killed,
// and that no step runs twice at the same time. Three files in the git folder ensure that. The lock
// of the run keeps a second ckpt away. The note names running steps, with their process groups, and
// results that are not recorded yet. Each step inherits a lock on the third file, so the next run
// notices a step that outlived ckpt, and ends its process group. A list of process numbers alone
// was tried: the system gives a number to another process after the first has ended, and the wrong
// one would be killed.
package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
)

// Options are the options of a run.
type Options struct {
	Jobs    int           // the number of steps that may run at once; at least 1
	Restart bool          // start again: no step counts as done
	Env     []string      // the environment of the steps
	Tick    time.Duration // the interval of [plan.Still]; 0 for none
}

// Run runs a plan until it is complete, a step fails, or ctx ends, and reports the events. It
// continues an earlier run. If a step fails it returns an error of kind fault.Failed.
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
	Adopt(ctx context.Context, id string, of *plan.Plan) (changes []string, err error)
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
	note    *note
	lock    lock
	begun   time.Time
	started map[int]time.Time   // the running steps, by number from 0
	results map[int]plan.Result // the results of steps that have ended, over all attempts
	ended   chan stepEnd
	failed  error // the error of the first step that failed
	broken  error // why the run cannot continue
}

// stepEnd is the end of a step's command.
type stepEnd struct {
	step int
	lost bool // it was interrupted
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

// loop carries out the actions that follow the events, until the run ends.
func (r *run) loop(ctx context.Context) error {
	r.started = map[int]time.Time{}
	r.results = map[int]plan.Result{}
	r.ended = make(chan stepEnd)
	var tick <-chan time.Time
	if r.options.Tick > 0 {
		ticker := time.NewTicker(r.options.Tick)
		defer ticker.Stop()
		tick = ticker.C
	}
	state := plan.NewState(r.of, r.at, r.options.Jobs)
	events := []plan.Event{{Kind: plan.Begun}}
	interrupt := ctx.Done()
	for {
		for len(events) > 0 {
			var actions []plan.Action
			state, actions = state.Next(events[0])
			events = events[1:]
			for _, a := range actions {
				if a.Kind == plan.Finish {
					return r.finish(ctx, a)
				}
				events = append(events, r.do(ctx, a)...)
			}
		}
		select {
		case e := <-r.ended:
			if e.lost { // the interrupt itself may be noticed later
				events = append(events, plan.Event{Kind: plan.Halt})
			}
			events = append(events, r.end(e))
		case <-interrupt:
			interrupt = nil // handle the interrupt once; the ends of the steps follow
			events = append(events, plan.Event{Kind: plan.Halt})
		case <-tick:
			r.tell(r.still())
		}
	}
}

// do starts or records a step. It returns the events that follow immediately.
func (r *run) do(ctx context.Context, a plan.Action) []plan.Event {
	if a.Kind == plan.Record {
		err := r.recordEnd(a.Step)
		if err != nil && r.broken == nil {
			r.broken = r.unrecorded(a.Step, err)
		}
		return nil
	}
	if r.isDone(a.Step) {
		return []plan.Event{{Kind: plan.StepRecorded, Step: a.Step}}
	}
	if r.broken == nil { // otherwise the steps that it depends on may not be recorded
		r.broken = r.start(ctx, a)
	}
	if r.broken != nil {
		return []plan.Event{{Kind: plan.Halt}, {Kind: plan.StepLost, Step: a.Step}}
	}
	return nil
}

// finish reports the end of the run, and returns its error.
func (r *run) finish(ctx context.Context, how plan.Action) error {
	last := plan.News{Kind: plan.RunEnded, Took: r.now().Sub(r.begun)}
	err := r.broken
	switch {
	case err != nil:
	case how.End == plan.Success:
		err = r.complete(&last)
	case how.End == plan.Failure:
		err = r.failed
	case how.End == plan.Waiting:
		err = r.byHand(how.Step)
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
func (r *run) byHand(step int) error {
	id, file := r.of.Steps[step].ID, r.of.File
	return fault.New(fault.Usage, "step %s of %s has no action: it is for an agent or a person", id, file).
		WithHint("ckpt plan start %s --plan %s, and when it is done ckpt plan done %s --plan %s; then ckpt plan run %s", id,
			file, id, file, file)
}

// renew opens the repository again: a step may have changed git's configuration, packed its
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

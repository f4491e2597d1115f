// Package runner is the door for plans: it runs the steps of a plan as child processes
// and has each one's end recorded before what depends on it begins.
//
// It asks core/plan what is to be done next, does it, and tells it what happened. A
// step that is on record as completed is never run again, whenever the runner was
// killed: what runs and what has ended is noted in the git folder until it is on
// record. A child keeps the lock of the run open, so that one that outlives a killed
// runner is found and ended before its step is run again.
package runner

import (
	"context"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
	"example.com/ckpt/internal/workspace"
)

// Options is how a plan is to be run.
type Options struct {
	Jobs int              // so many steps at once; 1 for 0
	Mode planner.PlanMode // what becomes of a run that is there
	Env  []string         // the environment of the steps
	Tick time.Duration    // how often to say what runs; 0 for never
}

// Run runs a plan until it is complete, a step fails, or ctx ends, and tells what
// happens. A run that is there goes on where it was. The error is a [fault.Failed]
// where a step failed.
func Run(ctx context.Context, p *workspace.Workspace, of *plan.Plan, o Options, tell func(plan.News)) error {
	ctx, stop := untilHangup(ctx)
	defer stop()
	r := &run{p: p, of: of, o: o, tell: tell, rec: context.WithoutCancel(ctx), begun: p.Now()}
	if p.DryRun {
		return r.rehearse(ctx)
	}
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

// run is one run of a plan by this process.
type run struct {
	p    *workspace.Workspace
	of   *plan.Plan
	o    Options
	tell func(plan.News)
	rec  context.Context // of what is recorded: it outlives an interrupt

	at      *plan.Run // as it is on record
	note    *notebook
	lock    lock
	begun   time.Time
	started map[int]time.Time   // the steps that run, by number from 0
	results map[int]plan.Result // of steps that have ended, over all attempts
	ended   chan end
	failed  error // the first step that failed
	broken  error // why the run cannot go on
}

// end is the end of a step's command.
type end struct {
	step int
	lost bool
	res  plan.Result
}

// loop asks what is to be done, does it, and waits for what happens.
func (r *run) loop(ctx context.Context) error {
	r.started, r.results = map[int]time.Time{}, map[int]plan.Result{}
	r.ended = make(chan end)
	var tick <-chan time.Time
	if r.o.Tick > 0 {
		ticker := time.NewTicker(r.o.Tick)
		defer ticker.Stop()
		tick = ticker.C
	}
	state := plan.NewState(r.of, r.at, r.o.Jobs)
	events := []plan.Event{{Kind: plan.Begun}}
	interrupt := ctx.Done()
	for {
		for len(events) > 0 {
			var todo []plan.Action
			state, todo = state.Next(events[0])
			events = events[1:]
			for _, a := range todo {
				switch a.Kind {
				case plan.Finish:
					return r.finish(ctx, a)
				case plan.Record:
					if err := r.record(a.Step); err != nil && r.broken == nil {
						r.broken = r.unrecorded(a.Step, err)
					}
				case plan.Start:
					if r.settled(a.Step) {
						events = append(events, plan.Event{Kind: plan.StepRecorded, Step: a.Step})
						continue
					}
					if r.broken == nil { // else what it depends on is not on record
						r.broken = r.start(ctx, a)
					}
					if r.broken != nil {
						events = append(events, plan.Event{Kind: plan.Halt}, plan.Event{Kind: plan.StepLost, Step: a.Step})
					}
				}
			}
		}
		select {
		case e := <-r.ended:
			if e.lost { // before the interrupt is heard of
				events = append(events, plan.Event{Kind: plan.Halt})
			}
			events = append(events, r.end(e))
		case <-interrupt:
			interrupt = nil // the children are being ended: what becomes of them comes
			events = append(events, plan.Event{Kind: plan.Halt})
		case <-tick:
			r.tell(r.still())
		}
	}
}

// finish says how the run ended.
func (r *run) finish(ctx context.Context, how plan.Action) error {
	took := r.p.Now().Sub(r.begun)
	last := plan.News{Kind: plan.RunEnded, Took: took}
	err := r.broken
	switch {
	case err != nil:
	case how.End == plan.Success:
		if err = r.look(); err != nil {
			break
		}
		receipt, cErr := planner.New(r.p).PlanComplete(r.rec, r.at.ID, took)
		if err = cErr; err == nil {
			last.Commit, last.Pending = receipt.Commit, receipt.Pending
		}
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

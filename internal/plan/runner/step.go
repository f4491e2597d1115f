package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/plan/planner"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/workspace"
)

// settled says whether a step is done on record, as far as the last look at it told: an
// agent, or another step, may end a step while the plan is being run.
func (r *run) settled(step int) bool {
	row, n := r.at.Find(r.of.Steps[step].ID)
	if row == nil || !row.Status.Done() {
		return false
	}
	r.say("step %d is %s already", n, row.Status)
	return true
}

// start starts a step's command; what becomes of it comes through r.ended. Nothing is
// started that the note does not name: the next run has to find it.
func (r *run) start(ctx context.Context, a plan.Action) error {
	s := &r.of.Steps[a.Step]
	g, err := newGroup()
	if err != nil {
		return fault.New(fault.Failed, "start step %d: %w", a.Step+1, err)
	}
	if err := r.note.running(s.ID, g.id); err != nil {
		g.letGo()
		return fault.New(fault.KindOf(err), "note that step %d is running: %w", a.Step+1, err).WithHint("%s", fault.HintOf(err))
	}
	before := r.results[a.Step] // of the attempts before
	if a.Attempt == 1 {
		r.started[a.Step] = r.p.Now()
		r.news(plan.News{Kind: plan.StepBegun, Step: s, Number: a.Step + 1, Attempt: 1})
	} else {
		before.Message = planner.New(r.p).PlanMessage(r.rec, before.Message)
		r.news(plan.News{Kind: plan.StepAgain, Step: s, Number: a.Step + 1, Attempt: a.Attempt, Result: before})
	}
	if r.o.Tick > 0 {
		r.tell(r.still())
	}
	report := ""
	if f, err := os.CreateTemp("", "ckpt-report-*"); err == nil { // without it no tokens are known
		report = f.Name()
		f.Close()
	}
	c := command{args: s.Args, dir: r.folder(s), timeout: s.Timeout, lock: r.lock.steps, group: g}
	if s.Shell != "" {
		c.args = term.Shell(s.Shell)
	}
	c.env = append(slices.Clone(r.o.Env), "CKPT_DIR="+r.p.Folder)
	c.env = append(c.env, environment(s, r.at, a.Attempt, report)...)
	now, begun := r.p.Now, r.started[a.Step]
	go func() {
		o := c.run(ctx)
		res := plan.Result{Status: plan.Failed, At: now(), Tokens: before.Tokens + tokensIn(report), Attempts: a.Attempt, Message: o.message, Output: o.output, Cut: o.cut}
		res.Took = res.At.Sub(begun)
		_ = os.Remove(report) // in the folder for such files
		if o.ok {
			res.Status = plan.Completed
			_ = r.note.ended(s.ID, res) // tried again where it matters: see unrecorded
		}
		r.ended <- end{a.Step, o.lost, res}
	}()
	return nil
}

// folder is where a step works: from the repository's root, wherever the plan was
// started.
func (r *run) folder(s *plan.Step) string {
	if filepath.IsAbs(s.Dir) {
		return s.Dir
	}
	return filepath.Join(r.p.Repo.Root(), filepath.FromSlash(s.Dir))
}

// end takes in how a command ended and gives the event for it.
func (r *run) end(e end) plan.Event {
	r.results[e.step] = e.res
	if e.lost { // the note still says that it was running
		delete(r.started, e.step)
		return plan.Event{Kind: plan.StepLost, Step: e.step}
	}
	if e.res.Status == plan.Completed {
		return plan.Event{Kind: plan.StepSucceeded, Step: e.step}
	}
	return plan.Event{Kind: plan.StepFailed, Step: e.step}
}

// record records the end of a step. Until that is done the note holds it.
func (r *run) record(step int) error {
	s := &r.of.Steps[step]
	res := r.results[step]
	delete(r.started, step)
	if res.Status != plan.Completed { // else it has noted that itself
		_ = r.note.ended(s.ID, res)
	}
	if err := r.look(); err != nil {
		return err
	}
	receipt, at, err := planner.New(r.p).PlanEnd(r.rec, r.at.ID, nil, s.ID, res)
	if err != nil {
		return err
	}
	r.at = at
	r.note.recorded(s.ID)
	for _, remark := range receipt.Remarks {
		r.say("step %d: %s", step+1, remark)
	}
	row := mustFind(at, s.ID)
	res.Message, res.Took = row.Remark, row.Took // as far as it may be shown
	r.news(plan.News{Kind: plan.StepEnded, Step: s, Number: step + 1, Result: res, Commit: receipt.Commit, Pending: receipt.Pending})
	if row.Status == plan.Failed && r.failed == nil {
		r.failed = failure(r.of, step+1, row)
	}
	return nil
}

// unrecorded is the error of a step whose end could not be recorded, and what becomes of
// it now.
func (r *run) unrecorded(step int, err error) error {
	s, hint := &r.of.Steps[step], fault.HintOf(err)
	then := "which the next run will do"
	if r.note.ended(s.ID, r.results[step]) != nil {
		then = "nor noted: the next run runs it again"
	}
	if at, there := planner.New(r.p).PlanRun(r.rec, r.of); at == nil && there == nil && fault.KindOf(err) == fault.NotFound {
		hint = fmt.Sprintf("bring it back (ckpt undelete %s, or git switch BRANCH), then ckpt plan run %s", r.at.ID, r.of.File)
	}
	return fault.New(fault.KindOf(err), "step %s has ended and could not be recorded, %s: %w", s.ID, then, err).WithHint("%s", hint)
}

// look opens the project anew: a step may have changed git's configuration, packed its
// objects, or gone to another branch.
func (r *run) look() error {
	p, err := workspace.Open(r.rec, r.p.Settings)
	if err == nil {
		r.p = p
	}
	return err
}

// still is what runs at the moment.
func (r *run) still() plan.News {
	n := plan.News{Kind: plan.Still, File: r.of.File, ID: r.at.ID, Done: r.at.Done(), Total: len(r.of.Steps)}
	now := r.p.Now()
	for i := range r.of.Steps {
		if since, runs := r.started[i]; runs {
			n.Running = append(n.Running, plan.Ongoing{Number: i + 1, Title: strings.TrimSpace(r.of.Steps[i].Title()), For: now.Sub(since)})
		}
	}
	return n
}

// failure is the error of a run whose step has failed.
func failure(of *plan.Plan, number int, row *plan.Row) error {
	text := row.Title
	if row.Remark != "" {
		text += ": " + row.Remark
	}
	return fault.New(fault.Failed, "Failed at step %d: %s", number, text).WithHint("ckpt plan run %s goes on there", of.File)
}

// Package output draws core values: as text for people, as JSON for programs.
// Which of the two is chosen once, where the command line is read.
package output

import (
	"io"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/history/decisions"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/progress/inspect"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/search"
	"example.com/ckpt/internal/stats"
	"example.com/ckpt/internal/transfer/schema"
	"example.com/ckpt/internal/wire"
)

// Presenter draws one core value as the answer of a command.
type Presenter interface {
	Receipt(*result.Receipt) error
	Status(*result.Overview) error
	Incomplete(*result.Overview) error
	Due(policy.Reminder) error
	Triggers(policy.Reminder, []policy.TriggerState) error
	List(*result.Overview) error
	Tree(*lineage.Forest) error
	Brief(*brief.Rendering) error // nil: there is nothing to resume
	Checkpoint(c *checkpoint.Checkpoint, only *checkpoint.Section) error
	Details(*inspect.Details) error
	Report(*result.Report) error
	Trails([]result.Trail) error
	Import(*result.Import) error
	Rehearsal(*brief.Rehearsal) error // nil: there is nothing to resume
	Scan(*result.Report) error
	Learnings([]learnings.Learning) error
	Found(terms []string, _ *search.Result) error
	Operations([]result.Operation) error
	Log(*revisions.Log) error
	SessionLog(*record.Log) error
	Past(c *checkpoint.Checkpoint, only *checkpoint.Section, v revisions.Version) error
	Diff(*revisions.Comparison) error
	Fork(*revisions.Fork) error
	Decisions(*decisions.Record) error
	DecisionsBlame(*decisions.Record) error
	DecisionsVerified(*decisions.Record) error
	Drift(*drift.Report) error
	Stats(*stats.Figures) error
	Prune(_ *policy.Pruning, unread []checkpoint.Broken) error
	Diagnosis(*result.Diagnosis) error
	Agents(*result.Agents) error
	Export(*schema.Export) error
	PlanNews(plan.News) error // one of many
	PlanNext(*plan.Upcoming) error
	Sync(*result.Sync) error
	Version(v result.Build) error
}

// JSON writes one versioned object (package wire).
type JSON struct {
	Out    io.Writer
	Folder string // the checkpoints folder, from the repository's root, where every path begins
}

func (p JSON) write(answer any) error {
	return wire.Write(p.Out, answer)
}

// Receipt implements [Presenter], as do the methods below.
func (p JSON) Receipt(r *result.Receipt) error { return result.Encode(p.Out, "receipt", r) }

func (p JSON) Status(o *result.Overview) error { return result.Encode(p.Out, "status", o) }

func (p JSON) Incomplete(o *result.Overview) error {
	return result.Encode(p.Out, "status", o)
}

func (p JSON) Due(a policy.Reminder) error { return p.write(wire.FromDue(a)) }

func (p JSON) Triggers(a policy.Reminder, all []policy.TriggerState) error {
	return p.write(wire.FromTriggers(a, all))
}

func (p JSON) List(o *result.Overview) error { return result.Encode(p.Out, "list", o) }

func (p JSON) Tree(f *lineage.Forest) error { return p.write(wire.FromForest(f, p.Folder)) }

func (p JSON) Brief(r *brief.Rendering) error { return p.write(wire.FromBrief(r)) }

func (p JSON) Checkpoint(c *checkpoint.Checkpoint, only *checkpoint.Section) error {
	return p.write(wire.FromCheckpoint(c, only, p.Folder))
}

func (p JSON) Details(d *inspect.Details) error { return p.write(wire.FromDetails(d, p.Folder)) }

func (p JSON) Import(r *result.Import) error { return result.Encode(p.Out, "import", r) }

func (p JSON) Trails(all []result.Trail) error {
	return result.Encode(p.Out, "artifacts", &result.Trails{Checkpoints: all})
}

func (p JSON) Report(r *result.Report) error { return result.Encode(p.Out, "report", r) }

func (p JSON) Scan(r *result.Report) error { return result.Encode(p.Out, "report", r) }

func (p JSON) Rehearsal(r *brief.Rehearsal) error { return p.write(wire.FromRehearsal(r)) }

func (p JSON) Learnings(l []learnings.Learning) error { return p.write(wire.FromLearnings(l)) }

func (p JSON) Found(terms []string, r *search.Result) error {
	return p.write(wire.FromSearch(terms, r))
}

func (p JSON) Operations(all []result.Operation) error {
	return result.Encode(p.Out, "operations", &result.Operations{Operations: all})
}

func (p JSON) Decisions(r *decisions.Record) error {
	return p.write(wire.FromDecisions(r, p.Folder, false))
}

func (p JSON) DecisionsBlame(r *decisions.Record) error {
	return p.write(wire.FromDecisions(r, p.Folder, false))
}

func (p JSON) DecisionsVerified(r *decisions.Record) error {
	return p.write(wire.FromDecisions(r, p.Folder, true))
}

func (p JSON) SessionLog(l *record.Log) error { return p.write(wire.FromSessionLog(l)) }

func (p JSON) Log(l *revisions.Log) error { return p.write(wire.FromLog(l, p.Folder)) }

func (p JSON) Past(c *checkpoint.Checkpoint, only *checkpoint.Section, v revisions.Version) error {
	return p.write(wire.FromPast(c, only, v, p.Folder))
}

func (p JSON) Diff(c *revisions.Comparison) error { return p.write(wire.FromComparison(c, p.Folder)) }

func (p JSON) Fork(f *revisions.Fork) error { return p.write(wire.FromFork(f, p.Folder)) }

func (p JSON) Drift(r *drift.Report) error { return p.write(wire.FromDrift(r)) }

func (p JSON) Stats(f *stats.Figures) error { return p.write(wire.FromStats(f)) }

func (p JSON) Prune(plan *policy.Pruning, unread []checkpoint.Broken) error {
	return p.write(wire.FromPlan(plan, unread, p.Folder))
}

func (p JSON) Diagnosis(d *result.Diagnosis) error { return result.Encode(p.Out, "diagnosis", d) }

func (p JSON) Agents(a *result.Agents) error { return result.Encode(p.Out, "agents", a) }

func (p JSON) Export(e *schema.Export) error { return p.write(wire.FromExport(e)) }

func (p JSON) PlanNews(n plan.News) error { return wire.WriteLine(p.Out, wire.FromNews(n)) }

func (p JSON) PlanNext(u *plan.Upcoming) error { return p.write(wire.FromUpcoming(u)) }

func (p JSON) Version(v result.Build) error {
	return result.Encode(p.Out, "version", v)
}

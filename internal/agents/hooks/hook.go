// Package hooks answers the hooks of coding agents and of git.
//
// At the start of a session a hook gives the brief, during the session it reminds of a delta that is due, and before a
// compaction it saves what git shows. Hooks exist because an agent does not ask for what it has forgotten. A hook never
// breaks its caller, and gives no text of a clone that its user has not trusted. It blocks only commits of checkpoint
// files with errors, and an agent that stops during an exploration or, if config.yaml says so, while a delta is due.
package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/explore"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/query"
	"example.com/ckpt/internal/resume"
	"example.com/ckpt/internal/scan"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Handler answers hooks in a clone.
type Handler struct {
	*workspace.Workspace
	edit      *edit.Editor
	history   *history.History
	query     *query.Query
	resume    *resume.Resumer
	scan      *scan.Scanner
	reminders reminders
}

// New returns a handler for a workspace.
func New(w *workspace.Workspace) *Handler {
	p := &Handler{
		Workspace: w,
		edit:      edit.New(w), history: history.New(w), query: query.New(w), resume: resume.New(w), scan: scan.New(w),
	}
	p.reminders = reminders{claims{filepath.Join(w.Repo.StateDir(), "hooks"), w.Now}, p}
	return p
}

// Errors returns the file of the last errors of hooks.
func (p *Handler) Errors() Errors {
	return Errors{filepath.Join(p.Repo.StateDir(), "hooks", "errors"), p.Now}
}

// Current returns a view of the checkpoints, and the checkpoint that `ckpt resume` would show, or nil.
func (p *Handler) Current(ctx context.Context) (*workspace.View, *checkpoint.Checkpoint, error) {
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return nil, nil, err
	}
	c, err := p.resume.ToResume(ctx, view, "")
	return view, c, err
}

// Exploring returns the checkpoint with the open exploration of a session, or nil, and reports whether
// it is the current checkpoint.
func (p *Handler) Exploring(ctx context.Context, session string) (c *checkpoint.Checkpoint, isCurrent bool, err error) {
	view, current, err := p.Current(ctx)
	if err != nil {
		return nil, false, err
	}
	c = explore.Open(p.Workspace, view, cmp.Or(session, p.Session))
	return c, c != nil && current != nil && c.ID == current.ID, nil
}

// Due returns whether a delta is due, and why.
func (p *Handler) Due(ctx context.Context) (policy.Reminder, error) {
	view, err := p.query.Read(ctx, store.Live)
	if err != nil {
		return policy.Reminder{}, err
	}
	return p.query.Due(ctx, view)
}

// Hook records an event of an agent's session, and answers it. It does nothing in a repository that has no checkpoints
// and in which no command of ckpt has changed anything. A subagent gets no answer. In a clone that the user has not
// trusted, the only answer is a line at the start of a session, without text of a checkpoint. The model gets an error
// only at the start of a session, where no answer would mean that there are no checkpoints.
func (p *Handler) Hook(ctx context.Context, call protocol.Call) (protocol.Answer, error) {
	if !p.InUse(ctx) && p.Workspace.Trust.State() == "" {
		return protocol.Answer{}, nil
	}
	defer p.Repo.ShareState(ctx) // let other users of a shared repository write their records, too
	if err := errors.Join(call.Err, p.Recorder.Event(ctx, call)); err != nil {
		p.Errors().Add(call, err) // the answer does not depend on the record
	}
	if call.Inner || p.Subagent {
		return protocol.Answer{}, nil
	}
	p.InHook = true // from here on, changes are not those of a person
	trusted, err := p.Workspace.Trust.Given(ctx)
	if err != nil || !trusted && call.Event != protocol.SessionStart {
		return protocol.Answer{}, err
	}
	switch call.Event {
	case protocol.SessionStart:
		return p.greet(ctx, call, trusted)
	case protocol.PreCompact:
		if call.Agent == "gemini" && call.Trigger != "manual" { // Gemini CLI calls this hook with "auto" in every turn
			return protocol.Answer{}, nil
		}
		return p.beforeCompaction(ctx, call)
	case protocol.Prompt, protocol.Tool:
		if err := p.reminders.rearm(call); err != nil {
			return protocol.Answer{}, err
		}
		isDeferred, err := p.reminders.takeDeferred(call)
		switch {
		case err != nil:
			return protocol.Answer{}, err
		case isDeferred:
			return p.tell(ctx, false)
		}
		return p.reminders.remind(ctx, call)
	case protocol.Stop, protocol.SessionEnd:
		p.sync(ctx, true)
		if answer, err := p.reminders.guard(ctx, call); err != nil || answer != (protocol.Answer{}) {
			return answer, err
		}
		return p.reminders.nudge(ctx, call)
	}
	return protocol.Answer{}, nil
}

// greet answers the start of a session with what the session must know to continue. A resumed session
// of Codex still has the earlier brief in its history, so it gets only what is new.
func (p *Handler) greet(ctx context.Context, call protocol.Call, trusted bool) (protocol.Answer, error) {
	if call.Session != "" {
		first, err := p.reminders.first(call, "start-"+call.Source, duplicate)
		if err == nil && !first {
			return protocol.Answer{}, nil
		}
	}
	p.sync(ctx, false)
	if !trusted {
		return p.greetStranger(ctx)
	}
	unrecorded := p.recordUnrecorded(ctx)
	if call.Agent == "gemini" && call.Source == "clear" { // Gemini CLI ignores the answer
		return protocol.Answer{}, errors.Join(p.reminders.deferBrief(call), unrecorded)
	}
	if _, err := p.reminders.takeDeferred(call); err != nil {
		return protocol.Answer{}, errors.Join(err, unrecorded)
	}
	answer, err := p.tell(ctx, call.Agent == "codex" && call.Source == "resume")
	return answer, errors.Join(err, unrecorded)
}

// tell returns the greeting as context. An error becomes part of the text, because an empty
// answer would mean "there is nothing".
func (p *Handler) tell(ctx context.Context, onlyNew bool) (protocol.Answer, error) {
	text, err := p.greeting(ctx, onlyNew)
	if err != nil {
		return NoBrief(err), err
	}
	return protocol.Answer{Context: text}, nil
}

// NoBrief returns the answer to the start of a session if an error prevents the brief.
func NoBrief(err error) protocol.Answer {
	text := "ckpt could not give this project's checkpoint back: " + err.Error() + "\n"
	if hint := fault.HintOf(err); hint != "" {
		text += "Next: `" + hint + "`\n"
	}
	return protocol.Answer{Context: text}
}

// beforeCompaction saves what git shows of the work, and returns what the summary of the session must keep.
func (p *Handler) beforeCompaction(ctx context.Context, call protocol.Call) (protocol.Answer, error) {
	if call.Agent == "gemini" || call.Agent == "copilot" || call.Agent == "claude" {
		if err := p.reminders.deferBrief(call); err != nil {
			return protocol.Answer{}, err
		}
	}
	_, c, err := p.Current(ctx)
	if c == nil || err != nil {
		return protocol.Answer{}, err
	}
	keep := fmt.Sprintf("Keep in the summary: the checkpoint %s (`%s`) is current, and `ckpt resume` gives it "+
		"back.", c.ID, p.FromRoot(c.Path))
	if next := c.FirstAction(); next != "" {
		keep += "\nIts next action: " + next
	}
	if p.Disk.Has(store.Learnings) {
		keep += "\nLearnings of earlier work: `" + p.FromRoot(store.Learnings) + "`."
	}
	return protocol.Answer{Context: keep}, p.saveBeforeCompaction(ctx, c, call)
}

// saveBeforeCompaction appends a delta with the files that changed since the last delta, unless
// the checkpoint already lists all of them.
func (p *Handler) saveBeforeCompaction(ctx context.Context, c *checkpoint.Checkpoint, call protocol.Call) error {
	if c.Status() == checkpoint.Archived {
		return nil
	}
	trail, err := changes.Of(p.Repo).Since(ctx, p.Base.Since(ctx, c), p.Prefix, false)
	if err != nil {
		return err
	}
	p.edit.AddGone(ctx, c, &trail)
	artifacts, _ := edit.ArtifactsOf(trail)
	artifacts = p.edit.Unlisted(c, artifacts)
	if len(artifacts) == 0 {
		return nil
	}
	_, err = p.edit.Delta(ctx, edit.DeltaRequest{ID: c.ID, NoGit: true, Note: revise.Progress{
		Changed:   savedBecause(call, trail),
		Artifacts: artifacts,
		Trigger:   "pre-compact",
	}})
	return err
}

// savedBecause returns the text of an automatic delta.
func savedBecause(call protocol.Call, trail changes.Work) string {
	s := resume.SavedBefore + " compaction"
	if call.Trigger == "auto" {
		s = resume.SavedBefore + "n automatic compaction"
	}
	s += ": " + text.Count(len(trail.Files), "file") + " changed"
	if trail.Mine > 0 {
		s += ", " + text.Count(trail.Mine, "commit")
	}
	return s
}

// recordUnrecorded writes a delta of work that other sessions did not record, if config.yaml has
// `recover: write`. It runs before a new session gets the brief. It writes no delta while another session may be
// active, or if this session, too, has work that no delta describes; the brief then names the work.
func (p *Handler) recordUnrecorded(ctx context.Context) error {
	cfg, err := p.Policy(ctx)
	if err != nil || !cfg.Recover || p.Repo.InProgress() != "" {
		return err
	}
	if err := p.recordOthers(ctx); err != nil {
		return fault.New(fault.KindOf(err), "record what other sessions did: %w", err)
	}
	return nil
}

// recordOthers writes a delta of the work that other sessions did not record.
func (p *Handler) recordOthers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, resume.RecoverWait)
	defer cancel()
	wait, cancelWait := context.WithTimeout(ctx, resume.RecoverLockWait)
	defer cancelWait()
	unlock, err := p.Repo.Lock(wait, disk.Exclusive) // if two sessions start at once, only one of them writes
	if err != nil {
		if wait.Err() != nil {
			return nil // another ckpt holds the lock; the brief names the work that is not recorded
		}
		return err
	}
	defer unlock()
	if record.Alive(p.Recorder.Entries(p.Now().Add(-resume.MayBeAlive)), p.Session, p.Now(), resume.MayBeAlive) {
		return nil
	}
	view, err := p.resume.Read(ctx, store.Live)
	if err != nil {
		return err
	}
	c, work, err := p.resume.WorkOfOthers(ctx, view)
	if len(work) == 0 || err != nil {
		return err
	}
	if slices.ContainsFunc(p.resume.Undescribed(c), func(w record.Work) bool { return w.Session == p.Session }) {
		return nil
	}
	if work[0].Last.After(p.Now()) { // an entry from the future would be reported again after every delta
		return nil
	}
	last, err := p.history.History(ctx, 1, func(o history.Past) bool { return o.ID == c.ID })
	if err != nil || len(last) > 0 && last[0].Op == workspace.OpUndo { // the undone operation may have been such a delta
		return err
	}
	_, err = p.edit.Delta(ctx, edit.DeltaRequest{ID: c.ID, Recovered: true})
	return err
}

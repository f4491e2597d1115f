package hooks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/resume"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/store"
)

// Hook records an event of an agent's session, and answers it. In a repository without
// checkpoints it does neither, and to a subagent it is silent; in a clone that the user has not
// trusted it gives one line at the start of a session, and no checkpoint's text. What
// fails is told to the model only at the start of a session, where silence would read
// as "there is nothing".
func (p *Handler) Hook(ctx context.Context, call protocol.Call) (protocol.Answer, error) {
	if !p.Store.Exists() {
		return protocol.Answer{}, nil
	}
	if err := p.RecordEvent(ctx, call); err != nil {
		p.HookFailed(call, err) // the answer does not depend on it
	}
	if call.Inner || p.Subagent {
		return protocol.Answer{}, nil
	}
	p.InHook = true
	trusted, err := p.Trusted(ctx)
	if err != nil || !trusted && call.Event != protocol.SessionStart {
		return protocol.Answer{}, err
	}
	switch call.Event {
	case protocol.SessionStart:
		return p.greet(ctx, call, trusted)
	case protocol.PreCompact:
		if call.Agent == "gemini" && call.Trigger != "manual" { // it says so on every turn
			return protocol.Answer{}, nil
		}
		return p.beforeCompaction(ctx, call)
	case protocol.Prompt, protocol.Tool:
		if err := p.rearm(call); err != nil {
			return protocol.Answer{}, err
		}
		switch due, err := p.takeDeferred(call); {
		case err != nil:
			return protocol.Answer{}, err
		case due:
			return p.tell(ctx, false)
		}
		return p.remind(ctx, call)
	case protocol.StatusLine:
		line, err := p.statusLine(ctx)
		return protocol.Answer{Context: line}, err
	case protocol.Stop, protocol.SessionEnd:
		if answer, err := p.guard(ctx, call); err != nil || answer != (protocol.Answer{}) {
			return answer, err
		}
		return p.nudge(ctx, call)
	}
	return protocol.Answer{}, nil
}

// echo is how long a second hook for the same event is taken for an echo: Copilot
// runs Claude's hooks besides its own, a plugin those of the settings.
const echo = 3 * time.Second

// greet gives a session that starts what it must know to go on. A resumed session of
// Codex still has the earlier brief in its history: it gets only what is new.
func (p *Handler) greet(ctx context.Context, call protocol.Call, trusted bool) (protocol.Answer, error) {
	if call.Session != "" {
		first, err := p.claim(call, "start-"+call.Source, echo)
		if err == nil && !first {
			return protocol.Answer{}, nil
		}
	}
	if !trusted {
		return p.greetStranger(ctx)
	}
	unrecorded := p.recordUnrecorded(ctx)
	if call.Agent == "gemini" && call.Source == "clear" { // it ignores the answer
		return protocol.Answer{}, errors.Join(p.deferBrief(call), unrecorded)
	}
	if _, err := p.takeDeferred(call); err != nil {
		return protocol.Answer{}, errors.Join(err, unrecorded)
	}
	answer, err := p.tell(ctx, call.Agent == "codex" && call.Source == "resume")
	return answer, errors.Join(err, unrecorded)
}

// tell returns the greeting as context. An error becomes part of the text, since an empty
// answer would mean "there is nothing".
func (p *Handler) tell(ctx context.Context, onlyNew bool) (protocol.Answer, error) {
	text, err := p.greeting(ctx, onlyNew)
	if err != nil {
		text = "ckpt could not give this project's checkpoint back: " + err.Error() + "\n"
		if hint := fault.HintOf(err); hint != "" {
			text += "Next: `" + hint + "`\n"
		}
	}
	return protocol.Answer{Context: text}, err
}

// deferred is the claim of a session that lost its context when no answer of a hook could
// give it the brief: Gemini CLI ignores the answer after /clear, Copilot CLI calls no hook
// after a compaction. The next prompt or tool gives it. Claude Code calls the hook of a
// session's start after a compaction, which takes the claim; Copilot CLI runs the hooks
// of Claude Code's settings, too.
const deferred = "brief-deferred"

// deferBrief has the next prompt or tool of the session give the brief.
func (p *Handler) deferBrief(call protocol.Call) error {
	_, err := p.claim(call, deferred, 0)
	return err
}

// takeDeferred reports whether the brief of a session was deferred, and ends that.
func (p *Handler) takeDeferred(call protocol.Call) (bool, error) {
	file := p.claimFile(call, deferred)
	if !disk.ClaimedSince(file, claimsKept, p.Now()) {
		return false, nil
	}
	return true, disk.Remove(file)
}

// beforeCompaction saves what git knows of the work, and says what the summary
// that is about to be made must keep.
func (p *Handler) beforeCompaction(ctx context.Context, call protocol.Call) (protocol.Answer, error) {
	if call.Agent == "gemini" || call.Agent == "copilot" || call.Agent == "claude" {
		if err := p.deferBrief(call); err != nil {
			return protocol.Answer{}, err
		}
	}
	set, err := p.Read(ctx, store.Live)
	if err != nil {
		return protocol.Answer{}, err
	}
	c, err := p.resume.ToResume(ctx, set, "")
	if c == nil || err != nil {
		return protocol.Answer{}, err
	}
	keep := fmt.Sprintf("Keep in the summary: the checkpoint %s (`%s`) is current, and `ckpt resume` gives it back.", c.ID, p.FromRoot(c.Path))
	if next := c.FirstAction(); next != "" {
		keep += "\nIts next action: " + next
	}
	if p.Store.Has(store.Learnings) {
		keep += "\nLearnings of earlier work: `" + p.Prefix + "/LEARNINGS.md`."
	}
	return protocol.Answer{Context: keep}, p.saveBeforeCompaction(ctx, c, call)
}

// saveBeforeCompaction appends a delta with what changed since the last one, unless
// that says it all.
func (p *Handler) saveBeforeCompaction(ctx context.Context, c *checkpoint.Checkpoint, call protocol.Call) error {
	if c.Status() == checkpoint.Archived {
		return nil
	}
	trail, err := changes.Of(p.Repo).Since(ctx, p.Since(ctx, c), p.Prefix, false)
	if err != nil {
		return err
	}
	trail, _ = p.SplitSetup(ctx, trail)
	artifacts, _ := edit.ArtifactsOf(trail)
	if len(artifacts) == 0 || trail.Mine == 0 && told(c, artifacts) {
		return nil
	}
	_, err = p.edit.Delta(ctx, edit.DeltaRequest{ID: c.ID, NoArtifacts: true, Note: checkpoint.Progress{
		Changed:   savedBecause(call, trail),
		Artifacts: artifacts,
		Trigger:   "pre-compact",
	}})
	return err
}

// savedBecause is what an automatic delta says of itself.
func savedBecause(call protocol.Call, trail changes.Work) string {
	s := resume.SavedBefore + " compaction"
	if call.Trigger == "auto" {
		s = resume.SavedBefore + "n automatic compaction"
	}
	facts := []string{text.Count(len(trail.Files), "file") + " changed"}
	if trail.Mine > 0 {
		facts = append(facts, text.Count(trail.Mine, "commit"))
	}
	return s + ": " + strings.Join(facts, ", ")
}

// told says whether the last delta names all these files already.
func told(c *checkpoint.Checkpoint, artifacts []checkpoint.Artifact) bool {
	deltas := c.Deltas()
	if len(deltas) == 0 {
		return false
	}
	last := deltas[len(deltas)-1].Artifacts
	return !slices.ContainsFunc(artifacts, func(a checkpoint.Artifact) bool {
		return !slices.ContainsFunc(last, func(b checkpoint.Artifact) bool { return a.File == b.File && a.Action == b.Action })
	})
}

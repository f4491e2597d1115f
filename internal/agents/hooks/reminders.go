package hooks

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/text"
)

// Work answers the questions of reminders about the work in a clone.
type Work interface {
	// Exploring returns the checkpoint with the open exploration of a session, or nil, and reports
	// whether it is the current checkpoint.
	Exploring(ctx context.Context, session string) (c *checkpoint.Checkpoint, isCurrent bool, err error)
	// Due returns whether a delta is due, and why.
	Due(ctx context.Context) (policy.Reminder, error)
	Policy(ctx context.Context) (policy.Config, error)
}

// reminders tell a session what it has to do. Claims record what the session was told.
type reminders struct {
	claims
	work Work
}

const (
	// dueAgain is the time between two checks whether a delta is due: tools are called many times a
	// minute, and a check runs git.
	dueAgain = time.Minute

	// duplicate is the time within which a second hook for the same event is ignored. Copilot CLI also
	// runs Claude's hooks, and Claude Code runs the hooks of a plugin besides those in its settings.
	duplicate = 3 * time.Second
)

// remind tells the model, in the middle of its work, that a delta is due: at most once in the time
// that config.yaml sets in delta.work (10 minutes).
func (r reminders) remind(ctx context.Context, call protocol.Call) (protocol.Answer, error) {
	if first, err := r.first(call, "look", dueAgain); err != nil || !first {
		return protocol.Answer{}, err
	}
	due, err := r.work.Due(ctx)
	if err != nil || !due.Due() {
		return protocol.Answer{}, err
	}
	return r.once(call, "remind", max(due.Policy.Work, dueAgain), protocol.Answer{Context: dueText(due)})
}

// once returns an answer that a session gets at most once within the given time.
func (r reminders) once(call protocol.Call, kind string, within time.Duration,
	answer protocol.Answer) (protocol.Answer, error) {
	if first, err := r.first(call, kind, within); err != nil || !first {
		return protocol.Answer{}, err
	}
	return answer, nil
}

// nudge keeps an agent from stopping while a delta is due: once a session, and only if config.yaml
// turns that on. At the end of a session it tells the user that the delta is due.
func (r reminders) nudge(ctx context.Context, call protocol.Call) (protocol.Answer, error) {
	cfg, err := r.work.Policy(ctx)
	if err != nil || !cfg.Nudge || call.Again {
		return protocol.Answer{}, err
	}
	due, err := r.work.Due(ctx)
	if err != nil || !due.Due() {
		return protocol.Answer{}, err
	}
	answer := protocol.Answer{Block: dueText(due)}
	if call.Event == protocol.SessionEnd {
		answer = protocol.Answer{Notice: dueText(due)}
	}
	return r.once(call, "nudge", claimsKept, answer)
}

// dueText returns why a delta is due, and the command that writes it. The command has a
// here-document because an apostrophe would end a text in single quotes.
func dueText(due policy.Reminder) string {
	return record.Reminder + due.ID + " is due: " + strings.Join(due.Why(), "; ") + ". Write it now:\n" +
		"ckpt delta -F - --trigger " + string(due.Triggers[0]) + " <<'EOF'\nWHAT CHANGED\n### Done\n- WORDS OF A " +
		"FINISHED NEXT ACTION\n" +
		"### Decisions\n- **WHAT**: WHY\n### Next Actions\n1. WHAT IS NEXT\nEOF\n(Leave out a heading that has nothing " +
		"new; without Next Actions they stay.)"
}

// An agent must not stop while a mark is open, because it would lose its findings. After some reminders
// the agent may stop, and the mark stays open.
const (
	rewindReminders = 3 // how many reminders a session gets between two prompts
	rewindNotice    = "rewind-notice"

	// rewindWarning is the text of the specification, word for word.
	rewindWarning = `<system-warning>
You are in an active checkpoint. You MUST call rewind with your investigation findings before yielding. Do NOT yield without completing the checkpoint.
</system-warning>`
)

func rewindReminder(n int) string { return fmt.Sprintf("rewind-%d", n) }

// guard keeps an agent from stopping while a mark is open. After the last reminder it tells
// the user, once.
func (r reminders) guard(ctx context.Context, call protocol.Call) (protocol.Answer, error) {
	if call.Event != protocol.Stop {
		return protocol.Answer{}, nil
	}
	c, isCurrent, err := r.work.Exploring(ctx, call.Session)
	if c == nil || err != nil {
		return protocol.Answer{}, err
	}
	m, _ := c.Mark()
	end := "ckpt rewind REPORT"
	if !isCurrent {
		end = "ckpt rewind -c " + c.ID + " REPORT"
	}
	goal := text.Shorten(text.OneLine(m.Goal), 300)
	for n := 1; n <= rewindReminders; n++ {
		first, err := r.first(call, rewindReminder(n), claimsKept)
		if err != nil { // without a count the reminders would not end
			return protocol.Answer{}, err
		}
		if first {
			s := rewindWarning + fmt.Sprintf("\n(Reminder %d of %d.)", n, rewindReminders)
			if n == rewindReminders {
				s += " This is the last one: without a report the checkpoint stays open."
			}
			return protocol.Answer{Block: s + "\nGoal: " + goal + "\nRun: " + end + "   (--abort gives it up)"}, nil
		}
	}
	return r.once(call, rewindNotice, claimsKept,
		protocol.Answer{Notice: "ckpt: " + c.ID + " has an open mark that the agent did not rewind: " + goal})
}

// rearm lets guard remind a session again after a prompt of its user. It ignores a prompt that comes
// immediately after a reminder, because the agent itself makes that prompt.
func (r reminders) rearm(call protocol.Call) error {
	if call.Event != protocol.Prompt {
		return nil
	}
	for n := 1; n <= rewindReminders; n++ {
		if r.has(call, rewindReminder(n), duplicate) {
			return nil
		}
	}
	for n := 1; n <= rewindReminders; n++ {
		if err := r.drop(call, rewindReminder(n)); err != nil {
			return err
		}
	}
	return r.drop(call, rewindNotice)
}

// deferred is the kind of claim for a session that lost its context while no hook could answer: the session gets the
// brief with its next prompt or tool call. Gemini CLI ignores the answer after /clear, and Copilot CLI
// calls no hook after a compaction. The hooks of Claude Code make the claim, too, because Copilot CLI also runs them.
// After a compaction, Claude Code itself calls the hook for the start of a session, which removes the claim.
const deferred = "brief-deferred"

// deferBrief makes the answer to the session's next prompt or tool call be the brief.
func (r reminders) deferBrief(call protocol.Call) error {
	_, err := r.first(call, deferred, 0)
	return err
}

// takeDeferred reports whether the brief of a session was deferred, and removes the claim.
func (r reminders) takeDeferred(call protocol.Call) (bool, error) {
	if !r.has(call, deferred, claimsKept) {
		return false, nil
	}
	return true, r.drop(call, deferred)
}

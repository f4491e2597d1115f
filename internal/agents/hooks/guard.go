package hooks

import (
	"context"
	"fmt"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// While a mark is open an agent is not to stop: what it has found would be lost. It
// is told so, and after so many times let go; the mark stays open.

// rewindReminders is how often a session is reminded between two prompts.
const rewindReminders = 3

// The warning is the seed's, to the letter.
const rewindWarning = `<system-warning>
You are in an active checkpoint. You MUST call rewind with your investigation findings before yielding. Do NOT yield without completing the checkpoint.
</system-warning>`

func rewindReminder(n int) string { return fmt.Sprintf("rewind-%d", n) }

// guard keeps an agent from stopping while a mark is open. When it has said so often
// enough it tells the user, once.
func (p *Handler) guard(ctx context.Context, call protocol.Call) (protocol.Answer, error) {
	if call.Event != protocol.Stop {
		return protocol.Answer{}, nil
	}
	set, err := p.Read(ctx, store.Live)
	if err != nil {
		return protocol.Answer{}, err
	}
	c, err := p.resume.ToResume(ctx, set, "")
	if c == nil || err != nil || c.Status() == checkpoint.Archived {
		return protocol.Answer{}, err
	}
	m, ok := c.Mark()
	if !ok {
		return protocol.Answer{}, nil
	}
	for n := 1; n <= rewindReminders; n++ {
		first, err := p.claim(call, rewindReminder(n), claimsKept)
		if err != nil { // who cannot count does not begin
			return protocol.Answer{}, err
		}
		if first {
			return protocol.Answer{Block: rewindText(m, n)}, nil
		}
	}
	if first, err := p.claim(call, rewindNotice, claimsKept); err != nil || !first {
		return protocol.Answer{}, err
	}
	return protocol.Answer{Notice: "ckpt: " + c.ID + " has an open mark that the agent did not rewind: " + workspace.Cut(text.OneLine(m.Goal), 300)}, nil
}

const rewindNotice = "rewind-notice"

func rewindText(m checkpoint.Mark, n int) string {
	s := rewindWarning + fmt.Sprintf("\n(Reminder %d of %d.)", n, rewindReminders)
	if n == rewindReminders {
		s += " This is the last one: without a report the checkpoint stays open."
	}
	return s + "\nGoal: " + workspace.Cut(text.OneLine(m.Goal), 300) + "\nRun: ckpt rewind REPORT   (--abort gives it up)"
}

// rearm lets the guard remind a session again: a person has spoken. A prompt that
// comes on the heels of a reminder is the agent's own, which the reminder caused.
func (p *Handler) rearm(call protocol.Call) error {
	if call.Event != protocol.Prompt {
		return nil
	}
	for n := 1; n <= rewindReminders; n++ {
		if disk.ClaimedSince(p.claimFile(call, rewindReminder(n)), echo, p.Now()) {
			return nil
		}
	}
	for n := 1; n <= rewindReminders; n++ {
		if err := disk.Remove(p.claimFile(call, rewindReminder(n))); err != nil {
			return err
		}
	}
	return disk.Remove(p.claimFile(call, rewindNotice))
}

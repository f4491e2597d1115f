package hooks

import (
	"context"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/policy"
)

// lookAgain is how long a session goes on before ckpt looks once more whether a delta
// is due: tools are called many times a minute, and the look asks git.
const lookAgain = time.Minute

// remind tells the model, in the middle of its work, that a delta is due: at most once
// in the time that is called a piece of work (10 minutes).
func (p *Handler) remind(ctx context.Context, call protocol.Call) (protocol.Answer, error) {
	if first, err := p.claim(call, "look", lookAgain); err != nil || !first {
		return protocol.Answer{}, err
	}
	answer, err := p.query.Due(ctx)
	if err != nil || !answer.Due() {
		return protocol.Answer{}, err
	}
	if first, err := p.claim(call, "remind", max(answer.Policy.Work, lookAgain)); err != nil || !first {
		return protocol.Answer{}, err
	}
	return protocol.Answer{Context: dueSaid(answer)}, nil
}

// nudge asks a session that is about to stop for a delta that is due: once, and only
// where config.yaml wants it. A session that ends cannot be asked any more; its user is
// told.
func (p *Handler) nudge(ctx context.Context, call protocol.Call) (protocol.Answer, error) {
	policy, err := p.Policy(ctx)
	if err != nil || !policy.Nudge || call.Again {
		return protocol.Answer{}, err
	}
	answer, err := p.query.Due(ctx)
	if err != nil || !answer.Due() {
		return protocol.Answer{}, err
	}
	if first, err := p.claim(call, "nudge", claimsKept); err != nil || !first {
		return protocol.Answer{}, err
	}
	if call.Event == protocol.SessionEnd {
		return protocol.Answer{Notice: dueSaid(answer)}, nil
	}
	return protocol.Answer{Block: dueSaid(answer)}, nil
}

// dueSaid returns that a delta is due, why, and the command that writes it. A here-document
// takes apostrophes, which end a text in single quotes.
func dueSaid(a policy.Reminder) string {
	return "ckpt: a delta for " + a.ID + " is due: " + strings.Join(a.Why(), "; ") + ". Write it now:\n" +
		"ckpt delta -F - --trigger " + string(a.Triggers[0]) + " <<'EOF'\nWHAT CHANGED\n### Done\n- WORDS OF A FINISHED NEXT ACTION\n" +
		"### Decisions\n- **WHAT**: WHY\n### Next Actions\n1. WHAT IS NEXT\nEOF\n(Leave out a heading that has nothing new; without Next Actions they stay.)"
}

package hooks

import (
	"context"
	"time"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// sessionsNamed is how many sessions an error names.
const sessionsNamed = 5

// SessionLog returns the record of the session that name means, with at most limit of its newest entries. A limit
// of 0 means all. The name "@" means the session with the newest entry.
func (p *Handler) SessionLog(ctx context.Context, name string, limit int) (*record.Log, error) {
	all := record.Sessions(p.Recorder.Entries(time.Time{}))
	if len(all) == 0 {
		return nil, p.nothingRecorded(ctx)
	}
	found := record.Find(all, name)
	switch len(found) {
	case 0:
		return nil, fault.New(fault.NotFound, "no session %q is recorded here", name).
			WithHint("ckpt log --session ID (recorded: %s)", sessionNames(all))
	case 1:
	default:
		return nil, fault.New(fault.Usage, "%q matches %d sessions: %s", name, len(found), sessionNames(found)).
			WithHint("ckpt log --session %s", found[0].ID)
	}
	log := &record.Log{Session: found[0]}
	log.Entries = record.WithWords(log.Entries, p.Recorder.WordsOf(log.ID))
	if n := len(log.Entries); limit > 0 && n > limit {
		log.Entries, log.Older = log.Entries[n-limit:], n-limit
	}
	for _, s := range all {
		if s.ID != log.ID {
			log.Others = append(log.Others, s)
		}
	}
	return log, nil
}

// Forget removes the record of the session that name means.
func (p *Handler) Forget(ctx context.Context, name string) (*result.Receipt, error) {
	if name == "@" {
		return nil, fault.New(fault.Usage, "--forget needs the id of a session").
			WithHint("ckpt log --session ID --forget")
	}
	log, err := p.SessionLog(ctx, name, 0)
	if err != nil {
		return nil, err
	}
	if !p.DryRun {
		err = p.Recorder.Forget(log.ID)
	}
	return &result.Receipt{Op: "forget", Summary: "session " + log.ID, Pending: "removed", DryRun: p.DryRun}, err
}

// nothingRecorded returns the error for a worktree without recorded sessions.
func (p *Handler) nothingRecorded(ctx context.Context) error {
	err := fault.New(fault.NotFound, "no session of an agent is recorded in this worktree")
	if mode, cerr := p.Recorder.Mode(ctx); mode == policy.RecordNothing && cerr == nil {
		return err.WithHint("the recorder is off (recorder in %s/config.yaml, git config ckpt.recorder)", p.Prefix)
	}
	return err.WithHint("run ckpt setup AGENT: its hooks then record what it does")
}

// sessionNames lists the ids of sessions in their order, at most sessionsNamed.
func sessionNames(all []record.Session) string {
	var names []string
	for _, s := range all {
		names = append(names, s.ID)
	}
	return text.List(names, sessionsNamed)
}
